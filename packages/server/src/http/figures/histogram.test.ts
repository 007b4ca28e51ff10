import { expect, it } from 'vitest'
import { createHistogram } from './histogram.ts'

function histogram() {
  return createHistogram({
    name: 'time_seconds',
    help: 'Time',
    buckets: [0.1, 1],
    exemplarLabel: 'request_id',
  })
}

it('buckets count everything up to their bound, the last one everything', async () => {
  const made = histogram()
  const series = made.series({ route: '/v2/topup' })
  for (const value of [0.05, 0.1, 0.5, 1, 7]) series.observe(value)
  const { values } = await made.get()
  const figures = values.map(({ metricName, labels, value }) => [metricName, labels.le, value])
  expect(figures).toEqual([
    ['time_seconds_bucket', 0.1, 2],
    ['time_seconds_bucket', 1, 4],
    ['time_seconds_bucket', '+Inf', 5],
    ['time_seconds_sum', undefined, 8.65],
    ['time_seconds_count', undefined, 5],
  ])
})

it('a bucket has the latest request that fell into it as its exemplar, and no other bucket has it', async () => {
  const made = histogram()
  const series = made.series({ route: '/v2/topup' })
  series.observe(0.5, 'first')
  series.observe(0.6, 'second')
  series.observe(0.7)
  const { values } = await made.get()
  const exemplars = values.map(({ exemplar }) => exemplar?.labelSet)
  expect(exemplars).toEqual([undefined, { request_id: 'second' }, undefined, undefined, undefined])
  expect(values[1]?.exemplar?.value).toBe(0.6)
  expect(Math.abs((values[1]?.exemplar?.timestamp ?? 0) - Date.now() / 1_000)).toBeLessThan(60)
})
