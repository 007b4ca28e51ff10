import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestDatabase } from '../../../testing/database.ts'
import { openTestDatabase } from '../../../testing/database.ts'
import { insertBackfill, newReseller, PAST, today } from '../../../testing/payments/history.ts'
import { sumSalesBy } from './parts.service.ts'
import { sumParts } from './parts.sql.ts'
import type { PartSum } from './parts.types.ts'
import { sumOpenDays } from './rollups.service.ts'

let test: TestDatabase
let now: number
let resellerId: bigint

const HOUR_MS = 3_600_000

beforeAll(async () => {
  test = await openTestDatabase()
  now = await today(test.database)
  resellerId = await newReseller(test)
  const daysAgo = [0, 1, 3, 4]
  const ids = await insertBackfill(
    test.database,
    resellerId,
    daysAgo.flatMap((ago) => [
      { ...PAST, day: now - ago, atMs: 0 },
      { ...PAST, day: now - ago, atMs: 10 * HOUR_MS, productCode: 'KITA', faceValue: 50_000n, cost: 49_000n },
      { ...PAST, day: now - ago, atMs: 24 * HOUR_MS - 1, code: 48 as const },
    ]),
  )
  // The second payment of each day was paid by a key, the third one by the checkout.
  for (const [index, id] of ids.entries()) {
    if (index % 3 === 0) continue
    const [member, purpose] = index % 3 === 1 ? ['7', 7n] : ['ord_7f', null]
    await test.database.query(`update payments set member_id = $2, purpose_id = $3 where id = $1`, [
      id,
      member,
      purpose,
    ])
  }
})
afterAll(() => test.close())

const days = () => ({ from: now - 4, to: now })
const sorted = (sums: readonly PartSum[]) =>
  sums.toSorted((a, b) => (a.part === b.part ? a.code - b.code : a.part < b.part ? -1 : 1))

async function read(kind: 'hour' | 'seller' | 'product') {
  return sorted(await sumParts(test.database, resellerId, days(), kind))
}

const FOUR = { payments: 4n, faceValue: 400_000n, cost: 388_000n }
const KITA = { payments: 4n, faceValue: 200_000n, cost: 196_000n }

async function expectRight(): Promise<void> {
  expect(await read('hour')).toEqual([
    { part: '0', code: 20, ...FOUR },
    { part: '10', code: 20, ...KITA },
    { part: '23', code: 48, ...FOUR },
  ])
  expect(await read('seller')).toEqual([
    { part: 'key:7', code: 20, ...KITA },
    { part: 'member:42', code: 20, ...FOUR },
    { part: 'orders', code: 48, ...FOUR },
  ])
  expect(await read('product')).toEqual([
    { part: 'KITA', code: 20, ...KITA },
    { part: 'NOVA', code: 20, ...FOUR },
    { part: 'NOVA', code: 48, ...FOUR },
  ])
}

async function dayRows() {
  const { rows } = await test.database.query<{ ago: number; is_current: boolean; has_parts: boolean }>(
    `select $2::integer - (day - date '1970-01-01') as ago, is_current, has_parts
       from payment_rollup_days where reseller_id = $1 order by ago`,
    [resellerId, now],
  )
  return rows
}

describe('the parts of days', () => {
  it('are those of the payments, before days are summed and afterwards', async () => {
    await expectRight()
    await sumOpenDays({ database: test.database })
    expect(await dayRows()).toContainEqual({ ago: 3, is_current: true, has_parts: true })
    await expectRight()
  })

  it('are read from the sums of days that are over, not from their payments', async () => {
    const { rows } = await test.database.query<{ n: bigint }>(
      `update payment_rollup_parts set payments = payments + 1000
        where reseller_id = $1 and day = date '1970-01-01' + $2::integer and part = '10' returning 1::bigint as n`,
      [resellerId, now - 3],
    )
    expect(rows).toHaveLength(1)
    expect((await read('hour'))[1]).toMatchObject({ part: '10', payments: 1_004n })
    await test.database.query(
      `update payment_rollup_parts set payments = payments - 1000 where reseller_id = $1 and payments > 1000`,
      [resellerId],
    )
  })

  it('are summed anew for days that a node of the version before has summed, or a late answer has changed', async () => {
    // That node knows no parts: it writes is_current alone.
    await test.database.query(`update payment_rollup_days set is_current = false where reseller_id = $1`, [
      resellerId,
    ])
    expect((await dayRows()).map(({ has_parts: has }) => has)).not.toContain(true)
    await test.database.query(`update payment_rollup_days set is_current = true where reseller_id = $1`, [
      resellerId,
    ])
    await test.database.query(`delete from payment_rollup_parts where reseller_id = $1`, [resellerId])
    await expectRight()
    await sumOpenDays({ database: test.database })
    expect((await dayRows()).filter(({ ago }) => ago > 1).map(({ has_parts: has }) => has)).toEqual([
      true,
      true,
    ])
    await expectRight()
  })

  it('come as totals, in which failures have no value', async () => {
    const sales = await sumSalesBy(test.database, resellerId, days(), 'product')
    expect(sales.get('NOVA')).toMatchObject({ payments: 8n, faceValue: 400_000n, cost: 388_000n })
    expect(await sumSalesBy(test.database, resellerId, { from: -9, to: -1 }, 'hour')).toEqual(new Map())
  })
})
