import type { Amount } from '../../../lib/money.ts'
import type { Status } from '../read/history.rules.ts'

/** Payments whose suppliers said what they took, which is known in ringgit. */
export type ToldSales = {
  readonly payments: bigint
  readonly faceValue: Amount
  /** Sum that the resellers paid. */
  readonly charged: Amount
  /** Sum that the suppliers took. */
  readonly supplierCost: Amount
}

/** Payments of all resellers on one day, of one product and one status. */
export type ProductSales = {
  readonly day: number
  readonly productCode: string
  readonly status: Status
  /** Part of them. */
  readonly told: ToldSales
  readonly payments: bigint
  readonly faceValue: Amount
  /** Sum that the resellers paid. */
  readonly charged: Amount
}

/** Costs and prices of payments that succeeded, summed; `currency` is that of `cost`. */
export type ToldCosts = {
  readonly productCode: string
  readonly provider: string
  readonly currency: string
  readonly payments: bigint
  readonly faceValue: Amount
  /** Sum of what the resellers paid, in ringgit. */
  readonly charged: Amount
  readonly cost: Amount
  /** The cost in ringgit, by the rates that are kept with the payments; null: there was no rate. */
  readonly ringgit: Amount | null
}
