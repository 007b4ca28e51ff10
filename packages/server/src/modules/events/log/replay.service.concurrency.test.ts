import { afterAll, beforeAll, expect, it } from 'vitest'
import { RequestError } from '../../../lib/errors.ts'
import type { TestDatabase } from '../../../testing/database.ts'
import { openTestDatabase } from '../../../testing/database.ts'
import { insertDelivery, insertEndpoint, newReseller } from '../../../testing/events/deliveries.ts'
import type { Replays } from './replay.service.ts'
import { createReplays } from './replay.service.ts'

let test: TestDatabase
let nodes: Replays[]

beforeAll(async () => {
  test = await openTestDatabase()
  const databases = [test.database, ...Array.from({ length: 4 }, () => test.openAnother())]
  nodes = databases.map(createReplays)
})

afterAll(() => test.close())

function nodeAt(index: number): Replays {
  const node = nodes[index % nodes.length]
  if (node === undefined) throw new Error('there are no nodes')
  return node
}

async function withEndpoint(): Promise<bigint> {
  const { id } = await newReseller(test)
  await insertEndpoint(test.database, id)
  return id
}

async function replaysOf(resellerId: bigint, eventId: string): Promise<number[]> {
  const { rows } = await test.database.query<{ replay_number: number }>(
    `select replay_number from deliveries
      where reseller_id = $1 and event_id = $2 and original_id is not null order by replay_number`,
    [resellerId, eventId],
  )
  return rows.map((row) => row.replay_number)
}

it('an event is replayed three times and never a fourth, also by 50 connections at once', async () => {
  const resellerId = await withEndpoint()
  const eventId = 'evt_1_7'
  // A failed delivery and its replay, which failed too: the limit is the event's.
  const ids = [
    await insertDelivery(test, resellerId, { eventId }),
    await insertDelivery(test, resellerId, { eventId, replayNumber: 1 }),
  ]
  const outcomes = await Promise.all(
    Array.from({ length: 50 }, async (_, index) => {
      const id = ids[index % 2] ?? ''
      if (index % 5 === 0) {
        const results = await nodeAt(index).replayMany(resellerId, 'balance', [id, id])
        return results.map(({ kind }) => kind)
      }
      return nodeAt(index)
        .replay(resellerId, 'balance', id)
        .then(({ kind }) => kind)
        .catch((error: unknown) => (error instanceof RequestError ? error.status : error))
    }),
  )
  const counted = outcomes.flat()
  expect(counted.filter((each) => each === 'replayed')).toHaveLength(2)
  expect(counted.filter((each) => each === 429 || each === 'limit')).toHaveLength(counted.length - 2)
  expect(await replaysOf(resellerId, eventId)).toEqual([2, 3])
})

it('bulk replays that name the same deliveries in other orders do not lock each other out', async () => {
  const resellerId = await withEndpoint()
  const ids: string[] = []
  for (let each = 0; each < 20; each += 1) ids.push(await insertDelivery(test, resellerId))
  const orders = Array.from({ length: 10 }, (_, index) => (index % 2 === 0 ? ids : ids.toReversed()))
  const results = await Promise.all(
    orders.map((order, index) => nodeAt(index).replayMany(resellerId, 'balance', order)),
  )
  const kinds = results.flat().map(({ kind }) => kind)
  expect(kinds.filter((kind) => kind === 'replayed')).toHaveLength(3 * ids.length)
  expect(kinds.filter((kind) => kind === 'limit')).toHaveLength(7 * ids.length)
})
