import type { IncomingMessage } from 'node:http'
import type { RequestError } from '../lib/errors.ts'
import type { Admission } from './intake/limits.ts'
import type { RequestLine } from './request-log.ts'
import type { WholeMessage } from './wire/whole-request.ts'

/** Request as Node reads it, with its body behind it, or read whole from its connection (`wire/`). */
export type Message = (IncomingMessage & { readonly whole?: undefined }) | WholeMessage

/** Members that Node's answers and those of `wire/` have in common; nothing else of either is used. */
export type Answer = {
  readonly req: Message
  statusCode: number
  readonly headersSent: boolean
  readonly writableFinished: boolean
  readonly destroyed: boolean
  shouldKeepAlive: boolean
  setHeader(name: 'Connection', value: 'close'): unknown
  getHeader(name: 'Connection'): unknown
  removeHeader(name: 'Connection'): void
  writeHead(status: number, lines: string[]): unknown
  write(piece: Buffer): boolean
  end(body?: Buffer | string): unknown
  once(event: 'close' | 'drain', listener: () => void): unknown
  off(event: 'close' | 'drain', listener: () => void): unknown
}

/** Parts of a place that a request needs after it was routed. */
export type ExchangePlace = {
  onAnswered(line: RequestLine, error: RequestError | undefined): void
  refusal(): RequestError | undefined
}

/** Record of one request in the edge, from its first byte to its log line. */
export type Exchange = {
  readonly message: Message
  readonly response: Answer
  readonly id: string
  readonly startedMs: number
  /** Earliest possible arrival: before `startedMs` when it was read after a standstill of this process. */
  readonly receivedMs: number
  /** Time right before its answer was written; undefined until then. */
  answeredMs: number | undefined
  readonly address: string
  /** Pattern of the route, never the address as sent: queries and paths may carry identity numbers. */
  readonly route: string
  readonly params: Readonly<Record<string, string>>
  /** Decision of the limiter; undefined until it is made. */
  admission: Admission | undefined
  /** Headers of every answer of the operation, errors included. */
  operationHeaders: Readonly<Record<string, string>> | undefined
  logFields: Readonly<Record<string, string>> | undefined
  /** Names that the operation noted, such as the payment that the request is about. */
  notes: Record<string, string> | undefined
  error: RequestError | undefined
  /** Reason why a streamed answer ended early, if it did. */
  streamError: unknown
  /** Action to take when the time for the request is over; undefined while nothing is waited for. */
  late: (() => void) | undefined
  /** Place whose operations serve it; undefined: those of the edge itself. */
  place: ExchangePlace | undefined
}
