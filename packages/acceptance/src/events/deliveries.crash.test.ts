import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Demo } from '../catalog.ts'
import { startDemo } from '../catalog.ts'
import { payerAt, reload } from '../payments.ts'
import type { Received, Receiver } from '../receiver/receiver.ts'
import { REACHES_RECEIVER, startReceiver } from '../receiver/receiver.ts'
import type { ServiceProcess } from '../service.ts'
import { makeDirectory, until } from '../service.ts'
import type { Delivery, Subscriber } from './subscriber.ts'
import { createSubscriber, subscribeCallback, subscriberAt, subscribeWebhook } from './subscriber.ts'

// A node is killed while a thousand deliveries of three streams are in progress, fan-out included; another continues.

const BILLERS = 400
const PAYMENTS_EACH = 50
/** Deliveries of two accounts: each payment causes a callback and a balance.deducted. */
const DELIVERIES_MIN = 2 * (BILLERS + 2 * PAYMENTS_EACH)
/** Time for sending all of them: seconds on a quiet machine, and minutes on a busy one. */
const SENT_MS_MAX = 180_000
/** Limit of requests that one receiver has at a time: a crash can cut off this many, and they are sent again. */
const AT_A_TIME_MAX = 16

let demo: Demo<ServiceProcess>
let receiver: Receiver
let database: pg.Client

beforeAll(async () => {
  receiver = await startReceiver()
  demo = await startDemo({
    ...REACHES_RECEIVER,
    WARUNG_SIMULATOR_TIMEOUT_SECONDS: '1',
    WARUNG_LEASE_SECONDS: '3',
  })
  database = new pg.Client({ connectionString: String(demo.service.environment.DATABASE_URL) })
  await database.connect()
})

afterAll(async () => {
  await database?.end()
  await demo?.end()
})

type Shop = { readonly subscriber: Subscriber; readonly paths: readonly string[] }

/** Opens a shop that receives all three streams, and answers slowly. */
async function openShop(): Promise<Shop> {
  const subscriber = await createSubscriber(demo.service, '10000')
  await until('its deposit is in the feed', hasNoFacts)
  const paths = [
    await subscribeCallback(receiver, subscriber, 'POST'),
    await subscribeWebhook(receiver, subscriber, 'balance-webhook'),
    await subscribeWebhook(receiver, subscriber, 'catalog-webhook'),
  ]
  await subscriber.ask('PUT', '/v2/balance-webhook/types', { types: ['balance.deducted'] })
  for (const path of paths)
    await receiver.behave(path, { kind: 'answer', status: 200, body: 'ok', delayMs: 60 })
  return { subscriber, paths }
}

async function renameBillers(): Promise<void> {
  const directory = await makeDirectory()
  const file = join(directory, 'export.json')
  await demo.service.warungd('catalog', 'export', '--file', file)
  const { options } = JSON.parse(await readFile(file, 'utf8')) as { options: Record<string, unknown>[] }
  const billers = options.filter(({ product }) => product === 'BILLPAY').slice(0, BILLERS)
  const renamed = billers.map((option) => ({ ...option, label: `${option.label} (new)` }))
  await writeFile(file, JSON.stringify({ options: renamed }))
  await demo.service.warungd('catalog', 'import', '--file', file)
}

const payMany = ({ subscriber }: Shop) =>
  Promise.all(Array.from({ length: PAYMENTS_EACH }, () => subscriber.pay(reload({ product: 'KITA' }))))

async function hasNoFacts(): Promise<boolean> {
  const { rows } = await database.query('select from event_facts limit 1')
  return rows.length === 0
}

/** Returns true when nothing is left to be numbered, spread or sent, and every payment is final. */
/** Account of the payment that is stuck in the demo's shop. */
const STUCK = '60123453003'

async function isQuiet(): Promise<boolean> {
  const { rows } = await database.query<{ left: number }>(
    `select (select count(*) from event_facts) + (select count(*) from event_fanouts)
          + (select count(*) from delivery_work) + (select count(*) from catalog_changes where expanded_at is null)
          + (select count(*) from payments where code in (0, 1) and account <> $1) as left`,
    [STUCK],
  )
  return Number(rows[0]?.left) === 0
}

type Logged = {
  event_id: string
  stream: string
  status: string
  attempts_made: number
  attempts: { status: number; error: string }[]
  response_status: number
}

async function logOf({ subscriber }: Shop): Promise<Logged[]> {
  const { rows } = await database.query<Logged>(
    `select event_id, stream, d.status, attempts_made, attempts, response_status
     from deliveries d join resellers r on r.id = d.reseller_id
     where r.account = $1 and d.status <> 'superseded'`,
    [subscriber.account],
  )
  return rows
}

/** Expects each delivery to be received at least once, and the log and the receiver to have the same deliveries. */
async function expectTrue(shop: Shop): Promise<number> {
  const arrived = new Map<string, Received[]>()
  for (const path of shop.paths) {
    for (const request of await receiver.requests(path)) {
      expect(request.standard).toEqual(['verified'])
      const key = `${path} ${request.headers['webhook-id']}`
      arrived.set(key, [...(arrived.get(key) ?? []), request])
    }
  }
  const log = await logOf(shop)
  const streams = ['callback', 'balance', 'catalog']
  let cutOff = 0
  for (const each of log) {
    const key = `${shop.paths[streams.indexOf(each.stream)]} ${each.event_id}`
    const requests = arrived.get(key) ?? []
    expect([key, each.status, each.response_status]).toEqual([key, 'success', 200])
    expect(each.attempts).toHaveLength(each.attempts_made)
    expect(each.attempts.map(({ status }) => status)).toEqual(Array(each.attempts_made).fill(200))
    // A cut-off request is not in the log, because its result is unknown.
    expect(requests.length, key).toBeGreaterThanOrEqual(each.attempts_made)
    expect(new Set(requests.map(({ body }) => body)).size, key).toBe(1)
    cutOff += requests.length - each.attempts_made
    arrived.delete(key)
  }
  expect([...arrived.keys()]).toEqual([])
  expect(cutOff).toBeLessThanOrEqual(AT_A_TIME_MAX * shop.paths.length)
  expect(log.filter(({ stream }) => stream === 'catalog')).toHaveLength(BILLERS)
  expect(log.filter(({ stream }) => stream === 'balance')).toHaveLength(PAYMENTS_EACH)
  return log.length
}

/** Expects sequence numbers without a gap, as the account reads them. */
async function expectWholeFeed({ subscriber }: Shop, at: string): Promise<void> {
  const sequences: number[] = []
  for (let after = 0, hasMore = true; hasMore; ) {
    const path = `/v2/events?after=${after}&limit=1000`
    const page = await subscriber.ask<{ data: { sequence: number }[]; next: number; has_more: boolean }>(
      'GET',
      path,
    )
    sequences.push(...page.data.map(({ sequence }) => sequence))
    after = page.next
    hasMore = page.has_more
  }
  expect(sequences, at).toEqual(Array.from({ length: sequences.length }, (_, index) => index + 1))
}

it('no delivery of a thousand is forgotten when their node is killed, and the log is true', async () => {
  const shops = [await openShop(), await openShop()]
  const renaming = renameBillers()
  await Promise.all(shops.map(payMany))
  await renaming
  const before = await until('some hundred were received', async () => {
    const { requests } = await receiver.counts()
    return requests >= DELIVERIES_MIN / 3 && requests
  })
  await demo.service.kill9()
  expect(before).toBeLessThan(DELIVERIES_MIN)

  const { service } = await demo.startAnother()
  await until('everything was sent', isQuiet, SENT_MS_MAX)
  let total = 0
  for (const { subscriber, paths } of shops) {
    const here = {
      subscriber: subscriberAt(
        service,
        payerAt(service, { ...subscriber.credentials, account: subscriber.account }),
      ),
      paths,
    }
    total += await expectTrue(here)
    await expectWholeFeed(here, subscriber.account)
    const [newest] = await here.subscriber.deliveries('catalog-webhook', 'limit=1')
    expect(newest).toMatchObject({
      status: 'success',
      responseCode: 200,
      responseBody: 'ok',
    } satisfies Partial<Delivery>)
  }
  expect(total).toBeGreaterThanOrEqual(DELIVERIES_MIN)
}, 360_000)
