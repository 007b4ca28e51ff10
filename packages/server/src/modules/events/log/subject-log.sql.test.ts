import { afterAll, beforeAll, expect, it } from 'vitest'
import type { TestDatabase } from '../../../testing/database.ts'
import { openTestDatabase } from '../../../testing/database.ts'
import { insertDelivery, newReseller } from '../../../testing/events/deliveries.ts'
import { findOrderEvent, listCallbackEvents } from './subject-log.sql.ts'

const AT_MS = 1_800_000_000_000

let test: TestDatabase
let resellerId: bigint

beforeAll(async () => {
  test = await openTestDatabase()
  resellerId = (await newReseller(test)).id
})
afterAll(() => test.close())

async function recordDelivery(
  paymentId: bigint,
  code: number,
  atMs: number,
  eventId: string,
  replayNumber = 0,
) {
  const wanted = { stream: 'callback', createdMs: atMs, eventId, replayNumber, type: '', data: {} } as const
  const id = await insertDelivery(test, resellerId, wanted)
  await test.database.query("update deliveries set source = 'moved', subject = $2, code = $3 where id = $1", [
    id,
    paymentId,
    code,
  ])
}

function window(code: number, atMs: number) {
  return { code, fromMs: atMs - 1_000, untilMs: atMs + 300_000 }
}

it('the event of each state is found, however close they lie, and once however often it was replayed', async () => {
  await recordDelivery(5n, 1, AT_MS, 'evt_1_1')
  await recordDelivery(5n, 20, AT_MS + 100, 'evt_1_2')
  await recordDelivery(5n, 1, AT_MS + 200, 'evt_1_1', 1)
  await recordDelivery(6n, 20, AT_MS + 50, 'evt_1_3')
  const windows = [window(1, AT_MS), window(20, AT_MS + 100)]
  const events = await listCallbackEvents(test.database, resellerId, 5n, windows)
  expect(events.toSorted()).toEqual(['evt_1_1', 'evt_1_2'])
  expect(await listCallbackEvents(test.database, resellerId, 6n, windows)).toEqual(['evt_1_3'])
  expect(await listCallbackEvents(test.database, resellerId, 5n, [window(20, AT_MS - 600_000)])).toEqual([])
})

async function recordOrderDelivery(orderId: bigint, atMs: number, eventId: string, replayNumber = 0) {
  const wanted = { stream: 'order', createdMs: atMs, eventId, replayNumber, type: '', data: {} } as const
  const id = await insertDelivery(test, resellerId, wanted)
  await test.database.query("update deliveries set source = 'order', subject = $2 where id = $1", [
    id,
    orderId,
  ])
}

it('the event of an order is found by the time of its end, and never that of another order', async () => {
  await recordOrderDelivery(5n, AT_MS, 'evt_2_1')
  await recordOrderDelivery(6n, AT_MS + 50, 'evt_2_2')
  await recordOrderDelivery(5n, AT_MS + 200, 'evt_2_1', 1)
  const window = { fromMs: AT_MS - 1_000, untilMs: AT_MS + 300_000 }
  const find = (orderId: bigint, given = window) => findOrderEvent(test.database, resellerId, orderId, given)
  expect(await find(5n)).toBe('evt_2_1')
  expect(await find(6n)).toBe('evt_2_2')
  expect(await find(7n)).toBeUndefined()
  expect(await find(5n, { fromMs: AT_MS + 1_000, untilMs: AT_MS + 2_000 })).toBeUndefined()
  expect(await findOrderEvent(test.database, resellerId + 1n, 5n, window)).toBeUndefined()
})
