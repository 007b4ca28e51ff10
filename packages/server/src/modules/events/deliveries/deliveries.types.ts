import type { SigningKey } from '../endpoints/signing.rules.ts'
import type { EventRef, Stream } from '../types.ts'
import type { Outcome } from './attempt.rules.ts'

/** The queue before one receiver: an account's deliveries of one stream. One node at a time holds it, by a lease. */
export type LaneKey = { readonly resellerId: bigint; readonly stream: Stream }

/** A delivery whose time has come. */
export type DueDelivery = LaneKey & {
  readonly id: string
  readonly ref: EventRef
  readonly attemptsMade: number
  readonly isReplay: boolean
  /** Due time to the microsecond: part of the key of its row in `delivery_work`. */
  readonly workAt: string
  /** Offset of the account's test clock when the row was read. */
  readonly advancedMs: bigint
}

/** Receiver of a lane, with the keys that sign for it. */
export type Target = {
  readonly url: string
  readonly method: 'GET' | 'POST'
  readonly isFailing: boolean
  readonly keys: readonly [SigningKey, ...SigningKey[]]
}

/** A due delivery that is ready for its lane: either a message to send, or a result that needs no request. */
export type ReadyDelivery = {
  readonly delivery: DueDelivery
  /** Instant of performance.now at which it was read. Its message and target are not true for long. */
  readonly readAtMs: number
} & Todo

export type Todo =
  | { readonly kind: 'send'; readonly target: Target; readonly text: string }
  | { readonly kind: 'settled'; readonly result: Result }

export type ToSend = ReadyDelivery & { readonly kind: 'send' }

/** The result of a delivery's turn, as it is recorded. */
export type Result = {
  readonly delivery: DueDelivery
  readonly outcome: Outcome | 'superseded'
  readonly attemptsMax: number
  readonly retryMs: number
  readonly isTest: boolean
  /** Empty on success. */
  readonly error: string
  /** Undefined: no request was made. */
  readonly attempt: Attempt | undefined
}

export type Attempt = {
  readonly at: Date
  readonly ms: number
  /** HTTP status; 0: no answer. */
  readonly status: number
  readonly sealedResponse: Buffer | null
  readonly url: string
  readonly method: 'GET' | 'POST'
}

export type DeliveryState = 'pending' | 'success' | 'failed' | 'superseded'
