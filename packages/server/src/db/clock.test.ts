import { afterAll, beforeAll, expect, it } from 'vitest'
import type { TestDatabase } from '../testing/database.ts'
import { openTestDatabase } from '../testing/database.ts'
import { until } from '../testing/payments/payments.ts'
import { bestOf, narrowed, openDatabaseClock } from './clock.ts'
import type { Database } from './database.ts'

let test: TestDatabase

beforeAll(async () => {
  test = await openTestDatabase()
})
afterAll(() => test.close())

it('the earliest time of a moment is never after what the database showed then', async () => {
  const clock = await openDatabaseClock(test.database)
  for (let round = 0; round < 20; round += 1) {
    const atMs = performance.now()
    const { rows } = await test.database.query<{ ms: number }>(
      'select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms',
    )
    expect(clock.earliestMs(atMs)).toBeLessThanOrEqual(Number(rows[0]?.ms))
    expect(clock.earliestMs(atMs)).toBeLessThanOrEqual(clock.nowMs())
  }
  clock.close()
})

it('a time that the database showed in an answer lies before every later moment of the node', async () => {
  const clock = await openDatabaseClock(test.database)
  for (let round = 0; round < 20; round += 1) {
    const { rows } = await test.database.query<{ ms: number }>(
      'select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms',
    )
    clock.observe(Number(rows[0]?.ms), performance.now())
    // A microsecond is added because the database's own times are rounded to it.
    expect(clock.earliestMs(performance.now()) + 0.001).toBeGreaterThanOrEqual(Number(rows[0]?.ms))
  }
  clock.close()
})

const TIGHT = { lowMs: 1_000, highMs: 1_001, madeMs: 0 }

it('a comparison whose round trip was slow takes nothing from a good one but its age', () => {
  const slow = { lowMs: 900, highMs: 1_100, madeMs: 10_000 }
  expect(narrowed(TIGHT, slow)).toEqual({ lowMs: 999, highMs: 1_002, madeMs: 10_000 })
})

it('two comparisons that both hold leave what they agree on', () => {
  const next = { lowMs: 1_000.5, highMs: 1_005, madeMs: 0 }
  expect(narrowed(TIGHT, next)).toEqual({ lowMs: 1_000.5, highMs: 1_001, madeMs: 0 })
})

it('a clock that was set is believed at once, however slow the round trip', () => {
  for (const stepMs of [-600_000, 600_000]) {
    const stepped = { lowMs: 900 + stepMs, highMs: 1_100 + stepMs, madeMs: 10_000 }
    expect(narrowed(TIGHT, stepped)).toBe(stepped)
  }
})

const SLOW = { lowMs: -3_000, highMs: 4_000, madeMs: 0 }

it('comparisons whose round trip took long are discarded beside a good one, in whatever order they come', () => {
  expect(bestOf([TIGHT, SLOW])).toEqual(TIGHT)
  expect(bestOf([SLOW, TIGHT])).toEqual(TIGHT)
  // A real step shows in the next comparison, too.
  const stepped = { lowMs: 600_000, highMs: 604_000, madeMs: 0 }
  expect(bestOf([TIGHT, stepped])).toEqual(TIGHT)
})

it('the shortest of several slow comparisons counts', () => {
  const shorter = { lowMs: 500, highMs: 1_500, madeMs: 0 }
  expect(bestOf([SLOW, shorter, SLOW])).toEqual(shorter)
})

it('while all round trips take long, the clocks are compared again and again, until one is short', async () => {
  let slow = 4
  const database: Database = {
    ...test.database,
    async query(statement, values) {
      const rows = await test.database.query<never>(statement, values)
      slow -= 1
      if (slow >= 0) await new Promise((resolve) => setTimeout(resolve, 300))
      return rows
    },
  }
  const clock = await openDatabaseClock(database)
  const vaguenessMs = () => clock.nowMs() - clock.earliestMs(performance.now())
  expect(vaguenessMs()).toBeGreaterThan(140)
  await until('a good comparison was made', () => vaguenessMs() < 100)
  clock.close()
})
