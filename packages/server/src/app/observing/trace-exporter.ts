import { hostname } from 'node:os'
import type { Environment } from '../../config.ts'
import type { Span, Tracer } from '../../lib/observing/traces.ts'
import { isChosen } from '../../lib/observing/traces.ts'
import type { Schedule } from '../../lib/repeat.ts'
import { repeat } from '../../lib/repeat.ts'
import type { Outbound, OutboundResult } from '../../outbound/types.ts'
import { VERSION } from '../../version.ts'

export type TraceCounts = { readonly exported: number; readonly dropped: number }

export type TraceExporter = Tracer & {
  /** Spans since the start. */
  counts(): TraceCounts
  /** Sends the rest, for a short time, and then drops it. */
  close(): Promise<void>
}

const QUEUE_MAX = 10_000
const BATCH_MAX = 512
const SEND_EVERY_MS = 1_000
const ANSWER_MS_MAX = 5_000
const CLOSE_MS_MAX = 2_000
const ANSWER_BYTES_MAX = 16_384
/** Pause after the collector took nothing. */
const PAUSE_MS = 5_000
const REASON_EVERY_MS = 60_000

/**
 * Sends spans to a collector as OTLP in JSON, in batches and apart from the requests. The queue is bounded: a collector
 * that is slow or away costs spans, which are counted, and nothing else.
 */
export function openTraceExporter(settings: {
  readonly url: string
  readonly oneIn: number
  readonly environment: Environment
  readonly outbound: Pick<Outbound, 'send'>
  readonly onProblem: (text: string, error: unknown) => void
  readonly sendEveryMs?: number
  readonly queueMax?: number
}): TraceExporter {
  const { url, oneIn, environment, outbound, onProblem, queueMax = QUEUE_MAX } = settings
  const resource = resourceOf(environment)
  const counts = { exported: 0, dropped: 0 }
  let queue: Span[] = []
  let pausedUntilMs = 0
  let reportedMs = Number.NEGATIVE_INFINITY

  async function sendBatch(signal: AbortSignal): Promise<boolean> {
    const batch = queue.slice(0, BATCH_MAX)
    queue = queue.slice(BATCH_MAX)
    const result = await outbound.send({
      method: 'POST',
      url,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(requestOf(resource, batch)),
      answerBytesMax: ANSWER_BYTES_MAX,
      cutsAnswer: true,
      connectionsMax: 1,
      signal,
    })
    const verdict = judge(result)
    if (verdict === 'taken') {
      counts.exported += batch.length
      return true
    }
    report(result)
    if (verdict === 'refused') {
      counts.dropped += batch.length
      return true
    }
    putBack(batch)
    pausedUntilMs = performance.now() + PAUSE_MS
    return false
  }

  /** Keeps as many spans of a failed batch as fit before those that came meanwhile. */
  function putBack(batch: readonly Span[]): void {
    const room = Math.max(0, queueMax - queue.length)
    counts.dropped += Math.max(0, batch.length - room)
    queue = [...batch.slice(0, room), ...queue]
  }

  function report(result: OutboundResult): void {
    if (performance.now() - reportedMs < REASON_EVERY_MS) return
    reportedMs = performance.now()
    const reason = result.kind === 'failed' ? result.reason : `HTTP ${result.status}`
    onProblem('traces could not be sent; spans that do not fit the queue are dropped', new Error(reason))
  }

  async function sendAll(isStopped: () => boolean, timeMs = ANSWER_MS_MAX): Promise<void> {
    if (performance.now() < pausedUntilMs) return
    while (queue.length > 0 && !isStopped()) {
      if (!(await sendBatch(AbortSignal.timeout(timeMs)))) return
    }
  }

  const schedule: Schedule = repeat(settings.sendEveryMs ?? SEND_EVERY_MS, sendAll, (error) =>
    onProblem('traces could not be sent', error),
  )
  return {
    isKept: (traceId) => isChosen(traceId, oneIn),
    record(span) {
      if (queue.length >= queueMax) counts.dropped += 1
      else queue.push(span)
    },
    counts: () => counts,
    async close() {
      await schedule.stop()
      const endMs = performance.now() + CLOSE_MS_MAX
      await sendAll(() => performance.now() > endMs, CLOSE_MS_MAX).catch(() => {})
      counts.dropped += queue.length
      queue = []
    },
  }
}

/** `refused`: the collector will never take this batch. `later`: it may. */
function judge(result: OutboundResult): 'taken' | 'refused' | 'later' {
  if (result.kind === 'failed') return 'later'
  if (result.status >= 200 && result.status < 300) return 'taken'
  return result.status >= 400 && result.status < 500 && result.status !== 429 ? 'refused' : 'later'
}

// ── OTLP in JSON ──

const KINDS: Readonly<Record<Span['kind'], number>> = { internal: 1, server: 2, client: 3 }
const ERROR_STATUS = { code: 2 }

function requestOf(resource: object, spans: readonly Span[]) {
  const originMs = performance.timeOrigin
  return {
    resourceSpans: [{ resource, scopeSpans: [{ scope: { name: 'warung' }, spans: spans.map(spanOf) }] }],
  }

  function spanOf(span: Span) {
    return {
      traceId: span.traceId,
      spanId: span.spanId,
      ...(span.parentId !== undefined && { parentSpanId: span.parentId }),
      name: span.name,
      kind: KINDS[span.kind],
      startTimeUnixNano: nanosecondsOf(originMs + span.startMs),
      endTimeUnixNano: nanosecondsOf(originMs + span.endMs),
      attributes: attributesOf(span.attributes),
      ...(span.isError && { status: ERROR_STATUS }),
    }
  }
}

function nanosecondsOf(ms: number): string {
  return String(BigInt(Math.round(ms * 1_000)) * 1_000n)
}

function attributesOf(attributes: Readonly<Record<string, string | number | undefined>>) {
  return Object.entries(attributes).flatMap(([key, value]) => {
    if (value === undefined) return []
    return [{ key, value: typeof value === 'number' ? { intValue: String(value) } : { stringValue: value } }]
  })
}

function resourceOf(environment: Environment) {
  return {
    attributes: attributesOf({
      'service.name': 'warung',
      'service.version': VERSION,
      'service.instance.id': `${hostname()}:${process.pid}`,
      'deployment.environment.name': environment,
    }),
  }
}
