import { afterAll, beforeAll, expect, it } from 'vitest'
import type { TestDatabase } from '../testing/database.ts'
import { openTestDatabase } from '../testing/database.ts'
import { narrowed, openDatabaseClock } from './clock.ts'

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

it('what the database showed in an answer lies before every later moment of the node', async () => {
  const clock = await openDatabaseClock(test.database)
  for (let round = 0; round < 20; round += 1) {
    const { rows } = await test.database.query<{ ms: number }>(
      'select (extract(epoch from clock_timestamp()) * 1000)::float8 as ms',
    )
    clock.observe(Number(rows[0]?.ms), performance.now())
    // A microsecond is what the database's own times are rounded to.
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
