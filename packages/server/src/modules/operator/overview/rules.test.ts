import { expect, it } from 'vitest'
import type { ProductSales } from '../../payments/reports/sales.types.ts'
import { salesByDay, salesFigures } from './rules.ts'

const SUPPLIERS = {
  routes: [
    {
      productCode: 'NOVA',
      provider: 'alpha',
      priority: 1,
      weight: 1,
      cost: { kind: 'percentage', value: 9_500n },
      windows: [],
      isEnabled: true,
    } as const,
  ],
  enabled: new Set(['alpha']),
}

const UNTOLD = { payments: 0n, faceValue: 0n, charged: 0n, supplierCost: 0n }

function sold(change: Partial<ProductSales>): ProductSales {
  const usual = { day: 9, productCode: 'NOVA', status: 'SUCCESSFUL', payments: 1n } as const
  return { ...usual, faceValue: 100_000n, charged: 97_000n, told: UNTOLD, ...change }
}

it('figures count every payment, and value those alone that succeeded or still may', () => {
  const sales = [
    sold({ payments: 3n, faceValue: 300_000n, charged: 291_000n }),
    sold({ status: 'PENDING' }),
    sold({ status: 'FAILED' }),
    sold({ status: 'REFUND' }),
  ]
  expect(salesFigures(sales, SUPPLIERS)).toEqual({
    payments: 6n,
    successful: 3n,
    pending: 1n,
    failed: 1n,
    refunded: 1n,
    value: 400_000n,
    charged: 388_000n,
    margin: 8_000n,
    marginListed: 8_000n,
    marginCovers: 1,
    marginTold: 0,
    successRate: 0.75,
  })
})

it('a margin says for which share of the value costs are known', () => {
  const sales = [sold({}), sold({ productCode: 'KITA', faceValue: 300_000n })]
  expect(salesFigures(sales, SUPPLIERS)).toMatchObject({ margin: 2_000n, marginCovers: 0.25 })
  expect(salesFigures([], SUPPLIERS)).toMatchObject({ margin: null, marginCovers: null, successRate: null })
})

it('every day of the range is there, with its own payments', () => {
  const days = salesByDay([sold({ day: 9 }), sold({ day: 11 })], { from: 9, to: 11 }, SUPPLIERS)
  expect(days.map(({ day, payments }) => [day, payments])).toEqual([
    [9, 1n],
    [10, 0n],
    [11, 1n],
  ])
})
