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
  /** Part whose suppliers said what they took, in ringgit. */
  readonly told: Told
}

export type Told = {
  readonly payments: bigint
  readonly faceValue: Amount
  readonly charged: Amount
  readonly supplierCost: Amount
}

export type Earnings = {
  /** Sum that resellers paid, minus what suppliers took, or would by the price list; null: no cost is known. */
  readonly margin: Amount | null
  /** The same by the price list alone. */
  readonly listed: Amount | null
  /** Face value of the payments whose cost is known: the margin is about these. */
  readonly covered: Amount
  /** Face value of the payments whose suppliers said it. */
  readonly told: Amount
}

/**
 * Tells what was earned. A payment whose supplier did not say what it took is estimated: the present cost of the
 * cheapest route counts, as it does for the losses of a change.
 */
export function earningsOf(suppliers: Suppliers, sold: readonly Sold[]): Earnings {
  let margin: Amount | null = null
  let listed: Amount | null = null
  let [covered, toldValue] = [0n, 0n]
  for (const { productCode, payments, faceValue, charged, told } of sold) {
    const costs = costsOf(suppliers, productCode)
    toldValue += told.faceValue
    const charge = cheapest(costs, faceValue, payments)
    if (charge !== undefined) listed = (listed ?? 0n) + charged - charge.amount
    if (told.payments > 0n) {
      margin = (margin ?? 0n) + told.charged - told.supplierCost
      covered += told.faceValue
    }
    const rest = cheapest(costs, faceValue - told.faceValue, payments - told.payments)
    if (rest === undefined || payments === told.payments) continue
    margin = (margin ?? 0n) + charged - told.charged - rest.amount
    covered += faceValue - told.faceValue
  }
  return { margin, listed, covered, told: toldValue }
}
