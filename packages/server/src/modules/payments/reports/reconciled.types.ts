import type { Amount } from '../../../lib/money.ts'

/** State of a payment. `refunded`: it had succeeded, and was given back later. */
export type ReconciledState = 'pending' | 'succeeded' | 'failed' | 'refunded'

/** Payment as its reseller's books may have it. */
export type ReconciledPayment = {
  readonly id: bigint
  readonly refid: string
  readonly amount: Amount
  readonly faceValue: Amount
  readonly cost: Amount
  readonly state: ReconciledState
  readonly createdAt: Date
  readonly changedAt: Date
}
