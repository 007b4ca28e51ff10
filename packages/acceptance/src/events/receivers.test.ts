import { lookup } from 'node:dns/promises'
import { hostname } from 'node:os'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Demo } from '../catalog.ts'
import { openDemo } from '../catalog.ts'
import { deposit, reload } from '../payments.ts'
import type { Behaviour, Receiver } from '../receiver/receiver.ts'
import { REACHES_RECEIVER, startReceiver } from '../receiver/receiver.ts'
import { until } from '../service.ts'
import type { Delivery, Hook, Subscriber } from './subscriber.ts'
import { createSubscriber, expectSigned, newPath, subscribeCallback, subscribeWebhook } from './subscriber.ts'

// The result of a delivery depends on its receiver. The test clock brings retries forward.

type World = { readonly demo: Demo; readonly database: pg.Pool }

let receiver: Receiver
/** Service with the usual timeout: every receiver that answers is in time, also on a busy machine. */
let usual: World
/** Service that waits a few seconds for receivers. Its receivers never answer. */
let hasty: World

const HASTY_SECONDS = 3

beforeAll(async () => {
  receiver = await startReceiver()
  usual = await openWorld({})
  hasty = await openWorld({ WARUNG_DELIVERY_TIMEOUT_SECONDS: String(HASTY_SECONDS) })
})

async function openWorld(settings: Readonly<Record<string, string>>): Promise<World> {
  const demo = await openDemo({ ...REACHES_RECEIVER, ...settings })
  const connectionString = String(demo.service.environment.DATABASE_URL)
  return { demo, database: new pg.Pool({ connectionString, max: 2 }) }
}

afterAll(async () => {
  for (const world of [usual, hasty]) {
    await world?.database.end()
    await world?.demo.end()
  }
})

const create = ({ demo }: World = usual) => createSubscriber(demo.service, null)

const WEBHOOK_MINUTES = [1, 2, 4]
const CALLBACK_MINUTES = [1, 1, 1]
const ATTEMPTS_MAX = 4

/** Waits until the delivery is finished. Between attempts it must be due at the scheduled time. */
async function untilFinal(
  shop: Subscriber,
  hook: Hook,
  minutes: readonly number[],
  { database }: World = usual,
): Promise<Delivery> {
  for (let attempt = 1; ; attempt += 1) {
    const { id, state } = await until(`attempt ${attempt} is written down`, () =>
      findTried(database, shop, attempt),
    )
    if (state !== 'pending') return shop.ask<Delivery>('GET', `/v2/${hook}/deliveries/${id}`)
    const minute = minutes[attempt - 1]
    if (minute === undefined) throw new Error(`there is no attempt ${attempt + 1}`)
    await expectDueIn(database, id, 60 * minute)
    await shop.advance(60 * minute)
  }
}

/** Finds the delivery in the database: dozens of tests that poll the service would be a load test. */
async function findTried(
  database: pg.Pool,
  shop: Subscriber,
  attempt: number,
): Promise<{ id: string; state: string } | undefined> {
  const { rows } = await database.query<{ id: string; state: string }>(
    `select d.id, d.status as state from deliveries d join resellers r on r.id = d.reseller_id
     where r.account = $1 and (d.attempts_made >= $2 or d.status <> 'pending')`,
    [shop.account, attempt],
  )
  return rows[0]
}

/** Expects the delivery to be due in this many seconds, less the time that has passed since. */
async function expectDueIn(database: pg.Pool, deliveryId: string, seconds: number): Promise<void> {
  const { rows } = await database.query<{ seconds: number }>(
    'select extract(epoch from next_at - clock_timestamp())::float8 as seconds from delivery_work where delivery_id = $1',
    [deliveryId],
  )
  expect(rows[0]?.seconds).toBeLessThanOrEqual(seconds)
  expect(rows[0]?.seconds).toBeGreaterThan(seconds - 50)
}

type Case = {
  readonly title: string
  readonly behaviour?: Behaviour
  /** Address to use instead of the receiver's plain port. */
  readonly origin?: () => string | Promise<string>
  readonly attempts: number
  readonly code: number
  readonly error: RegExp
  /** Requests that arrive; by default one per attempt. */
  readonly requests?: number
  readonly response?: RegExp
  readonly isSilent?: true
}

const status = (code: number, headers: Record<string, string> = {}): Behaviour => ({
  kind: 'answer',
  status: code,
  headers,
  body: `said ${code}`,
})

const received = (title: string, behaviour: Behaviour, code = 200, response = /./): Case => ({
  title,
  behaviour,
  attempts: 1,
  code,
  error: /^$/,
  response,
})
const given = (code: number): Case => ({
  ...received(`${code}`, status(code), code),
  error: new RegExp(`${code}`),
})
const retried = (title: string, behaviour: Behaviour, code: number, error: RegExp): Case => ({
  ...received(title, behaviour, code),
  attempts: ATTEMPTS_MAX,
  error,
  response: code === 0 ? /^$/ : /./,
})
/** Makes a case of a receiver that never ends its answer. */
const silent = (title: string, behaviour: Behaviour): Case => ({
  ...retried(title, behaviour, 0, new RegExp(`within ${HASTY_SECONDS} seconds`)),
  isSilent: true,
})
const unreached = (title: string, origin: Case['origin'], error: RegExp): Case => ({
  ...retried(title, status(200), 0, error),
  ...(origin && { origin }),
  requests: 0,
})

/** Address at which nobody listens. A port that was free a moment ago may be another test's by now. */
const NOBODY = 'http://127.0.0.1:1'

const CASES: readonly Case[] = [
  received('200', status(200), 200, /^said 200$/),
  received('201', status(201), 201),
  received('204', { kind: 'answer', status: 204 }, 204, /^$/),
  received('299', status(299), 299),
  received('200 with a compressed body, which is not unpacked', { kind: 'gzip' }, 200, /^$/),
  received('200 with a body without end', { kind: 'huge' }, 200, /^x{2000,2048}$/),
  { ...given(304), response: /^$/ },
  ...[301, 302, 307, 308, 400, 401, 403, 404, 410, 422].map(given),
  ...[408, 429, 500, 502, 503, 599].map((code) =>
    retried(`${code}`, status(code), code, new RegExp(`${code}`)),
  ),
  silent('silence', { kind: 'hang' }),
  silent('a head that never ends', { kind: 'drip_headers' }),
  silent('a body that never ends', { kind: 'drip_body' }),
  retried('a reset', { kind: 'reset' }, 0, /No answer/),
  retried('a connection that is closed', { kind: 'close' }, 0, /No answer/),
  retried('an answer that is cut off', { kind: 'truncated' }, 0, /No answer/),
  retried('what is no HTTP', { kind: 'garbage' }, 0, /No answer/),
  unreached('a port where nobody listens', () => NOBODY, /No connection/),
  unreached('a name that does not exist', () => 'http://nobody.invalid', /No connection/),
  unreached('a certificate of an unknown authority', () => receiver.urls.untrusted, /secure/),
  unreached('a certificate for another name', () => receiver.urls.otherName, /secure/),
  unreached(
    'plain HTTP where TLS is expected',
    () => receiver.urls.plain.replace('http:', 'https:'),
    /secure/,
  ),
]

async function checkCase(each: Case): Promise<void> {
  const world = each.isSilent ? hasty : usual
  const shop = await create(world)
  const path = newPath()
  const { behaviour = status(200), attempts, code } = each
  // A client that follows the redirect reaches the trap.
  const location = { Location: `http://127.0.0.1:${receiver.trapPort}${path}` }
  const isRedirect = code > 300 && code < 400
  await receiver.behave(path, isRedirect ? status(code, location) : behaviour)
  const origin = (await each.origin?.()) ?? receiver.urls.plain
  await receiver.verifyWith(path, await shop.setWebhook('balance-webhook', `${origin}${path}`))
  await deposit(world.demo.service, shop.account, '10')

  const delivery = await untilFinal(shop, 'balance-webhook', WEBHOOK_MINUTES, world)
  const isSuccess = code >= 200 && code < 300
  expect(delivery).toMatchObject({
    status: isSuccess ? 'success' : 'failed',
    retryCount: attempts - 1,
    retryLimit: 3,
    responseCode: code,
    responseStatusCode: code,
    completedAt: expect.any(String),
    error: expect.stringMatching(each.error),
  })
  expect(delivery.responseBody).toMatch(each.response ?? /./)
  const tried = await shop.attempts('balance-webhook', delivery.id)
  expect(tried.map(({ responseStatusCode }) => responseStatusCode)).toEqual(Array(attempts).fill(code))
  const arrived = await receiver.requests(path)
  expect(arrived).toHaveLength(each.requests ?? attempts)
  for (const request of arrived) {
    expectSigned(request, true)
    expect([request.body, request.headers['webhook-id']]).toEqual([arrived[0]?.body, delivery.eventId])
  }
}

describe('a delivery ends as its receiver’s answers say', () => {
  // All cases run at once: none waits for another, whatever the other's receiver does.
  const outcomes = new Map<string, Promise<unknown>>()
  beforeAll(async () => {
    for (const each of CASES)
      outcomes.set(
        each.title,
        checkCase(each).catch((error: unknown) => error),
      )
    await Promise.all(outcomes.values())
  })

  it.each(CASES.map(({ title, attempts }) => [title, attempts] as const))(
    '%s: attempts: %d',
    async (title) => {
      const problem = await outcomes.get(title)
      if (problem !== undefined) throw problem
    },
  )

  it('a receiver that recovers gets it at the next attempt, under the same id', async () => {
    const shop = await create()
    const path = await subscribeWebhook(receiver, shop, 'balance-webhook')
    await receiver.answer(path, 503, 429, 200)
    await deposit(usual.demo.service, shop.account, '10')
    const delivery = await untilFinal(shop, 'balance-webhook', WEBHOOK_MINUTES)
    expect(delivery).toMatchObject({ status: 'success', retryCount: 2, error: '', responseCode: 200 })
    const tried = await shop.attempts('balance-webhook', delivery.id)
    expect(tried.map(({ responseStatusCode }) => responseStatusCode)).toEqual([503, 429, 200])
    const ids = (await receiver.untilReceived(path, 3)).map(({ headers }) => headers['webhook-id'])
    expect(new Set(ids)).toEqual(new Set([delivery.eventId]))
  })

  it('callbacks are retried three times, a minute apart', async () => {
    const shop = await createSubscriber(usual.demo.service, '100')
    const path = await subscribeCallback(receiver, shop, 'GET')
    await receiver.answer(path, 500)
    await shop.pay(reload())
    const delivery = await untilFinal(shop, 'callback-url', CALLBACK_MINUTES)
    expect(delivery).toMatchObject({ status: 'failed', retryCount: 3, responseCode: 500 })
    expect(await receiver.untilReceived(path, ATTEMPTS_MAX)).toHaveLength(ATTEMPTS_MAX)
  })

  it('catalogue events are tried four times, and then dropped', async () => {
    const shop = await create()
    const path = await subscribeWebhook(receiver, shop, 'catalog-webhook')
    await receiver.behave(path, { kind: 'reset' })
    const change = ['--reseller', shop.account, '--product', 'KITA', '--name', 'Kita kami']
    await usual.demo.service.warungd('overlay', 'set', ...change)
    const delivery = await untilFinal(shop, 'catalog-webhook', WEBHOOK_MINUTES)
    expect(delivery).toMatchObject({ status: 'failed', retryCount: 3, responseCode: 0 })
    expect(await receiver.untilReceived(path, ATTEMPTS_MAX)).toHaveLength(ATTEMPTS_MAX)
  })
})

describe('an address that is not on the open internet', () => {
  const at = (host: string) => `http://${host}:${receiver.trapPort}/trap`
  /** Spellings of 127.0.0.2, which reaches the trap on this machine; 127.0.0.1 alone is allowed. */
  const REFUSED = [
    '127.0.0.2',
    '2130706434',
    '0x7f000002',
    '0177.0.0.2',
    '127.2',
    '[::1]',
    '[::]',
    '0.0.0.0',
    '[::ffff:127.0.0.2]',
    '[::ffff:7f00:2]',
    '[::127.0.0.2]',
    '[64:ff9b::127.0.0.2]',
    '[64:ff9b::7f00:1]',
    '[2002:7f00:2::1]',
    '10.0.0.1',
    '172.16.0.1',
    '192.168.0.1',
    '169.254.169.254',
    '100.64.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '[fe80::1]',
    '[fc00::1]',
    '[ff02::1]',
  ]

  it('is refused when it is saved', async () => {
    const shop = await create()
    for (const host of REFUSED) {
      const answer = await shop.call('PUT', '/v2/balance-webhook', { url: at(host) })
      expect([host, answer.status, Object.keys(answer.json<{ errors: object }>().errors)]).toEqual([
        host,
        400,
        ['url'],
      ])
      const callback = `/v2/callback-url?method=POST&url=${encodeURIComponent(at(host))}`
      expect([host, (await shop.call('POST', callback)).status]).toEqual([host, 400])
    }
  })

  it('is refused at the attempt, which is the only one, and no byte reaches it', async () => {
    const own = await lookup(hostname(), { all: true }).catch(() => [])
    // This machine's own name means a refused address, unless it means the allowed one.
    const names = own.length > 0 && own.every(({ address }) => address !== '127.0.0.1') ? [hostname()] : []
    await Promise.all(
      [...REFUSED, ...names].map(async (host) => {
        const shop = await create()
        await shop.setWebhook('balance-webhook', `${receiver.urls.plain}${newPath()}`)
        // The URL is changed as if it had been saved when it was allowed, or as a name that now means another address.
        await usual.database.query(
          `update event_endpoints e set url = $2 from resellers r where r.id = e.reseller_id and r.account = $1`,
          [shop.account, at(host)],
        )
        await deposit(usual.demo.service, shop.account, '10')
        const [delivery] = await shop.untilFinished('balance-webhook', 1)
        expect([host, delivery]).toMatchObject([
          host,
          { status: 'failed', retryCount: 0, responseCode: 0, responseBody: '', webhookUrl: at(host) },
        ])
        expect(delivery?.error).toMatch(/^Not sent/)
      }),
    )
    expect((await receiver.counts()).connections.trap).toBe(0)
  })
})
