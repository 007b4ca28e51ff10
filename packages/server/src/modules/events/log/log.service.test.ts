import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseQuery } from '../../../lib/input/forms.ts'
import { NO_MASKS } from '../../../lib/secrets/masks.ts'
import type { TestDatabase } from '../../../testing/database.ts'
import { openTestDatabase } from '../../../testing/database.ts'
import type { NewDelivery } from '../../../testing/events/deliveries.ts'
import { insertDelivery, newReseller } from '../../../testing/events/deliveries.ts'
import { createEventReader } from '../messages/reader.service.ts'
import type { Stream } from '../types.ts'
import { readLogParameters } from './log.rules.ts'
import type { DeliveryLog } from './log.service.ts'
import { createDeliveryLog } from './log.service.ts'
import { attemptsView, deliveryView } from './log.view.ts'

let test: TestDatabase
let log: DeliveryLog
let problems: unknown[] = []

beforeAll(async () => {
  test = await openTestDatabase()
  const onProblem = (error: unknown) => void problems.push(error)
  log = createDeliveryLog({ ...test, reader: createEventReader(test), onProblem })
})

afterAll(() => test.close())

async function newResellerId(): Promise<bigint> {
  return (await newReseller(test)).id
}

function insert(resellerId: bigint, wanted: NewDelivery = {}): Promise<string> {
  return insertDelivery(test, resellerId, wanted)
}

async function idsOf(resellerId: bigint, query = '', stream: Stream = 'balance'): Promise<string[]> {
  const { deliveries } = await log.list(resellerId, stream, readLogParameters(parseQuery(query)))
  return deliveries.map(({ delivery }) => delivery.id)
}

describe('a record', () => {
  it('says what was sent where, and what came of it', async () => {
    const { id: resellerId, account } = await newReseller(test)
    const attempts = [
      { at: '2026-03-01T00:00:00.000Z', ms: 30_000, status: 0, error: 'No answer in time' },
      { at: '2026-03-01T00:01:30.000Z', ms: 12, status: 500, error: 'The receiver answered 500' },
    ]
    const id = await insert(resellerId, { attempts, responseStatus: 500, response: 'Aduh!' })
    const logged = await log.get(resellerId, 'balance', id)
    const event = {
      type: 'balance.low',
      version: '1',
      id: logged.delivery.ref.eventId,
      created_at: logged.delivery.createdAt.toISOString(),
      data: expect.objectContaining({ resellerCode: account, amount: 100, balance: 50 }),
    }
    expect(deliveryView(logged, NO_MASKS)).toEqual({
      id,
      eventId: expect.stringMatching(/^evt_\d+_\d+$/),
      status: 'failed',
      error: 'The receiver answered 500',
      retryCount: 1,
      retryLimit: 3,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      completedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      webhookUrl: 'https://shop.example/then',
      webhookMethod: 'POST',
      replayCount: 0,
      originalJobId: null,
      payload: event,
      webhookPayload: event,
      responseCode: 500,
      responseStatusCode: 500,
      responseBody: 'Aduh!',
    })
    expect(attemptsView(await log.getAttempts(resellerId, 'balance', id))).toEqual({
      attempts: [
        {
          at: '2026-03-01T00:00:00.000Z',
          durationMs: 30_000,
          responseStatusCode: 0,
          error: 'No answer in time',
        },
        {
          at: '2026-03-01T00:01:30.000Z',
          durationMs: 12,
          responseStatusCode: 500,
          error: 'The receiver answered 500',
        },
      ],
    })
  })

  it('a record of a GET callback shows the bare object, and the four parameters that are sent', async () => {
    const resellerId = await newResellerId()
    const sample = { source: 'test', type: 'payment.succeeded', data: { refid: 'TEST-1' } } as const
    const id = await insert(resellerId, { ...sample, stream: 'callback', method: 'GET' })
    const { payload, webhookPayload } = deliveryView(await log.get(resellerId, 'callback', id), NO_MASKS)
    expect(payload).toMatchObject({ refid: 'TEST-1', statusCode: 20 })
    expect(Object.keys(webhookPayload ?? {})).toEqual(['refid', 'status', 'price', 'message'])
  })

  it('a record of a delivery under way has no end yet', async () => {
    const resellerId = await newResellerId()
    const id = await insert(resellerId, { status: 'pending' })
    expect(deliveryView(await log.get(resellerId, 'balance', id), NO_MASKS)).toMatchObject({
      status: 'pending',
      error: '',
      retryCount: 0,
      completedAt: null,
      responseCode: 0,
      responseBody: '',
    })
  })
})

describe('an id that is not in the log', () => {
  it('is answered alike, whether it is unknown, foreign, of another stream, superseded or no id', async () => {
    const [resellerId, other] = [await newResellerId(), await newResellerId()]
    const superseded = await insert(resellerId, { stream: 'callback', status: 'superseded' })
    const asked: [Stream, string][] = [
      ['balance', '0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b'],
      ['balance', await insert(other)],
      ['balance', await insert(resellerId, { stream: 'catalog' })],
      ['callback', superseded],
      ['balance', 'nonsense'],
    ]
    for (const [stream, id] of asked) {
      const missing = expect.objectContaining({ status: 404, publicText: 'There is no such delivery.' })
      await expect(log.get(resellerId, stream, id), id).rejects.toThrow(missing)
      await expect(log.getAttempts(resellerId, stream, id), id).rejects.toThrow(missing)
    }
  })
})

describe('the list', () => {
  it('has its own account and stream alone, newest first, and nothing that was superseded', async () => {
    const [resellerId, other] = [await newResellerId(), await newResellerId()]
    await insert(other)
    await insert(resellerId, { stream: 'catalog' })
    const first = await insert(resellerId, { createdMs: 1_000_000, status: 'success' })
    const third = await insert(resellerId, { createdMs: 1_000_002 })
    const second = await insert(resellerId, { createdMs: 1_000_001 })
    await insert(resellerId, { createdMs: 1_000_003, status: 'superseded' })
    const pending = await insert(resellerId, { createdMs: 1_000_004, status: 'pending' })
    expect(await idsOf(resellerId)).toEqual([third, second, first])
    expect(await idsOf(resellerId, 'status=all')).toEqual([third, second, first])
    expect(await idsOf(resellerId, 'status=success')).toEqual([first])
    expect(await idsOf(resellerId, 'status=failed')).toEqual([third, second])
    expect(await idsOf(resellerId, 'status=pending')).toEqual([pending])
  })

  it('is cut by days of the local clock and by instants, both ends included', async () => {
    const resellerId = await newResellerId()
    const at = (iso: string) => insert(resellerId, { createdMs: Date.parse(iso) })
    const before = await at('2026-02-28T15:59:59.999Z')
    const start = await at('2026-02-28T16:00:00.000Z')
    const end = await at('2026-03-01T15:59:59.999Z')
    const after = await at('2026-03-01T16:00:00.000Z')
    expect(await idsOf(resellerId, 'from=2026-03-01&to=2026-03-01')).toEqual([end, start])
    expect(await idsOf(resellerId, 'from=2026-03-01')).toEqual([after, end, start])
    expect(await idsOf(resellerId, 'to=2026-03-01')).toEqual([end, start, before])
    expect(await idsOf(resellerId, 'from=2026-03-01T15:59:59.999Z&to=2026-03-02T00:00:00%2B08:00')).toEqual([
      after,
      end,
    ])
    expect(await idsOf(resellerId, 'to=1969-01-01')).toEqual([])
    expect(await idsOf(resellerId, 'from=9999-12-31')).toEqual([])
  })

  it('is searched by the id of an event, which finds its replays too, and the filters still count', async () => {
    const resellerId = await newResellerId()
    const eventId = `evt_${resellerId}_12`
    await insert(resellerId, { eventId: `${eventId}0` })
    await insert(resellerId, { eventId, stream: 'catalog' })
    const failed = await insert(resellerId, { eventId, createdMs: 2_000_000 })
    const replayed = await insert(resellerId, {
      eventId,
      createdMs: 2_000_001,
      status: 'success',
      replayNumber: 1,
    })
    expect(await idsOf(resellerId, `search=${eventId}`)).toEqual([replayed, failed])
    expect(await idsOf(resellerId, `search=%20${eventId}%20&status=failed`)).toEqual([failed])
    expect(await idsOf(resellerId, `search=${eventId}&from=2026-01-01`)).toEqual([])
    expect(await idsOf(resellerId, 'search=nothing%00')).toEqual([])
  })

  it('is searched by the beginning of an id where no event has that id', async () => {
    const resellerId = await newResellerId()
    const at = (place: number, stream: Stream = 'balance') =>
      insert(resellerId, { eventId: `evt_${resellerId}_${place}`, createdMs: 3_000_000 - place, stream })
    const [first, second, other] = [await at(123), await at(124), await at(224)]
    await at(1, 'catalog')
    expect(await idsOf(resellerId, `search=evt_${resellerId}_12`)).toEqual([first, second])
    expect(await idsOf(resellerId, `search=evt_${resellerId}_12&limit=1`)).toEqual([first])
    expect(await idsOf(resellerId, `search=evt_${resellerId}_12&status=success`)).toEqual([])
    expect(await idsOf(resellerId, 'search=evt_')).toEqual([first, second, other])
    // Patterns are none.
    expect(await idsOf(resellerId, 'search=evt%25')).toEqual([])
    // The event of another stream.
    expect(await idsOf(resellerId, `search=evt_${resellerId}_1`)).toEqual([])
    expect(await idsOf(await newResellerId(), 'search=evt_')).toEqual([])
  })

  it('is searched by a beginning that thousands have, newest first', async () => {
    const resellerId = await newResellerId()
    await test.database.query(
      `insert into deliveries (reseller_id, stream, id, event_id, source, subject, type, data, at, status, url, method,
                               created_at)
       select $1, 'balance', new_delivery_id(now() + n * interval '1 second', 0), event_id($1, 10000 + n), 'own', 0,
              'balance.low', '{"threshold": 10000, "balance": 5000}', now(), 'success', '', 'POST', now() from generate_series(1, 2500) n`,
      [resellerId],
    )
    const found = await log.list(resellerId, 'balance', readLogParameters(parseQuery('search=evt_&limit=3')))
    expect(found.deliveries.map(({ delivery }) => delivery.ref.eventId)).toEqual(
      [12500, 12499, 12498].map((sequence) => `evt_${resellerId}_${sequence}`),
    )
  })

  it('goes on where a page ended, whatever arrives meanwhile', async () => {
    const resellerId = await newResellerId()
    for (const status of ['failed', 'success', 'pending'] as const) {
      const expected: string[] = []
      for (let each = 0; each < 7; each += 1) expected.unshift(await insert(resellerId, { status }))
      const seen: string[] = []
      let cursor: string | null = ''
      while (cursor !== null) {
        const query = `status=${status}&limit=3&cursor=${cursor}`
        const page = await log.list(resellerId, 'balance', readLogParameters(parseQuery(query)))
        seen.push(...page.deliveries.map(({ delivery }) => delivery.id))
        cursor = page.cursor
        await insert(resellerId, { status })
      }
      expect(seen).toEqual(expected)
    }
  })

  it('has no next page when the last one was full', async () => {
    const resellerId = await newResellerId()
    await insert(resellerId)
    await insert(resellerId)
    const full = await log.list(resellerId, 'balance', readLogParameters(parseQuery('limit=2')))
    expect(full.cursor).toBeNull()
    const one = await log.list(resellerId, 'balance', readLogParameters(parseQuery('limit=1')))
    expect(one.cursor).toMatch(/^[\w-]{22}$/)
  })
})

describe('records that cannot be read', () => {
  const spoilt = (resellerId: bigint, id: string, change: string) =>
    test.database.query(`update deliveries set ${change} where reseller_id = $1 and id = $2`, [
      resellerId,
      id,
    ])

  it.each([
    ['an answer that does not open', `sealed_response = '\\x00ff'`, { responseBody: '' }],
    ['an event that cannot be told', `data = '{}'`, { payload: null, webhookPayload: null }],
    ['an event that has no message', `type = 'case.opened', source = 'test'`, { payload: null }],
  ])('%s is in the way of no other delivery, and told once', async (_, change, shown) => {
    const resellerId = await newResellerId()
    const ids: string[] = []
    for (let each = 0; each < 3; each += 1) ids.unshift(await insert(resellerId, { response: 'Aduh!' }))
    const bad = ids[1] ?? ''
    await spoilt(resellerId, bad, change)
    problems = []
    const page = await log.list(resellerId, 'balance', readLogParameters(parseQuery('')))
    expect(page.deliveries.map(({ delivery }) => delivery.id)).toEqual(ids)
    expect(
      page.deliveries.map((each) => deliveryView(each, NO_MASKS)).filter((view) => view.payload !== null),
    ).toHaveLength('payload' in shown ? 2 : 3)
    expect(problems).toHaveLength(1)
    expect(deliveryView(await log.get(resellerId, 'balance', bad), NO_MASKS)).toMatchObject({
      id: bad,
      ...shown,
    })
  })
})
