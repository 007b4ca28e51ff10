import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Span } from '../../lib/observing/traces.ts'
import { newSpanId, traceOfPayment } from '../../lib/observing/traces.ts'
import { createOutbound } from '../../outbound/client.ts'
import type { Outbound } from '../../outbound/types.ts'
import type { Receiver } from '../../testing/events/delivering.ts'
import { openReceiver } from '../../testing/events/delivering.ts'
import { LOOPBACK } from '../../testing/providers/http-connection.ts'
import type { TraceExporter } from './trace-exporter.ts'
import { openTraceExporter } from './trace-exporter.ts'

const NEVER_MS = 3_600_000

let collector: Receiver
let outbound: Outbound
let problems: string[]

beforeEach(async () => {
  collector = await openReceiver()
  outbound = createOutbound({ allow: LOOPBACK })
  problems = []
})
afterEach(async () => {
  await outbound.close()
  await collector.close()
})

function open(change: { queueMax?: number } = {}): TraceExporter {
  return openTraceExporter({
    url: collector.url,
    oneIn: 1,
    environment: 'production',
    outbound,
    onProblem: (text) => void problems.push(text),
    sendEveryMs: NEVER_MS,
    ...change,
  })
}

function span(): Span {
  const { traceId } = traceOfPayment(1n)
  const times = { startMs: 1, endMs: 2 }
  return {
    traceId,
    spanId: newSpanId(),
    name: 'a',
    kind: 'internal',
    ...times,
    attributes: {},
    isError: false,
  }
}

function record(exporter: TraceExporter, count: number): void {
  for (let number = 0; number < count; number += 1) exporter.record(span())
}

it('spans are sent as OTLP in JSON, in bounded batches, with the name of the service', async () => {
  const exporter = open()
  record(exporter, 1_200)
  await exporter.close()
  const bodies = collector.received.map(({ body }) => JSON.parse(body))
  const sizes = bodies.map(({ resourceSpans: [first] }) => first.scopeSpans[0].spans.length)
  expect(sizes).toEqual([512, 512, 176])
  expect(collector.received[0]?.headers['content-type']).toBe('application/json')
  expect(bodies[0].resourceSpans[0].resource.attributes).toContainEqual({
    key: 'service.name',
    value: { stringValue: 'warung' },
  })
  expect(exporter.counts()).toEqual({ exported: 1_200, dropped: 0 })
})

it('a queue that is full drops spans, counts them, and holds up nobody', async () => {
  const exporter = open({ queueMax: 10 })
  record(exporter, 25)
  expect(exporter.counts()).toEqual({ exported: 0, dropped: 15 })
  await exporter.close()
  expect(exporter.counts()).toEqual({ exported: 10, dropped: 15 })
})

it('a batch that the collector refuses is dropped and counted, and the problem is reported once', async () => {
  collector.answerWith((_, response) => void response.writeHead(400).end())
  const exporter = open()
  record(exporter, 600)
  await exporter.close()
  expect(exporter.counts()).toEqual({ exported: 0, dropped: 600 })
  expect(problems).toHaveLength(1)
})

it('spans that a stopped collector did not take at the end are counted as dropped', async () => {
  collector.answerWith((_, response) => void response.writeHead(503).end())
  const exporter = open()
  record(exporter, 5)
  await exporter.close()
  expect(exporter.counts()).toEqual({ exported: 0, dropped: 5 })
  expect(collector.received).toHaveLength(1)
})
