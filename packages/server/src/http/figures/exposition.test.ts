import { Counter, Gauge, Registry } from 'prom-client'
import { expect, it } from 'vitest'
import { sourceOf } from '../metrics.ts'
import type { MetricFigures } from './exposition.ts'
import { renderOpenMetrics, renderText, sumMetrics, wantsOpenMetrics } from './exposition.ts'
import { createHistogram } from './histogram.ts'

/** Metrics of one process that has answered one request in so many seconds. */
function figuresOf(requestId: string, seconds: number): Promise<readonly MetricFigures[]> {
  const registry = new Registry()
  new Counter({ name: 'asked_total', help: 'Asked', labelNames: ['who'], registers: [registry] }).inc({
    who: 'a "b"\n\\',
  })
  new Gauge({ name: 'age', help: 'Age', aggregator: 'max', registers: [registry] }).set(seconds)
  const histogram = createHistogram({
    name: 'time_seconds',
    help: 'Time',
    buckets: [1, 2],
    exemplarLabel: 'request_id',
  })
  registry.registerMetric(histogram as never)
  histogram.series({ route: '/a' }).observe(seconds, requestId)
  return sourceOf(registry).read()
}

it('the plain text has every sample and no exemplar', async () => {
  expect(renderText(await figuresOf('r1', 1.5))).toBe(
    [
      '# HELP asked_total Asked',
      '# TYPE asked_total counter',
      'asked_total{who="a \\"b\\"\\n\\\\"} 1',
      '# HELP age Age',
      '# TYPE age gauge',
      'age 1.5',
      '# HELP time_seconds Time',
      '# TYPE time_seconds histogram',
      'time_seconds_bucket{le="1",route="/a"} 0',
      'time_seconds_bucket{le="2",route="/a"} 1',
      'time_seconds_bucket{le="+Inf",route="/a"} 1',
      'time_seconds_sum{route="/a"} 1.5',
      'time_seconds_count{route="/a"} 1',
      '',
    ].join('\n'),
  )
})

it('OpenMetrics names the family of a counter without its suffix, and shows exemplars', async () => {
  const lines = renderOpenMetrics(await figuresOf('r1', 1.5)).split('\n')
  expect(lines.slice(0, 3)).toEqual([
    '# HELP asked Asked',
    '# TYPE asked counter',
    'asked_total{who="a \\"b\\"\\n\\\\"} 1',
  ])
  expect(lines.find((line) => line.includes('le="2.0"'))).toMatch(
    /^time_seconds_bucket\{le="2\.0",route="\/a"\} 1 # \{request_id="r1"\} 1\.5 \d+(\.\d+)?$/,
  )
  expect(lines.slice(-2)).toEqual(['# EOF', ''])
})

it('rendering in one form changes nothing in the other', async () => {
  const figures = await figuresOf('r1', 1.5)
  const before = renderText(figures)
  renderOpenMetrics(figures)
  expect(renderText(figures)).toBe(before)
})

it('processes are added up, and the newest exemplar of each bucket survives', async () => {
  const first = await figuresOf('old', 1.5)
  const second = await figuresOf('slow', 30)
  const third = await figuresOf('new', 1.2)
  const later = third.map((metric) => ({
    ...metric,
    values: metric.values.map((figure) =>
      figure.exemplar
        ? { ...figure, exemplar: { ...figure.exemplar, timestamp: figure.exemplar.timestamp + 5 } }
        : figure,
    ),
  }))
  const text = renderOpenMetrics(await sumMetrics([later, second, first]))
  expect(text).toContain('asked_total{who="a \\"b\\"\\n\\\\"} 3')
  expect(text).toContain('\nage 30\n')
  expect(text).toMatch(/time_seconds_bucket\{le="2\.0",route="\/a"\} 2 # \{request_id="new"\} 1\.2 /)
  expect(text).toMatch(/time_seconds_bucket\{le="\+Inf",route="\/a"\} 3 # \{request_id="slow"\} 30 /)
  expect(text).not.toContain('"old"')
})

it('only a reader that names OpenMetrics gets it', () => {
  expect(wantsOpenMetrics('application/openmetrics-text;version=1.0.0;q=0.5,text/plain;q=0.3')).toBe(true)
  expect(wantsOpenMetrics('text/plain;version=0.0.4')).toBe(false)
  expect(wantsOpenMetrics(undefined)).toBe(false)
})
