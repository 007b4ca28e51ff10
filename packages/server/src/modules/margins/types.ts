import type { Amount } from '../../lib/money.ts'
import type { BaseCatalog, PriceLevel, WholesalePrice } from '../catalog/model/types.ts'
import type { Route } from '../providers/connections/routing.types.ts'

/** Prices and supplier costs at one moment. */
export type Market = {
  readonly base: Pick<BaseCatalog, 'products' | 'options'>
  readonly levels: ReadonlyMap<string, PriceLevel>
  readonly suppliers: Suppliers
}

export type Suppliers = {
  readonly routes: readonly Route[]
  /** Codes of the providers that take orders. */
  readonly enabled: ReadonlySet<string>
}

/** Successful payments of the last 30 days at one price level for one product. */
export type Sales = { readonly payments: bigint; readonly faceValue: Amount }

/** Price, or the product's unit price (`levelCode` null), before a change of the last days. */
export type EarlierPrice = {
  readonly productCode: string
  readonly levelCode: string | null
  readonly wholesale: WholesalePrice | null
  readonly denominationUnitPrice: bigint | null
}

/** Days whose price steps are added up. */
export const DRIFT_DAYS = 7

export const FINDING_KINDS = ['below_cost', 'price_moved', 'price_drifted', 'cost_moved'] as const
export type FindingKind = (typeof FINDING_KINDS)[number]

/** Part of a change that one person alone may not decide. */
export type Finding = {
  readonly kind: FindingKind
  readonly product: string
  /** Level of the price; null: the finding is about a route, at every level. */
  readonly level: string | null
  /** Provider of the cost; null: no cost is involved. */
  readonly provider: string | null
  /** Option or amount with the largest difference. */
  readonly sample: string
  /** Price, or the route's cost, of that sample before; null (also in `after`): there is none. */
  readonly before: string | null
  readonly after: string | null
  /** Cheapest route's cost of that sample after the change; null: no route has a cost. */
  readonly cost: Amount | null
  /** Loss that the change would have made on the sales of the last 30 days. */
  readonly loss: Amount
}

export type Comparison = {
  readonly findings: readonly Finding[]
  /** Sum over levels and products, each counted once. */
  readonly loss: Amount
}

/** Comparison as plain data, for answers, approvals and the log. */
export type ComparisonView = {
  readonly needs_second_person: boolean
  readonly loss_last_month: string
  readonly findings_total: number
  readonly findings: readonly (Omit<Finding, 'cost' | 'loss'> & {
    readonly cost: string | null
    readonly loss_last_month: string
  })[]
}
