import type { EndpointMethod } from '../endpoints/endpoints.types.ts'
import type { EventRef, Stream } from '../types.ts'

export const LOG_STATUSES = ['success', 'failed', 'pending'] as const
/** What the log shows; what was superseded is not in it. */
export type LogStatus = (typeof LOG_STATUSES)[number]

/** One try, as it is kept. */
export type Attempt = {
  readonly at: Date
  readonly durationMs: number
  /** 0: nothing answered. */
  readonly responseStatus: number
  readonly error: string
}

/** One event on its way to one receiver, and what came of it. */
export type Delivery = {
  readonly stream: Stream
  readonly id: string
  readonly ref: EventRef
  readonly status: LogStatus
  /** Empty: nothing is wrong. */
  readonly error: string
  readonly attemptsMade: number
  readonly responseStatus: number
  readonly sealedResponse: Buffer | null
  readonly url: string
  readonly method: EndpointMethod
  readonly originalId: string | null
  /** How often the event was replayed in this stream so far, whoever asked. */
  readonly replays: number
  readonly createdAt: Date
  readonly completedAt: Date | null
}

export type LogFilter = {
  readonly statuses: readonly LogStatus[]
  /** Milliseconds since 1970; both inclusive. */
  readonly fromMs: number | null
  readonly toMs: number | null
  /** The id of an event, or its beginning. */
  readonly search: string | null
  /** Older than this delivery alone. */
  readonly before: string | null
  readonly limit: number
}
