import { expect, it } from 'vitest'
import type { PricedLine } from '../../catalog/edit/overlay-preview.service.ts'
import { marginOf } from './view.ts'

function line(margin: bigint, isActive: boolean): PricedLine {
  const money = { denomination: 10n, cost: 10n, price: 10n + margin, rrp: 10n, hasLossRisk: margin < 0n }
  return { optionCode: 'A', label: 'A', ...money, margin, isActive }
}

it("a product's margin is that of what can be bought, and of one that is off, of what could be", () => {
  expect(marginOf([line(-5n, false), line(1n, true), line(3n, true), line(9n, false)])).toEqual({
    min: 1n,
    max: 3n,
  })
  expect(marginOf([line(-5n, false), line(9n, false)])).toEqual({ min: -5n, max: 9n })
  expect(marginOf([])).toBeNull()
})
