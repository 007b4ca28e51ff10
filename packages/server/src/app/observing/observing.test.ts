import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { TracesConfig } from '../../config/traces.ts'
import { renderOpenMetrics } from '../../http/figures/exposition.ts'
import { createMetrics, sourceOf } from '../../http/metrics.ts'
import { traceOfPayment, traceOfRequest } from '../../lib/observing/traces.ts'
import { createOutbound } from '../../outbound/client.ts'
import type { Receiver } from '../../testing/events/delivering.ts'
import { openReceiver } from '../../testing/events/delivering.ts'
import { LOOPBACK } from '../../testing/providers/http-connection.ts'
import type { Observing } from './observing.ts'
import { openObserving } from './observing.ts'

type Attribute = { key: string; value: { stringValue?: string; intValue?: string } }
type SentSpan = {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: Attribute[]
  status?: { code: number }
}

const RESELLER_ID = 7n
const PAYMENT_ID = 1_889_000_000_000_000_123n

let collector: Receiver
let metrics: ReturnType<typeof createMetrics>
let observing: Observing | undefined

beforeEach(async () => {
  collector = await openReceiver()
})
afterEach(async () => {
  await observing?.close()
  observing = undefined
  await collector.close()
})

function open(traces: Partial<TracesConfig> | undefined): Observing {
  metrics = createMetrics()
  observing = openObserving({
    config: {
      traces: traces && { url: collector.url, oneIn: 1, toSuppliers: false, ...traces },
      environment: 'staging',
      outbound: { allow: [], nameServers: undefined, authority: undefined },
    },
    metrics,
    nowMs: () => Date.now(),
    onProblem: (text) => {
      throw new Error(text)
    },
  })
  return observing
}

const figures = async () => renderOpenMetrics(await sourceOf(metrics.registry).read())

/** Spans that the collector has after the observer was closed. */
async function sentSpans(): Promise<SentSpan[]> {
  await observing?.close()
  return collector.received.flatMap(({ body }) =>
    JSON.parse(body).resourceSpans.flatMap((each: { scopeSpans: { spans: SentSpan[] }[] }) =>
      each.scopeSpans.flatMap(({ spans }) => spans),
    ),
  )
}

const attributeOf = ({ attributes }: SentSpan, key: string) => {
  const found = attributes.find((each) => each.key === key)?.value
  return found?.stringValue ?? found?.intValue
}

function deliveryOf(code: 1 | 20, at: Date) {
  const key = { resellerId: RESELLER_ID, eventId: 'evt_7_1' }
  return {
    resellerId: RESELLER_ID,
    stream: 'callback' as const,
    id: randomUUID(),
    ref: { ...key, source: 'moved' as const, at, paymentId: PAYMENT_ID, code, balance: null },
    attemptsMade: 0,
    isReplay: false,
    workAt: '',
    advancedMs: 0n,
  }
}

/** Does what a payment does on its way, from the request to the callback. */
function live({ watch, onAttempted, alsoTracing }: Observing, requestId: string): void {
  const startedMs = performance.now() - 20
  const names = { resellerId: RESELLER_ID, paymentId: PAYMENT_ID, refid: 'A-1', requestId }
  watch.end('taken', 'created', startedMs, names)
  alsoTracing(() => {})(
    {
      request_id: requestId,
      method: 'POST',
      route: '/v2/topup',
      status: 200,
      duration_ms: 20,
      address: '203.0.113.7',
      reseller: '1001',
      refid: 'A-1',
      payment_id: String(PAYMENT_ID),
    },
    undefined,
  )
  watch.end('sent', 'sent', startedMs, names)
  watch.end('answered', 'succeeded', startedMs, names, { provider: 'acme', attempt: 1, reference: 'W1-1' })
  watch.end('resolved', 'succeeded', startedMs, { resellerId: RESELLER_ID, paymentId: PAYMENT_ID })
  const at = new Date(Date.now() - 500)
  onAttempted({ delivery: deliveryOf(20, at), outcome: 'success', status: 200, startedMs })
}

describe('traces', () => {
  it('a payment is one trace, from the request to the provider and the callback', async () => {
    const requestId = randomUUID()
    live(open({}), requestId)
    const spans = await sentSpans()
    const { traceId, spanId } = traceOfPayment(PAYMENT_ID)
    expect(new Set(spans.map((span) => span.traceId))).toEqual(new Set([traceId]))
    const parents = Object.fromEntries(spans.map(({ name, parentSpanId }) => [name, parentSpanId]))
    expect(parents).toEqual({
      payment: undefined,
      'POST /v2/topup': spanId,
      commit: traceOfRequest(requestId).spanId,
      'wait for the provider': spanId,
      'provider acme': spanId,
      callback: spanId,
    })
    expect(new Set(spans.map((span) => span.spanId)).size).toBe(spans.length)
    expect(spans.find(({ name }) => name === 'payment')?.spanId).toBe(spanId)
    for (const span of spans) {
      expect(span).toMatchObject({
        traceId: expect.stringMatching(/^[0-9a-f]{32}$/),
        spanId: expect.stringMatching(/^[0-9a-f]{16}$/),
      })
      expect(BigInt(span.endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(span.startTimeUnixNano))
      expect(Math.abs(Number(BigInt(span.endTimeUnixNano) / 1_000_000n) - Date.now())).toBeLessThan(60_000)
    }
    const request = spans.find(({ name }) => name === 'POST /v2/topup') as SentSpan
    expect([attributeOf(request, 'warung.request_id'), attributeOf(request, 'warung.refid')]).toEqual([
      requestId,
      'A-1',
    ])
    expect(await figures()).toContain(`warung_trace_spans_total{result="exported"} ${spans.length}`)
  })

  it('processes that know only the payment name the same trace as the one that took it', () => {
    expect(traceOfPayment(PAYMENT_ID)).toEqual(traceOfPayment(BigInt(String(PAYMENT_ID))))
    expect(traceOfPayment(PAYMENT_ID)).not.toEqual(traceOfPayment(PAYMENT_ID + 1n))
  })

  it('a request without a payment is a trace of its own, named by its id', async () => {
    const requestId = randomUUID()
    const take = open({}).alsoTracing(() => {})
    const line = { request_id: requestId, method: 'GET', route: '/v2/balance', status: 503, duration_ms: 3 }
    take({ ...line, error: 'saturated' }, undefined)
    const [span] = await sentSpans()
    expect(span).toMatchObject({ traceId: requestId.replaceAll('-', ''), status: { code: 2 } })
    expect(span?.parentSpanId).toBeUndefined()
  })

  it('a trace is kept whole or not at all, and about one in N is kept', async () => {
    const { watch } = open({ oneIn: 4 })
    for (let number = 0n; number < 400n; number += 1n) {
      const names = { paymentId: PAYMENT_ID + number }
      watch.end('answered', 'succeeded', performance.now(), names)
      watch.end('resolved', 'succeeded', performance.now(), names)
    }
    const spans = await sentSpans()
    const traces = new Set(spans.map(({ traceId }) => traceId))
    expect(spans).toHaveLength(2 * traces.size)
    expect(traces.size).toBeGreaterThan(50)
    expect(traces.size).toBeLessThan(150)
  })

  it('without a collector nothing is sent, and the stages are still measured', async () => {
    const requestId = randomUUID()
    const quiet = open(undefined)
    live(quiet, requestId)
    expect(quiet.watch.within).toBeUndefined()
    expect(await sentSpans()).toEqual([])
    expect(await figures()).toMatch(
      /^warung_payment_stage_seconds_count\{stage="answered",outcome="succeeded"\} 1$/m,
    )
  })

  it('a supplier is told the trace of its order only where that is configured', async () => {
    const supplier = await openReceiver()
    const outbound = createOutbound({ allow: LOOPBACK })
    const names = { resellerId: RESELLER_ID, paymentId: PAYMENT_ID }
    const order = (client: typeof outbound) =>
      client.send({
        method: 'POST',
        url: supplier.url,
        headers: { 'x-own': '1' },
        body: '{}',
        answerBytesMax: 1_000,
        connectionsMax: 1,
        signal: AbortSignal.timeout(30_000),
      })
    try {
      const told = open({ toSuppliers: true })
      const client = told.carry(outbound)
      await told.watch.within?.(names, () => order(client))
      told.watch.end('answered', 'succeeded', performance.now(), names, { provider: 'acme' })
      await order(client)
      const [span] = await sentSpans()
      const { traceId } = traceOfPayment(PAYMENT_ID)
      expect(supplier.received.map(({ headers }) => headers.traceparent)).toEqual([
        `00-${traceId}-${span?.spanId}-01`,
        undefined,
      ])
      expect(supplier.received[0]?.headers['x-own']).toBe('1')
      expect(open({ toSuppliers: false }).carry(outbound)).toBe(outbound)
    } finally {
      await outbound.close()
      await supplier.close()
    }
  })
})

describe('the stages of a payment', () => {
  it('each has a histogram by outcome, whose exemplar is the request', async () => {
    const requestId = randomUUID()
    live(open(undefined), requestId)
    const text = await figures()
    const stages = [
      ...text.matchAll(/^warung_payment_stage_seconds_count\{stage="(\w+)",outcome="(\w+)"\} 1$/gm),
    ]
    expect(stages.map(([, stage, outcome]) => [stage, outcome])).toEqual([
      ['taken', 'created'],
      ['sent', 'sent'],
      ['answered', 'succeeded'],
      ['resolved', 'succeeded'],
      ['called_back', 'success'],
    ])
    expect(text).toMatch(
      new RegExp(`stage="answered",outcome="succeeded"\\} 1 # \\{request_id="${requestId}"\\} 0\\.\\d+ `),
    )
  })

  it('a callback counts from the end of its payment, once, and not for a state that is no end', async () => {
    const { onAttempted } = open(undefined)
    const at = new Date(Date.now() - 2_000)
    const attempt = { status: 200, startedMs: performance.now() }
    onAttempted({ ...attempt, delivery: deliveryOf(1, at), outcome: 'success' })
    onAttempted({ ...attempt, delivery: deliveryOf(20, at), outcome: 'retry' })
    onAttempted({ ...attempt, delivery: { ...deliveryOf(20, at), isReplay: true }, outcome: 'success' })
    onAttempted({ ...attempt, delivery: deliveryOf(20, at), outcome: 'success' })
    const text = await figures()
    expect(text).toContain('warung_payment_stage_seconds_count{stage="called_back",outcome="success"} 1')
    expect(text).toMatch(/warung_payment_stage_seconds_sum\{stage="called_back",outcome="success"\} 2/)
  })
})
