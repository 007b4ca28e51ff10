import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { UncertainCommitError } from '../../../db/database.ts'
import { RequestError } from '../../../lib/errors.ts'
import type { TestDatabase } from '../../../testing/database.ts'
import { openTestDatabase } from '../../../testing/database.ts'
import type { NewEndpoint } from '../../../testing/events/deliveries.ts'
import { insertEndpoint, newReseller } from '../../../testing/events/deliveries.ts'
import { withBreakableDatabase } from '../../../testing/network/breakable-line.ts'
import type { Reseller } from '../../accounts/types.ts'
import { createBalances } from '../../wallet/balance/balances.service.ts'
import { createEventReader } from '../messages/reader.service.ts'
import { SAMPLE_TYPES } from '../messages/samples.rules.ts'
import type { Stream } from '../types.ts'
import { STREAMS } from '../types.ts'
import type { DeliveryLog } from './log.service.ts'
import { createDeliveryLog } from './log.service.ts'
import type { TestEvents } from './test-events.service.ts'
import { createTestEvents } from './test-events.service.ts'

let test: TestDatabase
let nodes: TestEvents[]
let log: DeliveryLog

function fail(error: unknown): never {
  throw error
}

beforeAll(async () => {
  test = await openTestDatabase()
  nodes = [test.database, test.openAnother()].map((database) =>
    createTestEvents({ database, balances: createBalances(database), now: () => new Date() }),
  )
  log = createDeliveryLog({ ...test, reader: createEventReader(test), onProblem: fail })
})

afterAll(() => test.close())

async function withEndpoint(endpoint: NewEndpoint): Promise<Reseller> {
  const reseller = await newReseller(test)
  await insertEndpoint(test.database, reseller.id, endpoint)
  return reseller
}

function send(reseller: Reseller, stream: Stream, type?: unknown, node = 0) {
  const deadlineMs = performance.now() + 60_000
  const sent = nodes[node]?.send(reseller, stream, { type, deadlineMs })
  if (sent === undefined) throw new Error('there is no such node')
  return sent
}

describe('a test event', () => {
  it.each(STREAMS)(
    'a test event of every type of the stream %s is a delivery that can be read',
    async (stream) => {
      for (const type of SAMPLE_TYPES[stream]) {
        const reseller = await withEndpoint({ stream })
        const { jobId, eventId } = await send(reseller, stream, type)
        expect(eventId).toMatch(/^evt_test_[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
        const { delivery, message } = await log.get(reseller.id, stream, jobId)
        expect(delivery).toMatchObject({
          status: 'pending',
          url: 'https://shop.example/now',
          originalId: null,
        })
        expect(delivery.ref).toMatchObject({ eventId, source: 'test', type })
        expect(message?.text).toMatch(/\S/)
      }
    },
  )

  it('is the usual one of its stream when no type is given', async () => {
    const reseller = await withEndpoint({ stream: 'catalog' })
    const { jobId } = await send(reseller, 'catalog')
    const { message } = await log.get(reseller.id, 'catalog', jobId)
    expect(message?.payload).toMatchObject({ type: 'product.updated' })
  })

  it('goes to a paused endpoint, which it may resume, and is in no feed', async () => {
    const reseller = await withEndpoint({ isPaused: true })
    await send(reseller, 'balance')
    const { rows } = await test.database.query<{ work: bigint; events: bigint }>(
      `select (select count(*) from delivery_work where reseller_id = $1) as work,
              (select count(*) from events where reseller_id = $1) as events`,
      [reseller.id],
    )
    expect(rows).toEqual([{ work: 1n, events: 0n }])
  })

  it.each([
    ['missing', { stream: 'catalog' }, 404],
    ['disabled', { isEnabled: false }, 409],
  ] as const)('a test event to an endpoint that is %s is refused', async (_, endpoint, status) => {
    const reseller = await withEndpoint(endpoint)
    await expect(send(reseller, 'balance')).rejects.toThrow(expect.objectContaining({ status }))
  })

  it.each(['product.updated', 'balance', 1, null, ['balance.added']])(
    'a test event of the type %j is not one of the balance',
    async (type) => {
      const reseller = await withEndpoint({})
      await expect(send(reseller, 'balance', type)).rejects.toThrow(
        expect.objectContaining({
          status: 400,
          fields: { type: [expect.stringMatching(/^The type field must be .*balance\.added.*\.$/)] },
        }),
      )
    },
  )

  it('can be sent ten times a minute by an account, on all streams and nodes together', async () => {
    const [reseller, other] = [await withEndpoint({}), await withEndpoint({})]
    await insertEndpoint(test.database, reseller.id, { stream: 'callback' })
    const outcomes = await Promise.all(
      Array.from({ length: 25 }, (_, index) =>
        send(reseller, index % 2 === 0 ? 'balance' : 'callback', undefined, index % nodes.length)
          .then(() => 'sent')
          .catch((error: unknown) => (error instanceof RequestError ? error.status : error)),
      ),
    )
    expect(outcomes.filter((each) => each === 'sent')).toHaveLength(10)
    expect(outcomes.filter((each) => each === 429)).toHaveLength(15)
    await send(other, 'balance')
    await test.database.query(
      // Pretends that they were sent a minute ago.
      `update deliveries set event_id = 'evt_test_' || new_delivery_id(now() - interval '61 seconds', 0)
        where reseller_id = $1`,
      [reseller.id],
    )
    await send(reseller, 'balance')
  })
})

it('a test event whose answer is lost is reported as uncertain', async () => {
  const reseller = await withEndpoint({ stream: 'balance' })
  await withBreakableDatabase(test.connection, async (database, line) => {
    const own = createTestEvents({ database, balances: createBalances(test.database), now: () => new Date() })
    line.breakCommit('after')
    const sent = own.send(reseller, 'balance', { type: undefined, deadlineMs: performance.now() + 60_000 })
    await expect(sent).rejects.toBeInstanceOf(UncertainCommitError)
  })
})
