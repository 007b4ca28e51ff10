import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Metric } from 'prom-client'
import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import type { MetricFigures } from './figures/exposition.ts'
import {
  OPEN_METRICS_TYPE,
  renderOpenMetrics,
  renderText,
  TEXT_TYPE,
  wantsOpenMetrics,
} from './figures/exposition.ts'
import type { Histogram, Series } from './figures/histogram.ts'
import { createHistogram } from './figures/histogram.ts'
import { createBudget, HEALTH_BUDGET } from './intake/budget.ts'
import type { Connections } from './intake/connections.ts'
import { NO_SNIFFING } from './respond.ts'

export type EdgeMetrics = {
  readonly registry: Registry
  /** Counts an answered request. `requestId` is the exemplar of its bucket. */
  observe(method: string, route: string, status: number, seconds: number, requestId?: string): void
  /** Registers a histogram with exemplars. */
  histogram(settings: Parameters<typeof createHistogram>[0]): Histogram
  /**
   * Registers a figure that is read on request: queue lengths, ages, counts. Several processes on one port show the
   * sum, or the maximum where every process reports the same shared figure.
   */
  gauge(name: string, help: string, read: () => number, overProcesses?: 'sum' | 'max'): void
}

/** `ofProcess`: the figures of the process itself are among them. */
export function createMetrics({ ofProcess = true } = {}): EdgeMetrics {
  const registry = new Registry()
  if (ofProcess) collectDefaultMetrics({ register: registry })
  const requests = new Counter({
    name: 'warung_http_requests_total',
    help: 'Requests answered',
    labelNames: ['method', 'route', 'status'],
    registers: [registry],
  })
  const histogram: EdgeMetrics['histogram'] = (settings) => {
    const made = createHistogram(settings)
    registry.registerMetric(made as unknown as Metric)
    return made
  }
  const durations = histogram({
    name: 'warung_http_request_duration_seconds',
    help: 'Time from the first byte of a request to the last of its answer',
    buckets: DURATION_BUCKETS,
    exemplarLabel: 'request_id',
  })
  // Each set of labels is resolved once and not at every request: the lookup costs more than counting.
  const counted = new Map<string, { inc(): void }>()
  const timed = new Map<string, Map<OutcomeClass, Series>>()
  const seriesOf = (route: string, outcome: OutcomeClass): Series => {
    const ofRoute = timed.get(route) ?? new Map<OutcomeClass, Series>()
    timed.set(route, ofRoute)
    const made = durations.series({ route, outcome })
    ofRoute.set(outcome, made)
    return made
  }
  return {
    registry,
    histogram,
    observe(method, route, status, seconds, requestId) {
      const key = `${status} ${method} ${route}`
      let counter = counted.get(key)
      if (counter === undefined) {
        counter = requests.labels({ method, route, status })
        counted.set(key, counter)
      }
      counter.inc()
      const outcome = classOf(status)
      const series = timed.get(route)?.get(outcome) ?? seriesOf(route, outcome)
      series.observe(seconds, requestId)
    },
    gauge(name, help, read, overProcesses = 'sum') {
      new Gauge({
        name,
        help,
        aggregator: overProcesses,
        registers: [registry],
        collect() {
          this.set(read())
        },
      })
    },
  }
}

/** Bounds of the buckets of all times, in seconds. */
export const DURATION_BUCKETS: readonly number[] = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30,
]

/** Class of an answer: done, refused for the caller's own reason, failed for ours, or not awaited any more. */
type OutcomeClass = 'ok' | 'refused' | 'failed' | 'hung_up'

/** Status for the log alone: a caller that hung up received no status. nginx made this number known. */
export const HUNG_UP_STATUS = 499

function classOf(status: number): OutcomeClass {
  if (status < 400) return 'ok'
  if (status === HUNG_UP_STATUS) return 'hung_up'
  return status < 500 ? 'refused' : 'failed'
}

export function watchConnections({ gauge }: EdgeMetrics, { figures }: Pick<Connections, 'figures'>): void {
  gauge('warung_connections_open', 'Connections that are open', () => figures().open)
  gauge(
    'warung_connections_refused',
    'Connections refused since the start because their address had too many in use',
    () => figures().refused,
  )
  gauge(
    'warung_connections_evicted',
    'Idle connections closed since the start to make room for others',
    () => figures().evicted,
  )
  gauge(
    'warung_connections_stalled',
    'Connections reset since the start because their reader took nothing of an answer',
    () => figures().stalled,
  )
}

/** Source of the figures: one process's registry, or the sum over several. */
export type MetricsSource = { read(): Promise<readonly MetricFigures[]> }

/** Reads one process's own registry. */
export function sourceOf(registry: Registry): MetricsSource {
  return { read: async () => (await registry.getMetricsAsJSON()) as unknown as MetricFigures[] }
}

export type MetricsServer = { url: string; close(): Promise<void> }

/** Answer to bytes that are no HTTP. Node's own lacks the header that every other answer has. */
const NOT_HTTP = `HTTP/1.1 400 Bad Request\r\n${NO_SNIFFING.name}: ${NO_SNIFFING.value}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`
const CONNECTIONS_MAX = 256
const IDLE_MS = 60_000

/** Serves Prometheus at a separate address, so that the figures are never public by accident. */
export async function serveMetrics(
  source: MetricsSource,
  /** `mayMove`: the system chooses another port when this one is taken. */
  address: { host: string; port: number; mayMove?: boolean },
): Promise<MetricsServer> {
  const budget = createBudget({ ...HEALTH_BUDGET, exempt: [] })
  const server = createServer((request, response) => {
    response.setHeader(NO_SNIFFING.name, NO_SNIFFING.value)
    if (!budget.spend(request.socket.remoteAddress ?? '')) {
      response.writeHead(429, { 'Retry-After': 1 }).end()
      return
    }
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    if (!isRead || request.url !== '/metrics') {
      response.writeHead(404).end()
      return
    }
    const isOpen = wantsOpenMetrics(request.headers.accept)
    const render = isOpen ? renderOpenMetrics : renderText
    source
      .read()
      .then(render)
      .then(
        (text) =>
          response.writeHead(200, { 'Content-Type': isOpen ? OPEN_METRICS_TYPE : TEXT_TYPE }).end(text),
        () => response.writeHead(500).end(),
      )
  })
  server.on('clientError', (_, socket) => {
    if (socket.writable) socket.end(NOT_HTTP)
    else socket.destroy()
  })
  server.maxConnections = CONNECTIONS_MAX
  // The timeout also ends a connection whose reader takes nothing.
  server.timeout = IDLE_MS
  const listen = (port: number) =>
    new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(port, address.host, () => {
        server.off('error', reject)
        resolve()
      })
    })
  try {
    await listen(address.port)
  } catch (error) {
    const taken = (error as NodeJS.ErrnoException).code === 'EADDRINUSE'
    if (!taken || address.mayMove !== true) throw error
    await listen(0)
  }
  const { port } = server.address() as AddressInfo
  return {
    url: `http://${address.host.includes(':') ? `[${address.host}]` : address.host}:${port}/metrics`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
