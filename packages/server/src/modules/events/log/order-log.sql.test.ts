import { afterAll, beforeAll, expect, it } from 'vitest'
import type { TestDatabase } from '../../../testing/database.ts'
import { openTestDatabase } from '../../../testing/database.ts'
import { insertDelivery, newReseller } from '../../../testing/events/deliveries.ts'
import { findOrderEvent } from './order-log.sql.ts'

const AT_MS = 1_800_000_000_000

let test: TestDatabase
let resellerId: bigint

beforeAll(async () => {
  test = await openTestDatabase()
  resellerId = (await newReseller(test)).id
})
afterAll(() => test.close())

async function recordDelivery(orderId: bigint, atMs: number, eventId: string, replayNumber = 0) {
  const wanted = { stream: 'order', createdMs: atMs, eventId, replayNumber, type: '', data: {} } as const
  const id = await insertDelivery(test, resellerId, wanted)
  await test.database.query("update deliveries set source = 'order', subject = $2 where id = $1", [
    id,
    orderId,
  ])
}

it('the event of an order is found by the time of its end, and never that of another order', async () => {
  await recordDelivery(5n, AT_MS, 'evt_1_1')
  await recordDelivery(6n, AT_MS + 50, 'evt_1_2')
  await recordDelivery(5n, AT_MS + 200, 'evt_1_1', 1)
  const window = { fromMs: AT_MS - 1_000, untilMs: AT_MS + 300_000 }
  const find = (orderId: bigint, given = window) => findOrderEvent(test.database, resellerId, orderId, given)
  expect(await find(5n)).toBe('evt_1_1')
  expect(await find(6n)).toBe('evt_1_2')
  expect(await find(7n)).toBeUndefined()
  expect(await find(5n, { fromMs: AT_MS + 1_000, untilMs: AT_MS + 2_000 })).toBeUndefined()
  expect(await findOrderEvent(test.database, resellerId + 1n, 5n, window)).toBeUndefined()
})
