import type { IncomingMessage, ServerResponse } from 'node:http'
import type { RequestError } from '../lib/errors.ts'
import type { Admission } from './intake/limits.ts'

/** The edge's own record of one request, from its first byte to its log line. */
export type Exchange = {
  readonly message: IncomingMessage
  readonly response: ServerResponse
  readonly id: string
  readonly startedMs: number
  /** The earliest at which it can have arrived: before `startedMs` when it was read after a standstill of this process. */
  readonly receivedMs: number
  /** Right before its answer was written; undefined until then. */
  answeredMs: number | undefined
  readonly address: string
  /** The route's pattern, never the address as sent: queries and paths may carry identity numbers. */
  readonly route: string
  readonly params: Readonly<Record<string, string>>
  /** What the limiter said; undefined until it has. */
  admission: Admission | undefined
  /** On every answer of the operation, errors included. */
  operationHeaders: Readonly<Record<string, string>> | undefined
  logFields: Readonly<Record<string, string>> | undefined
  error: RequestError | undefined
  /** Why a streamed answer ended early, if it did. */
  streamError: unknown
  /** What is to be done when the time for the request is over; undefined while nobody waits for anything. */
  late: (() => void) | undefined
}
