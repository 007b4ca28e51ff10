import { createHash, randomBytes } from 'node:crypto'

/** Finished part of a trace. Times are on performance.now's clock. */
export type Span = {
  readonly traceId: string
  readonly spanId: string
  /** Left out: the span is the root of its trace. */
  readonly parentId?: string | undefined
  readonly name: string
  readonly kind: 'internal' | 'server' | 'client'
  readonly startMs: number
  readonly endMs: number
  /** Values of our own and the reseller's refid; never a PIN, an account of a customer or an identity number. */
  readonly attributes: Readonly<Record<string, string | number | undefined>>
  readonly isError: boolean
}

export type Tracer = {
  /** Tells whether the trace is kept. Every process decides alike, so a trace is kept whole. */
  isKept(traceId: string): boolean
  /** Takes a span for export. It never waits: a span that does not fit is dropped and counted. */
  record(span: Span): void
}

/** Trace, and the span in it that others hang below. */
export type TracePlace = { readonly traceId: string; readonly spanId: string }

/**
 * Derives the trace of a payment from its id. So the process that takes the payment, the one that asks its provider and
 * the one that delivers its callback name the same trace, and nothing is stored.
 */
export function traceOfPayment(paymentId: bigint): TracePlace {
  const digest = createHash('sha256').update(`payment ${paymentId}`).digest('hex')
  return { traceId: digest.slice(0, 32), spanId: digest.slice(32, 48) }
}

/** Derives the trace of a request that is about no payment. Its span has the same id in the trace of a payment. */
export function traceOfRequest(requestId: string): TracePlace {
  const digits = requestId.replaceAll('-', '')
  return { traceId: digits, spanId: digits.slice(16) }
}

export function newSpanId(): string {
  return randomBytes(8).toString('hex')
}

/** Chooses one of `oneIn` traces by the first digits of the id, which are as good as random. */
export function isChosen(traceId: string, oneIn: number): boolean {
  return Number.parseInt(traceId.slice(0, 8), 16) < 2 ** 32 / oneIn
}

/** Header of W3C Trace Context that tells a callee the trace. */
export function traceparentOf({ traceId, spanId }: TracePlace, isKept: boolean): string {
  return `00-${traceId}-${spanId}-${isKept ? '01' : '00'}`
}
