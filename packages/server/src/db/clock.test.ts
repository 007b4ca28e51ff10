import { afterAll, beforeAll, expect, it } from 'vitest'
import type { TestDatabase } from '../testing/database.ts'
import { openTestDatabase } from '../testing/database.ts'
import { better, openDatabaseClock } from './clock.ts'

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

const TIGHT = { lowMs: 1_000, highMs: 1_001, madeMs: 0 }

it('a comparison whose round trip was slow does not replace a good one that still holds', () => {
  const slow = { lowMs: 900, highMs: 1_100, madeMs: 10_000 }
  expect(better(TIGHT, slow)).toBe(TIGHT)
  const quick = { lowMs: 1_000.5, highMs: 1_002, madeMs: 10_000 }
  expect(better(TIGHT, quick)).toBe(quick)
})

it('a good comparison ages: after long enough a slower one counts', () => {
  const later = { lowMs: 990, highMs: 1_010, madeMs: 3_600_000 }
  expect(better(TIGHT, later)).toBe(later)
})

it('a clock that was set is believed at once, however slow the round trip', () => {
  for (const stepMs of [-600_000, 600_000]) {
    const stepped = { lowMs: 900 + stepMs, highMs: 1_100 + stepMs, madeMs: 10_000 }
    expect(better(TIGHT, stepped)).toBe(stepped)
  }
})
