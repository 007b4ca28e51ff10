import { afterAll, beforeAll, expect, it } from 'vitest'
import type { TestDatabase } from '../../../testing/database.ts'
import { openTestDatabase } from '../../../testing/database.ts'
import { insertBackfill, newReseller, PAST, today } from '../../../testing/payments/history.ts'
import { countRecent, RECENT } from './rates.sql.ts'

let test: TestDatabase
beforeAll(async () => {
  test = await openTestDatabase()
})
afterAll(() => test.close())

it('payments of earlier hours are not read to count those of the last one', async () => {
  const resellerId = await newReseller(test)
  const now = await today(test.database)
  await insertBackfill(
    test.database,
    resellerId,
    Array.from({ length: 300 }, (_, index) => ({ ...PAST, day: now - 2, atMs: index })),
  )
  const plan = await test.database.transaction(async (tx) => {
    expect(await countRecent(tx, 60)).toEqual([])
    const explain = `explain (analyze, costs off, timing off) ${RECENT.text.replace('$1', '60')}`
    return (await tx.query<{ 'QUERY PLAN': string }>(explain)).rows.map((row) => row['QUERY PLAN']).join('\n')
  })
  expect(plan).toMatch(/Index Cond: .*id >= /)
  expect(plan).not.toContain('Rows Removed by Filter: 300')
})
