import type { Amount } from '../../../lib/money.ts'
import type { FailureCode, FulfilledOutput } from '../../providers/port/types.ts'

/** As the contract numbers them: 0 Accepted, 1 Processing, 20 Succesful, 53 voided, the others Failed. */
export type PaymentCode = 0 | 1 | 20 | 53 | FailureCode

/** Codes of a request that was turned away: no payment exists. */
export type RejectionCode = 41 | 43 | 44 | 45 | 49 | 52 | 54 | 56 | 58 | 62

/** What a payment may carry beside account and amount; null: not sent, or sent empty. */
export type PaymentExtras = {
  readonly subproductCode: string | null
  readonly billerCode: string | null
  readonly ref2: string | null
  /** A secret: sealed at rest, never logged. */
  readonly icNumber: string | null
}

/** A body in which at least the refid could be read. What is wrong with the rest is in `problems`. */
export type PaymentRequest = {
  readonly refid: string
  /** '' where it could not be read; echoed as it is. */
  readonly product: string
  readonly account: string
  /** null: not a plain decimal greater than zero. */
  readonly amount: Amount | null
  readonly remarks: string
  readonly extras: PaymentExtras
  /** By wire name; empty when the form is right. */
  readonly problems: Readonly<Record<string, readonly string[]>>
}

/** A no is a value: it becomes the answer only if no payment under this refid exists. */
export type Rejection = {
  readonly code: RejectionCode
  /** Stable token or short sentence, as `remarks` shows it. */
  readonly remarks: string
  /** For a human, as `message` shows it. */
  readonly message: string
  /** By wire name. */
  readonly errors: Readonly<Record<string, readonly string[]>>
}

/** Everything a payment needs to be taken, decided against one snapshot. */
export type Decision = {
  readonly productCode: string
  readonly productName: string
  readonly amount: Amount
  /** amount × denomination unit price, in ringgit. */
  readonly faceValue: Amount
  readonly cost: Amount
  /** The option or loan type to be sent on; found from the amount where no code was sent. */
  readonly planCode: string | null
  readonly dueAfterSeconds: number
}

export type Judgement =
  | { readonly kind: 'accepted'; readonly decision: Decision }
  | { readonly kind: 'rejected'; readonly rejection: Rejection }

/** A payment as it stands in the database, secrets opened. */
export type Payment = {
  readonly resellerId: bigint
  readonly id: bigint
  readonly refid: string
  readonly productCode: string
  readonly productName: string
  readonly account: string
  readonly amount: Amount
  readonly faceValue: Amount
  readonly cost: Amount
  /** The wallet right after this payment's latest movement of money. */
  readonly balanceAfter: Amount
  readonly code: PaymentCode
  readonly extras: PaymentExtras
  /** The caller's own, until a failure's reason replaces them. */
  readonly remarks: string
  readonly output: FulfilledOutput
  readonly sender: string
  readonly memberId: string
  readonly createdAt: Date
  /** The latest change of state. */
  readonly changedAt: Date
}
