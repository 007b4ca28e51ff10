import type { Amount } from '../../../lib/money.ts'
import type { Status } from '../read/history.rules.ts'

/** Payments of all resellers on one day, of one product and one status. */
export type ProductSales = {
  readonly day: number
  readonly productCode: string
  readonly status: Status
  readonly payments: bigint
  readonly faceValue: Amount
  /** Sum that the resellers paid. */
  readonly charged: Amount
}
