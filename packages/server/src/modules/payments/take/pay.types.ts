import type { Amount } from '../../../lib/money.ts'
import type { Caller } from '../../auth/types.ts'
import type { Payment, PaymentRequest, Rejection } from '../core/types.ts'

/** Result of a request to pay. */
export type PayResult =
  | { readonly kind: 'payment'; readonly payment: Payment }
  /** The refid belongs to a payment with other parameters. */
  | {
      readonly kind: 'conflict'
      readonly payment: Payment
      readonly differences: Readonly<Record<string, readonly string[]>>
    }
  | { readonly kind: 'rejected'; readonly rejection: Rejection; readonly balance: Amount }

export type PayInput = {
  readonly caller: Caller
  readonly request: PaymentRequest
  /** Id of the request, for logs and traces; left out: no request made the payment. */
  readonly requestId?: string | undefined
  /** Address of the caller. */
  readonly sender: string
  /** Earliest time at which the request can have arrived, on performance.now's clock; left out: now. */
  readonly receivedMs?: number | undefined
  readonly deadlineMs: number
  /** Highest cost at which the payment is made: a higher one is rejected. Left out: any. */
  readonly costMax?: Amount | undefined
  /** Least seconds in which the same payment again is refused; the reseller's own window may be longer. */
  readonly duplicateSecondsMin?: number | undefined
  /** Tells whether the client still waits for the answer; left out: it does. */
  readonly isAwaited?: (() => boolean) | undefined
}

export type Payments = { pay(input: PayInput): Promise<PayResult> }
