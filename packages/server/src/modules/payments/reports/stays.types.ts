import type { Amount } from '../../../lib/money.ts'
import type { PaymentCode } from '../core/types.ts'

/** Stretch of time in which a member sold somewhere. Times are in milliseconds, as in the ids of payments. */
export type Stay = {
  /** Name of the place, as the caller groups by it. */
  readonly place: string
  readonly memberId: bigint
  readonly fromMs: bigint
  /** null: it goes on. */
  readonly untilMs: bigint | null
}

/** Sums of the payments of a place that a member sold, of one category and code. */
export type StaySum = {
  readonly place: string
  readonly memberId: bigint
  readonly category: string
  readonly code: PaymentCode
  /** True: its state changed after the moment that was asked about. */
  readonly isLater: boolean
  readonly payments: bigint
  readonly faceValue: Amount
  readonly cost: Amount
}

/** Payment that counted as sold at a moment, and was not carried out or was voided after it. */
export type TakenBack = {
  readonly id: bigint
  readonly memberId: bigint
  readonly productName: string
  readonly code: PaymentCode
  readonly faceValue: Amount
  readonly changedAt: Date
}
