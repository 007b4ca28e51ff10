import type { Amount } from '../../lib/money.ts'
import { cheapest, costsOf } from './costs.rules.ts'
import type { Suppliers } from './types.ts'

/** Payments for one product. */
export type Sold = {
  readonly productCode: string
  readonly payments: bigint
  readonly faceValue: Amount
  /** Sum that the resellers paid. */
  readonly charged: Amount
}

export type Earnings = {
  /** Sum that resellers paid, minus the cheapest route's charge; null: no product's cost is known. */
  readonly margin: Amount | null
  /** Face value of the products whose cost is known: the margin is about these. */
  readonly covered: Amount
}

/**
 * Estimates what was earned. A payment does not say what its supplier charged, so the present cost of the cheapest route
 * counts, as it does for the losses of a change.
 */
export function earningsOf(suppliers: Suppliers, sold: readonly Sold[]): Earnings {
  let margin: Amount | null = null
  let covered = 0n
  for (const { productCode, payments, faceValue, charged } of sold) {
    const charge = cheapest(costsOf(suppliers, productCode), faceValue, payments)
    if (charge === undefined) continue
    margin = (margin ?? 0n) + charged - charge.amount
    covered += faceValue
  }
  return { margin, covered }
}
