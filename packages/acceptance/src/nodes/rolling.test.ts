import type { IncomingMessage } from 'node:http'
import { get } from 'node:http'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Demo } from '../catalog.ts'
import { startDemo } from '../catalog.ts'
import { untilKnown } from '../edge.ts'
import type { Subscriber } from '../events/subscriber.ts'
import { subscribeCallback, subscriberAt } from '../events/subscriber.ts'
import { send } from '../http.ts'
import { countEntries, payerAt, RELOAD_COST, ringgit } from '../payments.ts'
import type { Shop } from '../portal/members.ts'
import { openShop } from '../portal/members.ts'
import type { Receiver } from '../receiver/receiver.ts'
import { REACHES_RECEIVER, startReceiver } from '../receiver/receiver.ts'
import type { Service, ServiceProcess } from '../service.ts'
import { until } from '../service.ts'
import type { Balancer } from './balancer.ts'
import { startBalancer } from './balancer.ts'
import type { Load } from './steady-clients.ts'
import { startLoad } from './steady-clients.ts'

// Two nodes on one database behind a balancer that follows /readyz. Both are restarted under load, one after the other.

const DEPOSIT = 100_000
const ROWS = 10_000

let demo: Demo<ServiceProcess>
let second: ServiceProcess
let receiver: Receiver
let balancer: Balancer
let database: pg.Client
let shop: Shop
let subscriber: Subscriber
let callbackPath: string

beforeAll(async () => {
  receiver = await startReceiver()
  demo = await startDemo({
    ...REACHES_RECEIVER,
    WARUNG_DRAIN_SECONDS: '5',
    // The reader of the test is as slow as the test.
    WARUNG_DRAIN_ANSWERS_SECONDS: '600',
    WARUNG_WRITE_STALL_SECONDS: '600',
  })
  database = new pg.Client({ connectionString: String(demo.service.environment.DATABASE_URL) })
  await database.connect()
  second = (await demo.startAnother()).service
  shop = await openShop(demo.service, String(DEPOSIT))
  await untilKnown(second, shop.payer.credentials)
  balancer = await startBalancer()
  const payer = payerAt(balancer, { ...shop.payer.credentials, account: shop.payer.account })
  subscriber = subscriberAt(balancer, payer)
  await enter(demo.service)
  await enter(second)
  callbackPath = await subscribeCallback(receiver, subscriber, 'POST')
})

afterAll(async () => {
  balancer?.close()
  await database?.end()
  await demo?.end()
})

async function enter({ baseUrl }: Service): Promise<void> {
  balancer.add(baseUrl)
  await until('the balancer uses the node', async () => balancer.isReady(baseUrl))
}

/** Stops a node as a rolling restart does, and waits until it has ended. */
async function leave(node: Service): Promise<void> {
  expect(await node.stop()).toBe(0)
  balancer.remove(node.baseUrl)
}

/** Waits until the load has got this many answers more. */
async function untilMore(load: Load, answers: number): Promise<void> {
  const from = load.requests
  await until('the load goes on', async () => load.noticed.length > 0 || load.requests >= from + answers)
}

/** Inserts payments with long remarks, of yesterday and before. The list of them is larger than all buffers. */
async function insertPayments(account: string): Promise<void> {
  await database.query(
    `insert into payments (reseller_id, id, refid, product_code, product_name, account, amount, face_value, cost,
                           balance_after, code, remarks, sender, member_id, provider, created_at, changed_at)
     select r.id, ((extract(epoch from at.at) * 1000)::bigint << 20) + n, 'long-' || n, 'NOVA', 'Nova reload',
            '60123456789', 100000, 100000, 97000, 0, 20, repeat('long ', 400), '192.0.2.7', '42', 'sim', at.at, at.at
       from generate_series(1, $2::integer) n
      cross join lateral (select now() - interval '1 day' - n * interval '1 second' as at) at
      cross join resellers r where r.account = $1`,
    [account, ROWS],
  )
}

/** Asks for the list of all payments, and reads nothing of it yet. */
function beginList(node: Service): Promise<IncomingMessage> {
  const headers = { Cookie: `warung_member=${shop.viewer.secret}` }
  return new Promise((resolve, reject) => {
    get(`${node.baseUrl}/portal/v1/payments.csv`, { headers, agent: false }, resolve).on('error', reject)
  })
}

async function countLong(list: IncomingMessage): Promise<number> {
  let [count, tail] = [0, '']
  for await (const piece of list) {
    const lines = (tail + String(piece)).split('\r\n')
    tail = lines.pop() ?? ''
    count += lines.filter((line) => line.includes(',long-')).length
  }
  return count
}

describe('a rolling restart under load', () => {
  it('a node that has no other process to put in its place goes on when it is asked to reload', async () => {
    second.signal('SIGUSR2')
    await until('it says so', async () => second.output().includes('not reloaded'))
    expect((await send({ baseUrl: second.baseUrl, path: '/healthz' })).status).toBe(200)
  })

  it('is noticed by no client, and no payment and no callback is lost', async () => {
    const load = startLoad(subscriber)
    await untilMore(load, 40)
    await leave(demo.service)
    await untilMore(load, 40)
    const third = (await demo.startAnother()).service
    await enter(third)
    await untilMore(load, 40)
    await leave(second)
    await untilMore(load, 40)
    await load.end()

    expect(load.noticed).toEqual([])
    expect(balancer.errors).toEqual([])
    // Each node said that it leaves while it still accepted connections.
    expect([...balancer.departures.values()]).toEqual(['503', '503'])
    for (const body of load.paid) await subscriber.untilStatus(body, 'Succesful')
    expect(await subscriber.balance()).toBe(ringgit(DEPOSIT - load.paid.length * RELOAD_COST))
    expect(await countEntries(third, subscriber.account)).toBe(1 + load.paid.length)
    await expectCallbacks(load)
    second = third
  })

  it('a slow reader gets the whole of a long list from a node that stops', async () => {
    await insertPayments(subscriber.account)
    const list = await beginList(second)
    const ended = second.stop()
    await until('it accepts no connection', () =>
      send({ baseUrl: second.baseUrl, path: '/healthz' }).then(
        () => false,
        (error: NodeJS.ErrnoException) => error.code === 'ECONNREFUSED',
      ),
    )
    expect(await countLong(list)).toBe(ROWS)
    expect(await ended).toBe(0)
  })
})

/** Expects a callback about the end of each payment, and one event for each callback. */
async function expectCallbacks({ paid }: Load): Promise<void> {
  const wanted = new Set(paid.map(({ refid }) => String(refid)))
  const bodies = new Map<string, string>()
  await until(
    'every callback has come',
    async () => {
      for (const { body, headers, standard } of await receiver.requests(callbackPath)) {
        expect(standard).toEqual(['verified'])
        const id = String(headers['webhook-id'])
        expect(bodies.get(id) ?? body).toBe(body)
        bodies.set(id, body)
        const { data = {} } = JSON.parse(body) as { data?: Record<string, unknown> }
        if (data.status === 'Succesful') wanted.delete(String(data.refid))
      }
      return wanted.size === 0
    },
    180_000,
  )
}
