import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dayOf, startOfDayMs } from '../../../lib/dates.ts'
import type { TestDatabase } from '../../../testing/database.ts'
import { openTestDatabase } from '../../../testing/database.ts'
import { insertDelivery, newReseller } from '../../../testing/events/deliveries.ts'
import { listDeliveryDays } from './days.service.ts'

let test: TestDatabase
beforeAll(async () => {
  test = await openTestDatabase()
})
afterAll(() => test.close())

const TODAY = dayOf(Date.now())
const NOW = startOfDayMs(TODAY) + 12 * 3_600_000

const read = (resellerId: bigint, { nowMs = NOW, days = 3 } = {}) =>
  listDeliveryDays(test.database, resellerId, { from: TODAY - days + 1, to: TODAY }, nowMs)

const countKept = async (resellerId: bigint) =>
  (await test.database.query('select from delivery_days where reseller_id = $1', [resellerId])).rowCount

describe('the deliveries of each day', () => {
  it('are counted over all streams, by the day on which they were made', async () => {
    const { id } = await newReseller(test)
    const { id: other } = await newReseller(test)
    const make = (
      daysAgo: number,
      status: 'success' | 'failed' | 'pending' | 'superseded',
      stream: 'callback' | 'balance' = 'balance',
    ) => insertDelivery(test, id, { status, stream, createdMs: startOfDayMs(TODAY - daysAgo) + 1 })
    await make(0, 'success')
    await make(0, 'pending', 'callback')
    await make(1, 'success', 'callback')
    await make(1, 'success')
    await make(1, 'failed')
    await make(1, 'superseded', 'callback')
    await make(9, 'success')
    await insertDelivery(test, other, { status: 'success', createdMs: NOW })
    expect(await read(id)).toEqual([
      { day: TODAY - 2, succeeded: 0, failed: 0, pending: 0 },
      { day: TODAY - 1, succeeded: 2, failed: 1, pending: 0 },
      { day: TODAY, succeeded: 1, failed: 0, pending: 1 },
    ])
    // Yesterday is kept for both streams; it is told the same when its deliveries are gone.
    expect(await countKept(id)).toBe(2)
    await test.database.query('delete from deliveries where reseller_id = $1', [id])
    expect((await read(id))[1]).toEqual({ day: TODAY - 1, succeeded: 2, failed: 1, pending: 0 })
  })

  it('are counted again until the day is over and none of its deliveries is pending', async () => {
    const { id } = await newReseller(test)
    const createdMs = startOfDayMs(TODAY - 1) + 1
    await insertDelivery(test, id, { status: 'success', createdMs })
    await read(id, { nowMs: startOfDayMs(TODAY) + 60_000 })
    expect(await countKept(id)).toBe(0)
    const late = await insertDelivery(test, id, { status: 'pending', createdMs })
    expect((await read(id))[1]).toMatchObject({ succeeded: 1, pending: 1 })
    expect(await countKept(id)).toBe(0)
    await test.database.query(`update deliveries set status = 'failed' where reseller_id = $1 and id = $2`, [
      id,
      late,
    ])
    expect((await read(id))[1]).toMatchObject({ succeeded: 1, failed: 1, pending: 0 })
    expect(await countKept(id)).toBe(1)
  })

  it('are kept for some weeks alone', async () => {
    const { id } = await newReseller(test)
    await test.database.query(
      `insert into delivery_days values ($1, 'balance', date '1970-01-01' + $2::integer, 1, 1)`,
      [id, TODAY - 60],
    )
    await insertDelivery(test, id, { status: 'success', createdMs: startOfDayMs(TODAY - 1) + 1 })
    await read(id)
    expect(await countKept(id)).toBe(1)
  })
})
