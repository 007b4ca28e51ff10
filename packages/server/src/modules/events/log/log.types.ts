import type { EndpointMethod } from '../endpoints/endpoints.types.ts'
import type { EventRef, Stream } from '../types.ts'

export const LOG_STATUSES = ['success', 'failed', 'pending'] as const
/** Statuses in the log; superseded deliveries are not shown. */
export type LogStatus = (typeof LOG_STATUSES)[number]

/** One attempt, as it is stored. */
export type Attempt = {
  readonly at: Date
  readonly durationMs: number
  /** HTTP status; 0: no answer. */
  readonly responseStatus: number
  readonly error: string
}

/** One event for one receiver, with its result so far. */
export type Delivery = {
  readonly stream: Stream
  readonly id: string
  readonly ref: EventRef
  /** Type as the feed names it; null: it follows from the event's record. */
  readonly eventType: string | null
  readonly status: LogStatus
  /** Empty: no error. */
  readonly error: string
  readonly attemptsMade: number
  readonly responseStatus: number
  readonly sealedResponse: Buffer | null
  readonly url: string
  readonly method: EndpointMethod
  readonly originalId: string | null
  /** Number of replays of the event in this stream so far. */
  readonly replays: number
  readonly createdAt: Date
  readonly completedAt: Date | null
}

export type LogFilter = {
  readonly statuses: readonly LogStatus[]
  /** Milliseconds since 1970; both inclusive. */
  readonly fromMs: number | null
  readonly toMs: number | null
  /** Id of an event, or a prefix of it. */
  readonly search: string | null
  /** Id of a delivery: only older ones are listed. */
  readonly before: string | null
  readonly limit: number
}
