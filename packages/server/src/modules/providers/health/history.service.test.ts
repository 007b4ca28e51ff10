import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestDatabase } from '../../../testing/database.ts'
import { openTestDatabase } from '../../../testing/database.ts'
import { startOfInterval } from './history.rules.ts'
import { createHealthHistory, readHealthSeries } from './history.service.ts'

let test: TestDatabase
beforeAll(async () => {
  test = await openTestDatabase()
})
afterAll(() => test.close())

const MINUTE = 60_000
const HOUR = 60 * MINUTE
/** Beginning of an interval of the present, because old ones are swept. */
const START = startOfInterval(Date.now(), HOUR)

function openNode(name: string) {
  let now = START
  const history = createHealthHistory(name, () => now)
  return {
    ...history,
    at(ms: number) {
      now = START + ms
    },
    answer(
      provider: string,
      answer: 'succeeded' | 'failed' | 'pending' | 'not_acted' | 'unknown',
      tookMs = 40,
    ) {
      history.count(provider, { answer, tookMs })
    },
  }
}

const read = (provider: string, { hours = 1, nowMs = START + 30 * MINUTE } = {}) =>
  readHealthSeries(test.database, { provider, hours, nowMs })

describe('the history of a provider', () => {
  it('counts the orders of all nodes by their answers, in intervals without gaps', async () => {
    const [one, two] = [openNode('one'), openNode('two')]
    one.answer('acme', 'succeeded', 40)
    one.answer('acme', 'unknown', 9_000)
    two.answer('acme', 'failed', 40)
    one.at(12 * MINUTE)
    one.answer('acme', 'pending')
    one.answer('other', 'not_acted')
    one.count('acme', { answer: 'unsent', tookMs: 1 })
    await one.write(test.database)
    await two.write(test.database)
    const { stepMs, points, total } = await read('acme')
    expect(stepMs).toBe(5 * MINUTE)
    expect(points).toHaveLength(12)
    expect(points.map(({ startMs }) => startMs)).toEqual(
      points.map((_, index) => START - 25 * MINUTE + index * stepMs),
    )
    const first = points.find(({ startMs }) => startMs === START)
    expect(first).toMatchObject({
      attempts: 3,
      counts: { succeeded: 1, failed: 1, pending: 0, not_acted: 0, unknown: 1 },
      p50Ms: 50,
      p95Ms: 10_000,
    })
    expect(points.filter(({ attempts }) => attempts > 0)).toHaveLength(2)
    expect(total).toMatchObject({ attempts: 4, counts: { pending: 1 } })
    expect((await read('nobody')).total).toMatchObject({ attempts: 0, p50Ms: null })
  })

  it('counts nothing twice when it is written again, and loses nothing that comes between two writes', async () => {
    const node = openNode('again')
    node.answer('twice', 'succeeded')
    await node.write(test.database)
    await node.write(test.database)
    node.answer('twice', 'succeeded')
    const writing = node.write(test.database)
    node.answer('twice', 'failed')
    await writing
    expect((await read('twice')).total.counts).toMatchObject({ succeeded: 2, failed: 0 })
    await node.write(test.database)
    expect((await read('twice')).total.counts).toMatchObject({ succeeded: 2, failed: 1 })
  })

  it('keeps what could not be written for the next time, over the end of its interval', async () => {
    const node = openNode('cut off')
    const broken = { query: () => Promise.reject(new Error('the database is away')) }
    node.answer('late', 'succeeded')
    await expect(node.write(broken)).rejects.toThrow('away')
    node.at(5 * MINUTE)
    node.answer('late', 'failed')
    await node.write(test.database)
    const { points } = await read('late')
    expect(points.filter(({ attempts }) => attempts > 0).map(({ counts }) => counts)).toMatchObject([
      { succeeded: 1, failed: 0 },
      { succeeded: 0, failed: 1 },
    ])
  })

  it('is cut into longer points for longer times, with the same orders', async () => {
    const node = openNode('long')
    for (const minute of [0, 7, 14, 21]) {
      node.at(minute * MINUTE)
      node.answer('long', 'succeeded')
    }
    await node.write(test.database)
    for (const [hours, minutes, points] of [
      [6, 5, 72],
      [24, 15, 96],
      [168, 60, 168],
    ] as const) {
      const series = await read('long', { hours })
      expect([series.stepMs / MINUTE, series.points.length, series.total.attempts]).toEqual([
        minutes,
        points,
        4,
      ])
    }
  })

  it('the history of a provider of more than a week ago is swept', async () => {
    await test.database.query(
      `insert into provider_health_intervals
       values ('swept', now() - interval '9 days', 'x', 1, 0, 0, 0, 0, '{1}')`,
    )
    const node = openNode('sweeper')
    node.answer('swept', 'succeeded')
    await node.write(test.database)
    const { rows } = await test.database.query(
      `select from provider_health_intervals where provider = 'swept'`,
    )
    expect(rows).toHaveLength(1)
  })
})
