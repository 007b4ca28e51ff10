import { AsyncLocalStorage } from 'node:async_hooks'
import { Counter } from 'prom-client'
import type { Config } from '../../config.ts'
import type { Series } from '../../http/figures/histogram.ts'
import type { EdgeMetrics } from '../../http/metrics.ts'
import { DURATION_BUCKETS } from '../../http/metrics.ts'
import type { RequestLine } from '../../http/request-log.ts'
import { parseNetwork } from '../../lib/addresses.ts'
import type { RequestError } from '../../lib/errors.ts'
import type { OnProblem, PaymentNames, Stage, StageWatch } from '../../lib/observing/payment-stages.ts'
import { STAGES } from '../../lib/observing/payment-stages.ts'
import type { Tracer } from '../../lib/observing/traces.ts'
import { newSpanId, traceOfPayment, traceparentOf } from '../../lib/observing/traces.ts'
import type { OnAttempted } from '../../modules/events/deliveries/sender.service.ts'
import { isFinal } from '../../modules/payments/core/states.rules.ts'
import { createOutbound } from '../../outbound/client.ts'
import { namesOfTraces } from '../../outbound/purposes.ts'
import type { Outbound } from '../../outbound/types.ts'
import type { TraceExporter } from './trace-exporter.ts'
import { openTraceExporter } from './trace-exporter.ts'
import { createTracing } from './tracing.ts'

/** Observer of requests, payments and deliveries: histograms always, traces when they are configured. */
export type Observing = {
  readonly watch: StageWatch
  readonly onAttempted: OnAttempted
  /** Adds traces to what is done with the line of an answered request. Without traces it stays as it is. */
  alsoTracing(take: TakeLine): TakeLine
  /** Wraps the client of suppliers, so that its requests carry the trace if that is configured. */
  carry(outbound: Outbound): Outbound
  close(): Promise<void>
}

const NO_DETAIL = {}

/** Takes the line of an answered request. */
export type TakeLine = (line: RequestLine, error: RequestError | undefined) => void

export function openObserving(settings: {
  readonly config: Pick<Config, 'traces' | 'environment' | 'outbound'>
  readonly metrics: EdgeMetrics
  /** The database's clock. */
  readonly nowMs: () => number
  readonly onProblem: OnProblem
}): Observing {
  const { metrics, nowMs } = settings
  const traces = openTraces(settings)
  watchTraces(metrics, traces?.exporter)
  const observe = createStageHistogram(metrics)
  const tracing = traces && createTracing(traces.exporter)
  const carrying = traces?.toSuppliers === true ? createCarrying(traces.exporter) : undefined
  return {
    watch: {
      end(stage, outcome, startMs, names, detail = NO_DETAIL) {
        const endMs = performance.now()
        observe(stage, outcome, (endMs - startMs) / 1_000, names)
        const spanId = carrying?.spanIdOf(names)
        tracing?.stage({ stage, outcome, startMs, endMs, names, detail, spanId })
      },
      ...(carrying !== undefined && { within: carrying.within }),
    },
    onAttempted({ delivery, outcome, status, startedMs }) {
      const { ref, isReplay, resellerId, attemptsMade } = delivery
      if (ref.source !== 'moved' || delivery.stream !== 'callback') return
      const endMs = performance.now()
      const names = { resellerId, paymentId: ref.paymentId }
      if (outcome === 'success' && !isReplay && isFinal(ref.code)) {
        observe('called_back', outcome, Math.max(0, nowMs() - ref.at.getTime()) / 1_000, names)
      }
      tracing?.stage({
        stage: 'called_back',
        outcome,
        startMs: startedMs,
        endMs,
        names,
        detail: { status, attempt: attemptsMade + 1 },
      })
    },
    alsoTracing(take) {
      if (tracing === undefined) return take
      return (line, error) => {
        take(line, error)
        tracing.request(line)
      }
    },
    carry: (outbound) => carrying?.carry(outbound) ?? outbound,
    async close() {
      await traces?.exporter.close()
      await traces?.outbound.close()
    },
  }
}

// ── Histogram of stages ──

type Observe = (stage: Stage, outcome: string, seconds: number, names: PaymentNames) => void

function createStageHistogram(metrics: EdgeMetrics): Observe {
  const histogram = metrics.histogram({
    name: 'warung_payment_stage_seconds',
    help: 'Time of each stage of a payment: taken, sent, answered, resolved, called_back',
    buckets: [...DURATION_BUCKETS, 60, 300, 3_600],
    exemplarLabel: 'request_id',
  })
  const series: Readonly<Record<string, Map<string, Series>>> = Object.fromEntries(
    STAGES.map((stage) => [stage, new Map<string, Series>()]),
  )
  return (stage, outcome, seconds, { requestId }) => {
    const ofStage = series[stage] as Map<string, Series>
    let one = ofStage.get(outcome)
    if (one === undefined) {
      one = histogram.series({ stage, outcome })
      ofStage.set(outcome, one)
    }
    one.observe(seconds, requestId)
  }
}

function watchTraces({ registry }: EdgeMetrics, exporter: TraceExporter | undefined): void {
  new Counter({
    name: 'warung_trace_spans_total',
    help: 'Spans of traces by what became of them; all are zero while traces are off',
    labelNames: ['result'],
    registers: [registry],
    collect() {
      this.reset()
      const { exported, dropped } = exporter?.counts() ?? { exported: 0, dropped: 0 }
      this.inc({ result: 'exported' }, exported)
      this.inc({ result: 'dropped' }, dropped)
    },
  })
}

// ── Traces ──

/** Every address. The operator names the collector, which usually has a private one. */
const ANY_ADDRESS = ['0.0.0.0/0', '::/0'].map(parseNetwork).filter((each) => each !== undefined)

function openTraces({ config, onProblem }: Parameters<typeof openObserving>[0]) {
  const { traces, environment, outbound: client } = config
  if (traces === undefined) return undefined
  const outbound = createOutbound({
    allow: ANY_ADDRESS,
    ca: client.authority?.pem,
    names: namesOfTraces(client.nameServers),
  })
  const exporter = openTraceExporter({ ...traces, environment, outbound, onProblem })
  return { outbound, exporter, toSuppliers: traces.toSuppliers }
}

// ── Header for suppliers ──

/** Gives the requests of a call to a supplier the header `traceparent`, however deep in a connector they are made. */
function createCarrying(tracer: Tracer) {
  const calls = new AsyncLocalStorage<string>()
  const spanIds = new WeakMap<PaymentNames, string>()
  const within: NonNullable<StageWatch['within']> = (names, call) => {
    if (names.paymentId === undefined) return call()
    const { traceId } = traceOfPayment(names.paymentId)
    const spanId = newSpanId()
    spanIds.set(names, spanId)
    return calls.run(traceparentOf({ traceId, spanId }, tracer.isKept(traceId)), call)
  }
  return {
    within,
    /** Id of the span of the call that just ended, as it was sent to the supplier; undefined: none was sent. */
    spanIdOf(names: PaymentNames): string | undefined {
      const spanId = spanIds.get(names)
      spanIds.delete(names)
      return spanId
    },
    carry: (outbound: Outbound): Outbound => ({
      ...outbound,
      send(request) {
        const traceparent = calls.getStore()
        if (traceparent === undefined) return outbound.send(request)
        return outbound.send({ ...request, headers: { ...request.headers, traceparent } })
      },
    }),
  }
}
