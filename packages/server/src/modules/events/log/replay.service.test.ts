import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { UncertainCommitError } from '../../../db/database.ts'
import type { TestDatabase } from '../../../testing/database.ts'
import { openTestDatabase } from '../../../testing/database.ts'
import type { NewDelivery, NewEndpoint } from '../../../testing/events/deliveries.ts'
import { insertDelivery, insertEndpoint, newReseller } from '../../../testing/events/deliveries.ts'
import { withBreakableDatabase } from '../../../testing/network/breakable-line.ts'
import { createEventReader } from '../messages/reader.service.ts'
import type { DeliveryLog } from './log.service.ts'
import { createDeliveryLog } from './log.service.ts'
import { bulkReplayView, replayView } from './replay.codec.ts'
import type { Replays } from './replay.service.ts'
import { createReplays } from './replay.service.ts'

let test: TestDatabase
let replays: Replays
let log: DeliveryLog

beforeAll(async () => {
  test = await openTestDatabase()
  replays = createReplays(test.database)
  const onProblem = (error: unknown) => {
    throw error
  }
  log = createDeliveryLog({ ...test, reader: createEventReader(test), onProblem })
})

afterAll(() => test.close())

async function withEndpoint(endpoint: NewEndpoint | undefined = {}): Promise<bigint> {
  const { id } = await newReseller(test)
  await insertEndpoint(test.database, id, endpoint)
  return id
}

function insert(resellerId: bigint, wanted: NewDelivery = {}): Promise<string> {
  return insertDelivery(test, resellerId, wanted)
}

async function workOf(
  resellerId: bigint,
): Promise<{ stream: string; delivery_id: string; is_due: boolean }[]> {
  const { rows } = await test.database.query<{ stream: string; delivery_id: string; is_due: boolean }>(
    `select w.stream, w.delivery_id, l.next_at <= w.next_at and w.next_at <= clock_timestamp() as is_due
       from delivery_work w join delivery_lanes l using (reseller_id, stream)
      where w.reseller_id = $1 order by w.delivery_id`,
    [resellerId],
  )
  return rows
}

async function fail(resellerId: bigint, id: string): Promise<void> {
  await test.database.query(
    `update deliveries set status = 'failed', error = 'The receiver answered 500', attempts_made = 4,
            attempts = '[{}, {}, {}, {}]', response_status = 500, completed_at = now()
      where reseller_id = $1 and id = $2`,
    [resellerId, id],
  )
}

describe('a replay', () => {
  it('is a new delivery of the same event to the present URL, due at once', async () => {
    const resellerId = await withEndpoint()
    const failed = await insert(resellerId, { responseStatus: 500, response: 'Aduh!' })
    const replayed = await replays.replay(resellerId, 'balance', failed.toUpperCase())
    const original = await log.get(resellerId, 'balance', failed)
    const repeated = await log.get(resellerId, 'balance', replayed.newJobId)
    expect(replayView(replayed)).toEqual({
      jobId: replayed.newJobId,
      originalJobId: failed,
      eventId: original.delivery.ref.eventId,
    })
    expect(repeated.delivery).toMatchObject({
      ref: original.delivery.ref,
      status: 'pending',
      error: '',
      attemptsMade: 0,
      responseStatus: 0,
      url: 'https://shop.example/now',
      originalId: failed,
      replays: 1,
      completedAt: null,
    })
    expect(repeated.responseBody).toBe('')
    expect(repeated.message).toEqual(original.message)
    expect(await log.getAttempts(resellerId, 'balance', replayed.newJobId)).toEqual([])
    expect(original.delivery).toMatchObject({
      status: 'failed',
      url: 'https://shop.example/then',
      replays: 1,
    })
    expect(await workOf(resellerId)).toEqual([
      { stream: 'balance', delivery_id: replayed.newJobId, is_due: true },
    ])
  })

  it('a replay of a failed replay points to that one, and counts for the event', async () => {
    const resellerId = await withEndpoint()
    let last = await insert(resellerId)
    const chain = [last]
    for (let each = 0; each < 3; each += 1) {
      last = (await replays.replay(resellerId, 'balance', last)).newJobId
      expect((await log.get(resellerId, 'balance', last)).delivery.originalId).toBe(chain.at(-1))
      chain.push(last)
      await fail(resellerId, last)
    }
    for (const id of chain) {
      const { delivery } = await log.get(resellerId, 'balance', id)
      expect(delivery).toMatchObject({ status: 'failed', replays: 3 })
      await expect(replays.replay(resellerId, 'balance', id)).rejects.toThrow(
        expect.objectContaining({ status: 429, code: 'replay_limit_exceeded' }),
      )
    }
  })

  it.each([
    ['one that is under way', { status: 'pending' }, 409],
    ['one that arrived', { status: 'success' }, 409],
    ['a test', { source: 'test', type: 'balance.added' }, 409],
    ['one that was superseded', { status: 'superseded' }, 404],
    ['one of another stream', { stream: 'catalog' }, 404],
  ] as const)('a replay of %s is refused', async (_, wanted, status) => {
    const resellerId = await withEndpoint()
    const id = await insert(resellerId, wanted)
    const before = await workOf(resellerId)
    await expect(replays.replay(resellerId, 'balance', id)).rejects.toThrow(
      expect.objectContaining({ status }),
    )
    expect(await workOf(resellerId)).toEqual(before)
  })

  it('a replay of another account’s delivery, of an unknown one and of a text that is no id is refused alike', async () => {
    const [resellerId, other] = [await withEndpoint(), await withEndpoint()]
    for (const id of [await insert(other), '0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b', 'nonsense']) {
      await expect(replays.replay(resellerId, 'balance', id)).rejects.toThrow(
        expect.objectContaining({ status: 404, publicText: 'There is no such delivery.' }),
      )
    }
    expect(await workOf(other)).toEqual([])
  })

  it.each([
    ['missing', { stream: 'catalog' }],
    ['disabled', { isEnabled: false }],
    ['paused', { isPaused: true }],
  ] as const)(
    'a replay to an endpoint that is %s is refused, and costs none of the three',
    async (state, endpoint) => {
      const resellerId = await withEndpoint(endpoint)
      const ids = [await insert(resellerId), await insert(resellerId)]
      const refusal = expect.objectContaining({ status: 409, code: `endpoint_${state}` })
      await expect(replays.replay(resellerId, 'balance', ids[0] ?? '')).rejects.toThrow(refusal)
      await expect(replays.replayMany(resellerId, 'balance', ids)).rejects.toThrow(refusal)
      expect(await workOf(resellerId)).toEqual([])
      expect((await log.get(resellerId, 'balance', ids[0] ?? '')).delivery.replays).toBe(0)
    },
  )
})

describe('a replay of a catalogue change', () => {
  /** A change with one event for the account, and a delivery of it that failed. */
  async function failedChange(): Promise<{ resellerId: bigint; id: string; version: bigint }> {
    const resellerId = await withEndpoint({ stream: 'catalog' })
    const id = await insert(resellerId, { stream: 'catalog' })
    const { rows } = await test.database.query<{ version: bigint }>(
      `insert into catalog_changes (version, reason, concerns_everyone, level_codes, reseller_ids)
       select coalesce(max(version), 0) + 1, 'test', true, '{}', '{}' from catalog_changes returning version`,
    )
    const version = rows[0]?.version ?? 0n
    await test.database.query(
      `with delivery as (
         update deliveries set source = 'catalog', subject = $3, catalog_set_id = id, catalog_position = 1
          where reseller_id = $1 and id = $2
       ), event as (
         insert into catalog_events (version, set_id, position, resource, resource_id, type)
         values ($3, $2, 1, 'products', 'NOVA', 'product.deleted')
       )
       insert into account_catalog_events (reseller_id, version, set_ids, reseller_code)
       values ($1, $3, array[$2::uuid], '')`,
      [resellerId, id, version],
    )
    return { resellerId, id, version }
  }

  it('is made while the change is kept', async () => {
    const { resellerId, id } = await failedChange()
    expect((await replays.replay(resellerId, 'catalog', id)).kind).toBe('replayed')
  })

  it.each(['catalog_events', 'account_catalog_events'])(
    'is refused when it is gone from %s, and costs none of the three',
    async (table) => {
      const { resellerId, id, version } = await failedChange()
      await test.database.query(`delete from ${table} where version = $1`, [version])
      await expect(replays.replay(resellerId, 'catalog', id)).rejects.toThrow(
        expect.objectContaining({ status: 409, publicText: expect.stringMatching(/no longer kept/) }),
      )
      const { results } = bulkReplayView(await replays.replayMany(resellerId, 'catalog', [id]))
      expect(results).toEqual([
        {
          jobId: id,
          success: false,
          newJobId: null,
          error: 'not_found',
          message: expect.stringMatching(/no longer kept/),
        },
      ])
      expect(await workOf(resellerId)).toEqual([])
      const logged = await log.get(resellerId, 'catalog', id)
      expect([logged.delivery.replays, logged.message]).toEqual([0, undefined])
    },
  )
})

describe('many replays', () => {
  it('have one result each, in their order, whatever comes of the others', async () => {
    const resellerId = await withEndpoint()
    const [failed, success] = [await insert(resellerId), await insert(resellerId, { status: 'success' })]
    const ids = [failed, 'nonsense', success, failed, '0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b', failed, failed]
    const { results } = bulkReplayView(await replays.replayMany(resellerId, 'balance', ids))
    const done = { success: true, newJobId: expect.stringMatching(/^[0-9a-f-]{36}$/) }
    const refused = (error: string) => ({
      success: false,
      newJobId: null,
      error,
      message: expect.stringMatching(/\S/),
    })
    expect(results).toEqual([
      { jobId: failed, ...done },
      { jobId: 'nonsense', ...refused('not_found') },
      { jobId: success, ...refused('not_failed') },
      { jobId: failed, ...done },
      { jobId: ids[4], ...refused('not_found') },
      { jobId: failed, ...done },
      { jobId: failed, ...refused('replay_limit_exceeded') },
    ])
    const made = results.flatMap(({ newJobId }) => newJobId ?? [])
    expect((await workOf(resellerId)).map((work) => work.delivery_id)).toEqual([...new Set(made)].sort())
  })

  it.each([[[]], [Array(51).fill('x')], ['x'], [[1]], [[null]], [{}], [undefined], [['x'.repeat(201)]]])(
    'are not asked for by %j',
    async (jobIds) => {
      await expect(replays.replayMany(1n, 'balance', jobIds)).rejects.toThrow(
        expect.objectContaining({
          status: 400,
          fields: { job_ids: [expect.stringMatching(/^The job_ids field must .*\.$/)] },
        }),
      )
    },
  )

  it('many replays of 50 deliveries are all made', async () => {
    const resellerId = await withEndpoint()
    const ids: string[] = []
    for (let each = 0; each < 50; each += 1) ids.push(await insert(resellerId))
    const results = await replays.replayMany(resellerId, 'balance', ids)
    expect(results.map(({ kind }) => kind)).toEqual(ids.map(() => 'replayed'))
    expect(await workOf(resellerId)).toHaveLength(50)
  })
})

it('a replay whose answer is lost is reported as uncertain', async () => {
  const resellerId = await withEndpoint()
  const id = await insert(resellerId)
  await withBreakableDatabase(test.connection, async (database, line) => {
    line.breakCommit('after')
    const replayed = createReplays(database).replay(resellerId, 'balance', id)
    await expect(replayed).rejects.toBeInstanceOf(UncertainCommitError)
  })
  expect(await workOf(resellerId)).toHaveLength(1)
})
