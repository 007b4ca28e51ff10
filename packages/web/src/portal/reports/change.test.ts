import { expect, it } from 'vitest'
import { changeOf } from './change.ts'

it.each([
  ['112.50', '100.00', '+12.5%'],
  ['97.00', '100.00', '−3.0%'],
  ['100.0001', '100.00', '0.0%'],
  ['0.00', '50.00', '−100.0%'],
  ['10.00', '0.00', '–'],
  ['10.00', '-5.00', '–'],
])('%s after %s is %s', (now, before, change) => expect(changeOf(now, before)).toBe(change))
