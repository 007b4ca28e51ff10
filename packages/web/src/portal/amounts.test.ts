import { expect, it } from 'vitest'
import { isAmount } from './amounts.ts'

it.each(['1000', '1.50', ' 84.5 ', '0.0001'])('an amount such as %j can be read', (typed) => {
  expect(isAmount(typed)).toBe(true)
})

it.each([
  '1,5',
  '1,000',
  '1,000.00',
  '1.000,00',
  '1e3',
  '-5',
  '+5',
  '.5',
  '5.',
  '5.12345',
  'RM 5',
  '1 000',
  '',
])('an amount such as %j cannot be read', (typed) => {
  expect(isAmount(typed)).toBe(false)
})
