import type { DayRange } from '../../../lib/dates.ts'
import type { Amount } from '../../../lib/money.ts'
import { earningsOf } from '../../margins/earnings.rules.ts'
import type { Suppliers } from '../../margins/types.ts'
import type { ProductSales } from '../../payments/reports/sales.types.ts'

/** Payments of all resellers together. */
export type SalesFigures = {
  readonly payments: bigint
  readonly successful: bigint
  readonly pending: bigint
  readonly failed: bigint
  readonly refunded: bigint
  /** Face value of what succeeded or still may, and what the resellers paid for it. */
  readonly value: Amount
  readonly charged: Amount
  readonly margin: Amount | null
  /** The margin by the price list alone. */
  readonly marginListed: Amount | null
  /** Share of the value whose cost is known, from 0 to 1; null: there is no value. */
  readonly marginCovers: number | null
  /** Share of the value whose cost suppliers said. */
  readonly marginTold: number | null
  readonly successRate: number | null
}

export function salesFigures(sales: readonly ProductSales[], suppliers: Suppliers): SalesFigures {
  const count = (status: ProductSales['status']) =>
    sales.reduce((sum, each) => (each.status === status ? sum + each.payments : sum), 0n)
  const [successful, pending] = [count('SUCCESSFUL'), count('PENDING')]
  const [failed, refunded] = [count('FAILED'), count('REFUND')]
  const sold = sales.filter(({ status }) => status === 'SUCCESSFUL' || status === 'PENDING')
  const value = sold.reduce((sum, { faceValue }) => sum + faceValue, 0n)
  const { margin, listed, covered, told } = earningsOf(suppliers, sold)
  return {
    payments: successful + pending + failed + refunded,
    successful,
    pending,
    failed,
    refunded,
    value,
    charged: sold.reduce((sum, { charged }) => sum + charged, 0n),
    margin,
    marginListed: listed,
    marginCovers: shareOf(covered, value),
    marginTold: shareOf(told, value),
    successRate: shareOf(successful, successful + failed),
  }
}

/** Returns the figures of each day of the range, oldest first. */
export function salesByDay(
  sales: readonly ProductSales[],
  { from, to }: DayRange,
  suppliers: Suppliers,
): (SalesFigures & { readonly day: number })[] {
  return Array.from({ length: to - from + 1 }, (_, index) => {
    const day = from + index
    const own = sales.filter((each) => each.day === day)
    return { day, ...salesFigures(own, suppliers) }
  })
}

/** Returns a share from 0 to 1, to 4 places; null: there is no whole. */
function shareOf(part: bigint, whole: bigint): number | null {
  return whole === 0n ? null : Math.round((Number(part) / Number(whole)) * 10_000) / 10_000
}
