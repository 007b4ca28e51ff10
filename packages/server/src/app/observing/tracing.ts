import type { RequestLine } from '../../http/request-log.ts'
import type { PaymentNames, Stage, StageDetail } from '../../lib/observing/payment-stages.ts'
import type { TracePlace, Tracer } from '../../lib/observing/traces.ts'
import { newSpanId, traceOfPayment, traceOfRequest } from '../../lib/observing/traces.ts'

/** Part of a payment's way that is over, as a span shows it. Times are on performance.now's clock. */
export type EndedStage = {
  readonly stage: Stage
  readonly outcome: string
  readonly startMs: number
  readonly endMs: number
  readonly names: PaymentNames
  readonly detail: StageDetail
  /** Id of the span, where a supplier was told it; left out: a new one. */
  readonly spanId?: string | undefined
}

/** Recorder of spans. It knows which trace a request or a stage belongs to. */
export type Tracing = { stage(ended: EndedStage): void; request(line: RequestLine): void }

export function createTracing(tracer: Tracer): Tracing {
  return {
    stage: (ended) => recordStage(tracer, ended),
    request: (line) => recordRequest(tracer, line),
  }
}

const SPAN_NAMES: Readonly<Record<Stage, string>> = {
  taken: 'commit',
  sent: 'wait for the provider',
  answered: 'provider',
  resolved: 'payment',
  called_back: 'callback',
}
const CALLS: ReadonlySet<Stage> = new Set(['answered', 'called_back'])
/** Outcomes that a trace shows as errors. */
const ERRORS: ReadonlySet<string> = new Set(['failed', 'unknown', 'retry'])
/** Waits that are shorter are left out. */
const WAIT_MS_MIN = 1

function recordStage(tracer: Tracer, ended: EndedStage): void {
  const { stage, outcome, startMs, endMs, names, detail } = ended
  if (stage === 'sent' && endMs - startMs < WAIT_MS_MIN) return
  const place = placeOf(names)
  if (place === undefined || !tracer.isKept(place.traceId)) return
  const { provider } = detail
  tracer.record({
    traceId: place.traceId,
    ...relationOf(ended, place),
    name: provider === undefined ? SPAN_NAMES[stage] : `${SPAN_NAMES[stage]} ${provider}`,
    kind: CALLS.has(stage) ? 'client' : 'internal',
    startMs,
    endMs,
    attributes: attributesOf(ended),
    isError: ERRORS.has(outcome),
  })
}

/** Finds the trace: that of the payment, or that of the request while there is no payment. */
function placeOf({ paymentId, requestId }: PaymentNames): TracePlace | undefined {
  if (paymentId !== undefined) return traceOfPayment(paymentId)
  return requestId === undefined ? undefined : traceOfRequest(requestId)
}

/** The payment's end is the root. The commit hangs below its request, and everything else below the root. */
function relationOf(
  { stage, names, spanId = newSpanId() }: EndedStage,
  place: TracePlace,
): { readonly spanId: string; readonly parentId?: string } {
  if (stage === 'resolved') return { spanId: place.spanId }
  const isOfRequest = stage === 'taken' && names.requestId !== undefined
  const parent = isOfRequest ? traceOfRequest(names.requestId ?? '') : place
  return { spanId, parentId: parent.spanId }
}

function attributesOf({ stage, outcome, names, detail }: EndedStage) {
  const { paymentId, refid, requestId } = names
  const { provider, attempt, reference, status } = detail
  return {
    'warung.stage': stage,
    'warung.outcome': outcome,
    'warung.payment_id': textOf(paymentId),
    'warung.refid': refid,
    'warung.request_id': requestId,
    'warung.provider': provider,
    'warung.attempt': attempt,
    'warung.our_reference': reference,
    'http.response.status_code': status === 0 ? undefined : status,
  }
}

function recordRequest(tracer: Tracer, line: RequestLine): void {
  const requestId = String(line.request_id)
  const paymentId = textOf(line.payment_id)
  const own = traceOfRequest(requestId)
  const place = paymentId === undefined ? own : traceOfPayment(BigInt(paymentId))
  if (!tracer.isKept(place.traceId)) return
  const endMs = performance.now()
  const status = Number(line.status)
  tracer.record({
    traceId: place.traceId,
    spanId: own.spanId,
    ...(paymentId !== undefined && { parentId: place.spanId }),
    name: `${line.method} ${line.route}`,
    kind: 'server',
    startMs: endMs - Number(line.duration_ms),
    endMs,
    attributes: {
      'http.request.method': String(line.method),
      'http.route': String(line.route),
      'http.response.status_code': status,
      'error.type': textOf(line.error),
      'warung.request_id': requestId,
      'warung.reseller': textOf(line.reseller),
      'warung.refid': textOf(line.refid),
      'warung.payment_id': paymentId,
    },
    isError: status >= 500,
  })
}

function textOf(value: RequestLine[string] | bigint | undefined): string | undefined {
  return value === undefined ? undefined : String(value)
}
