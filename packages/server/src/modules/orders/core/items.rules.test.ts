import { expect, it } from 'vitest'
import { choiceOf } from './items.rules.ts'

it('a customer chooses from the products of the order, from those of a fixed basket, or from all', () => {
  const lines = [{ productCode: 'NOVA' }]
  expect(choiceOf({ isFixed: false, lines, products: null })).toBeNull()
  expect(choiceOf({ isFixed: false, lines, products: ['A', 'B'] })).toEqual(new Set(['A', 'B']))
  expect(choiceOf({ isFixed: true, lines, products: null })).toEqual(new Set(['NOVA']))
})
