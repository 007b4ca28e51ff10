import { afterAll, beforeAll, expect, it } from 'vitest'
import type { TestDatabase } from '../../../testing/database.ts'
import { openTestDatabase } from '../../../testing/database.ts'
import { insertBackfill, newReseller, PAST, today } from '../../../testing/payments/history.ts'
import { sumOpenDays } from './rollups.service.ts'
import { listSales } from './sales.service.ts'

let test: TestDatabase
let now: number

beforeAll(async () => {
  test = await openTestDatabase()
  now = await today(test.database)
})
afterAll(() => test.close())

type Line = { day: number; product: string; code: number; payments: bigint; value: bigint; cost: bigint }

/** Counts the payments themselves, for the same range. */
async function counted(from: number, to: number) {
  const { rows } = await test.database.query<Line>(
    `select (((id >> 20) + 28800000) / 86400000)::integer as day, product_code as product, code, count(*) as payments,
            sum(face_value)::bigint as value, sum(cost)::bigint as cost
       from payments where ((id >> 20) + 28800000) / 86400000 between $1 and $2 group by 1, 2, 3`,
    [from, to],
  )
  const named: Record<number, string> = { 1: 'PENDING', 20: 'SUCCESSFUL', 53: 'REFUND' }
  return rows.map((row) => ({
    day: row.day,
    productCode: row.product,
    status: named[row.code] ?? 'FAILED',
    payments: row.payments,
    faceValue: row.value,
    charged: row.cost,
    told: { payments: 0n, faceValue: 0n, charged: 0n, supplierCost: 0n },
  }))
}

const sorted = <T extends { day: number; productCode: string; status: string }>(lines: readonly T[]) =>
  lines.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
const keyOf = (line: { day: number; productCode: string; status: string }) =>
  `${line.day} ${line.productCode} ${line.status}`

async function expectRight(): Promise<void> {
  const days = { from: now - 5, to: now }
  const found = await listSales(test.database, days)
  expect(sorted(found)).toEqual(sorted(await counted(days.from, days.to)))
  expect(found.length).toBeGreaterThan(0)
}

it('the sales of all resellers are those of the payments, whether days are summed, changed since or not over', async () => {
  const resellers = [await newReseller(test), await newReseller(test), await newReseller(test)]
  for (const [index, resellerId] of resellers.entries()) {
    for (const daysAgo of [0, 1, 3, 5, 6]) {
      await insertBackfill(test.database, resellerId, [
        { ...PAST, day: now - daysAgo, atMs: index },
        { ...PAST, day: now - daysAgo, atMs: 1_000, code: 48, productCode: 'KITA' },
        { ...PAST, day: now - daysAgo, atMs: 2_000, code: index === 0 ? 1 : 53 },
      ])
    }
  }
  await expectRight()
  await test.database.query(`delete from payment_work`)
  expect(await sumOpenDays({ database: test.database })).toBeGreaterThan(0)
  await expectRight()
  // Payments of a day whose sum is not current are counted, and its old sum is not.
  const [first] = resellers
  await test.database.query(
    `update payment_rollup_days set is_current = false
      where reseller_id = $1 and day = date '1970-01-01' + $2::integer`,
    [first, now - 3],
  )
  await test.database.query(
    `update payments set code = 20 where reseller_id = $1 and code = 48
        and ((id >> 20) + 28800000) / 86400000 = $2`,
    [first, now - 3],
  )
  await expectRight()
})
