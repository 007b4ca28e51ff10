import { AggregatorRegistry } from 'prom-client'
import type { Exemplar } from './histogram.ts'

// Texts in which metrics are served, and the sum over several processes. The library has both, but loses exemplars in
// the sum, and serves a registry in one form only.

/** One metric as the registry gives it, and as it travels between processes. */
export type MetricFigures = {
  readonly name: string
  readonly help: string
  readonly type: string
  readonly aggregator: string
  readonly values: readonly Figure[]
}

type Figure = {
  readonly value: number
  readonly labels: Readonly<Record<string, string | number>>
  readonly metricName?: string
  readonly exemplar?: Exemplar | null
}

export const TEXT_TYPE = 'text/plain; version=0.0.4; charset=utf-8'
export const OPEN_METRICS_TYPE = 'application/openmetrics-text; version=1.0.0; charset=utf-8'

/** Tells whether the reader asks for OpenMetrics, the form that has exemplars. */
export function wantsOpenMetrics(accept: string | undefined): boolean {
  return /application\/openmetrics-text/i.test(accept ?? '')
}

/** Writes Prometheus' own text. It has no exemplars. */
export function renderText(metrics: readonly MetricFigures[]): string {
  return metrics
    .map(({ name, help, type, values }) =>
      [
        `# HELP ${name} ${escapeHelp(help)}`,
        `# TYPE ${name} ${type}`,
        ...values.map((figure) => sampleOf(figure.metricName ?? name, figure)),
      ].join('\n'),
    )
    .join('\n')
    .concat('\n')
}

const TOTAL = '_total'

/** Writes OpenMetrics. There the family of a counter has no suffix, and its samples have one. */
export function renderOpenMetrics(metrics: readonly MetricFigures[]): string {
  return metrics
    .map(({ name, help, type, values }) => {
      const isCounter = type === 'counter'
      const family = isCounter && name.endsWith(TOTAL) ? name.slice(0, -TOTAL.length) : name
      const sampleName = isCounter ? `${family}${TOTAL}` : name
      return [
        `# HELP ${family} ${escapeHelp(help).replaceAll('"', '\\"')}`,
        `# TYPE ${family} ${type}`,
        ...values.map((figure) => {
          const line = sampleOf(figure.metricName ?? sampleName, withFloatBound(figure))
          return figure.exemplar ? `${line} # ${exemplarOf(figure.exemplar)}` : line
        }),
      ].join('\n')
    })
    .join('\n')
    .concat('\n# EOF\n')
}

function sampleOf(name: string, { labels, value }: Figure): string {
  const list = labelsOf(labels)
  return `${name}${list === '' ? '' : `{${list}}`} ${numberOf(value)}`
}

function exemplarOf({ labelSet, value, timestamp }: Exemplar): string {
  return `{${labelsOf(labelSet)}} ${numberOf(value)} ${timestamp}`
}

function labelsOf(labels: Figure['labels']): string {
  return Object.entries(labels)
    .map(([name, value]) => `${name}="${escapeLabel(String(value))}"`)
    .join(',')
}

/** Writes the bound of a bucket as OpenMetrics has it: 1 is "1.0". */
function withFloatBound(figure: Figure): Figure {
  const { le } = figure.labels
  if (typeof le !== 'number' || !Number.isInteger(le)) return figure
  return { ...figure, labels: { ...figure.labels, le: `${le}.0` } }
}

function numberOf(value: number): string {
  if (Number.isFinite(value)) return String(value)
  return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf'
}

function escapeHelp(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')
}

function escapeLabel(text: string): string {
  return escapeHelp(text).replaceAll('"', '\\"')
}

/** Puts the figures of one name together: Prometheus takes each name once. */
export function joinFigures(lists: readonly (readonly MetricFigures[])[]): MetricFigures[] {
  const joined = new Map<string, MetricFigures>()
  for (const metric of lists.flat()) {
    const before = joined.get(metric.name)
    joined.set(
      metric.name,
      before === undefined ? metric : { ...before, values: [...before.values, ...metric.values] },
    )
  }
  return [...joined.values()]
}

/** Adds up the metrics of several processes. Of the exemplars of one bucket the newest stays. */
export async function sumMetrics(processes: readonly (readonly MetricFigures[])[]): Promise<MetricFigures[]> {
  const registry = AggregatorRegistry.aggregate(processes as never)
  const sums = (await registry.getMetricsAsJSON()) as unknown as MetricFigures[]
  const newest = newestExemplars(processes.flat())
  return sums.map((metric) => ({
    ...metric,
    values: metric.values.map((figure) => {
      const exemplar = newest.get(keyOf(figure))
      return exemplar === undefined ? figure : { ...figure, exemplar }
    }),
  }))
}

function newestExemplars(metrics: readonly MetricFigures[]): ReadonlyMap<string, Exemplar> {
  const newest = new Map<string, Exemplar>()
  for (const { values } of metrics) {
    for (const figure of values) {
      if (!figure.exemplar) continue
      const key = keyOf(figure)
      const known = newest.get(key)
      if (known === undefined || known.timestamp < figure.exemplar.timestamp) newest.set(key, figure.exemplar)
    }
  }
  return newest
}

function keyOf({ metricName = '', labels }: Figure): string {
  const list = Object.entries(labels).map(([name, value]) => `${name}=${value}`)
  return `${metricName}{${list.sort().join(',')}}`
}
