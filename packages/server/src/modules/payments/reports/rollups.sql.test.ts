import { afterAll, beforeAll, expect, it } from 'vitest'
import type { TestDatabase } from '../../../testing/database.ts'
import { openTestDatabase } from '../../../testing/database.ts'
import { insertBackfill, newReseller, PAST, today } from '../../../testing/payments/history.ts'
import { resolvePayments } from '../outcomes/resolve.sql.ts'
import { insertOpenDay, markCurrent } from './rollups.sql.ts'

let test: TestDatabase

beforeAll(async () => {
  test = await openTestDatabase()
})

afterAll(() => test.close())

const LAST_MS = 86_399_999

it('days of payments that an answer moves are not current any more; the present day is not marked', async () => {
  const now = await today(test.database)
  const resellerId = await newReseller(test)
  const waiting = (daysAgo: number, atMs: number) => ({ ...PAST, day: now - daysAgo, atMs, code: 1 as const })
  const ids = await insertBackfill(test.database, resellerId, [
    waiting(7, 0),
    waiting(7, LAST_MS),
    waiting(2, 1_000),
    waiting(1, LAST_MS),
    waiting(0, 0),
  ])
  for (const daysAgo of [7, 3]) {
    await test.database.transaction(async (tx) => {
      await insertOpenDay(tx, { resellerId, day: now - daysAgo })
      await markCurrent(tx, { resellerId, day: now - daysAgo })
    })
  }
  const nothing = { failure: null, serialNumber: null, expiry: null, note: null, sealedOutput: null }
  const { moved } = await resolvePayments(
    test.database,
    ids.map((id) => ({ ...nothing, resellerId, id, code: 20 as const, nextMs: null })),
  )
  expect(moved.size).toBe(5)
  const { rows } = await test.database.query(
    `select $2::integer - (day - date '1970-01-01') as days_ago, is_current from payment_rollup_days
      where reseller_id = $1 order by 1`,
    [resellerId, now],
  )
  expect(rows).toEqual([
    { days_ago: 1, is_current: false },
    { days_ago: 2, is_current: false },
    { days_ago: 3, is_current: true },
    { days_ago: 7, is_current: false },
  ])
})
