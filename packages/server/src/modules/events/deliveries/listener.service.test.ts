import type { ServerResponse } from 'node:http'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Database } from '../../../db/database.ts'
import type { DeliveringBench, Receiver } from '../../../testing/events/delivering.ts'
import { openDeliveringBench, openReceiver } from '../../../testing/events/delivering.ts'
import { until } from '../../../testing/payments/payments.ts'
import { newSecret, sealSecret, signingKeyOf } from '../endpoints/secrets.service.ts'
import { signatureHeaders } from '../endpoints/signing.rules.ts'
import type { Deliverer } from './delivering.jobs.ts'
import { startListening } from './listener.service.ts'

let bench: DeliveringBench
let receiver: Receiver

beforeEach(async () => {
  bench = await openDeliveringBench()
  receiver = await openReceiver()
})
afterEach(async () => {
  await receiver.close()
  await bench.close()
})

/** Collects the payloads of notifications, at the latest when the node gets them. */
function overhear(database: Database, heard: string[]): Database {
  return {
    ...database,
    async dedicatedConnection() {
      const connection = await database.dedicatedConnection()
      connection.on('notification', ({ payload = '' }) => void heard.push(payload))
      return connection
    },
  }
}

/** Statement that listens to the deliveries of this schema. */
async function listenText(): Promise<string> {
  const { rows } = await bench.database.query<{ name: string }>(
    "select quote_ident(channel_prefix() || 'deliveries') as name",
  )
  return `listen ${rows[0]?.name}`
}

type Scene = {
  readonly resellerId: bigint
  readonly secret: string
  readonly engine: Deliverer
  /** Changes the endpoint, and then lets the receiver answer. */
  changeAndGoOn(change: string, values?: readonly unknown[]): Promise<void>
}

/** A receiver that has some requests under way, while the node has read many more of its deliveries. */
async function openScene(): Promise<Scene> {
  const resellerId = await bench.newReseller()
  await bench.sequence()
  const secret = await bench.putEndpoint(resellerId, 'balance', receiver.url)
  await bench.queueBalance(resellerId, 200)
  const waiting: ServerResponse[] = []
  receiver.answerWith((_, response) => {
    // Enough to be trusted with many at a time.
    if (receiver.received.length <= 60) response.end()
    else waiting.push(response)
  })
  const heard: string[] = []
  const engine = bench.openEngine({ database: overhear(bench.openAnother(), heard) })
  await until('the receiver has its hands full', () => waiting.length === 16)
  return {
    resellerId,
    secret,
    engine,
    async changeAndGoOn(change, values = []) {
      await bench.database.query(change, [resellerId, ...values])
      await until('the node has heard of it', () => heard.includes(`${resellerId} balance`))
      receiver.answerWith((_, response) => void response.end())
      for (const response of waiting) response.end()
    },
  }
}

const BEGUN = 76

describe('a change of an endpoint, from the moment on at which a node hears of it', () => {
  it('a rotated secret signs nothing more', async () => {
    const { resellerId, changeAndGoOn } = await openScene()
    const secret = newSecret()
    await changeAndGoOn('update event_endpoints set sealed_secret = $2 where reseller_id = $1', [
      sealSecret(bench.vault, resellerId, 'balance', secret),
    ])
    await until('everything arrived', () => receiver.received.length === 200)
    for (const { headers, body } of receiver.received.slice(BEGUN)) {
      expect(headers).toMatchObject(
        signatureHeaders({
          stream: 'balance',
          eventId: String(headers['webhook-id']),
          timestampSeconds: Number(headers['webhook-timestamp']),
          payload: body,
          keys: [signingKeyOf(secret)],
        }),
      )
    }
  })

  it.each([
    ['disabled', 'update event_endpoints set is_enabled = false where reseller_id = $1', 'is disabled'],
    ['removed', 'delete from event_endpoints where reseller_id = $1', 'was removed'],
    ['paused', 'update event_endpoints set paused_at = now() where reseller_id = $1', 'is paused'],
  ])('nothing more is sent to an endpoint that was %s', async (_, change, error) => {
    const { resellerId, changeAndGoOn } = await openScene()
    await changeAndGoOn(change)
    const rows = await until('all are finished', async () => {
      const found = await bench.deliveriesOf(resellerId)
      return found.every(({ status }) => status !== 'pending') && found
    })
    expect(receiver.received).toHaveLength(BEGUN)
    const ended = rows.filter(({ status }) => status === 'failed')
    expect(ended).toHaveLength(200 - BEGUN)
    for (const row of ended) expect(row).toMatchObject({ error: `The endpoint ${error}`, attempts_made: 0 })
  })

  it('nothing more is sent to the old address', async () => {
    const { changeAndGoOn } = await openScene()
    const moved = await openReceiver()
    await changeAndGoOn('update event_endpoints set url = $2 where reseller_id = $1', [moved.url])
    await until('the rest arrived', () => moved.received.length === 200 - BEGUN)
    expect(receiver.received).toHaveLength(BEGUN)
    await moved.close()
  })
})

it('notes of deliveries at an endpoint are no change of it', async () => {
  const resellerId = await bench.newReseller()
  await bench.putEndpoint(resellerId, 'balance', receiver.url)
  const heard: string[] = []
  const listener = await overhear(bench.database, heard).dedicatedConnection()
  await listener.query(await listenText())
  await bench.database.query(
    `update event_endpoints set last_success_at = now(), failing_since = now(), failure_told_at = now(),
            types = '{balance.low}', url = url, paused_at = null where reseller_id = $1`,
    [resellerId],
  )
  await bench.database.query("select pg_notify(channel_prefix() || 'deliveries', 'last')")
  await until('the last is heard', () => heard.includes('last'))
  expect(heard).toEqual(['last'])
  await listener.end()
})

it('a notification of queued deliveries names their lanes, however many there are', async () => {
  const heard: string[] = []
  const listener = await overhear(bench.database, heard).dedicatedConnection()
  await listener.query(await listenText())
  const ids: bigint[] = []
  for (let index = 0; index < 260; index += 1) ids.push(await bench.newReseller())
  await bench.sequence()
  for (const id of ids) await bench.putEndpoint(id, 'balance', receiver.url)
  await bench.database.query(
    `select append_facts('own', $1::bigint[], array_fill(0::bigint, array[260]), null, null, null, null, 'balance.low',
                         '{"threshold": 10000, "balance": 5000}', now())`,
    [ids],
  )
  await bench.sequence()
  await bench.database.query("select pg_notify(channel_prefix() || 'deliveries', 'last')")
  await until('the last is heard', () => heard.includes('last'))
  const told = heard.filter((payload) => payload.startsWith('queued '))
  expect(told).toHaveLength(2)
  const named = told.flatMap((payload) => payload.slice('queued '.length).split(','))
  expect(named.sort()).toEqual(ids.map((id) => `${id} balance`).sort())
  await listener.end()
})

it('a node that is woken for one lane does not read the other lanes that it holds', async () => {
  const ids: bigint[] = []
  for (let index = 0; index < 20; index += 1) ids.push(await bench.newReseller())
  await bench.sequence()
  for (const id of ids) await bench.putEndpoint(id, 'balance', receiver.url)
  const own = bench.openAnother()
  let readsOfMany = 0
  bench.openEngine({
    database: {
      ...own,
      query(statement, values) {
        const isRead = typeof statement === 'object' && statement.name === 'deliveries_list_due'
        if (isRead && String(values?.[0]).includes(',')) readsOfMany += 1
        return own.query<never>(statement, values)
      },
    },
  })
  for (const id of ids) await bench.queueBalance(id, 1)
  await until('all lanes are held and read', () => receiver.received.length === 20 && readsOfMany > 0)
  const [first = 0n] = ids
  const readsBefore = readsOfMany
  const startedAtMs = performance.now()
  for (let count = 1; count <= 40; count += 1) {
    await bench.queueBalance(first, 1)
    await until('it has arrived', () => receiver.received.length === 20 + count)
  }
  // All lanes are read twice a second, and when the connection is checked.
  expect(readsOfMany - readsBefore).toBeLessThanOrEqual(3 + (performance.now() - startedAtMs) / 400)
})

it('a node that is always woken for one lane finds in another what nobody told it of', async () => {
  const [told, untold] = [await bench.newReseller(), await bench.newReseller()]
  await bench.sequence()
  const other = await openReceiver()
  await bench.putEndpoint(told, 'balance', receiver.url)
  await bench.putEndpoint(untold, 'balance', other.url)
  const own = bench.openAnother()
  // Checks of the listening connection, with which all lanes are read too.
  let checks = 0
  bench.openEngine({
    database: {
      ...own,
      async dedicatedConnection() {
        const connection = await own.dedicatedConnection()
        const query = connection.query.bind(connection) as (...given: unknown[]) => never
        return Object.assign(connection, {
          query(...given: unknown[]) {
            checks += 1
            return query(...given)
          },
        })
      },
    },
  })
  other.answerWith((_, response) => void response.writeHead(500).end())
  await bench.queueBalance(untold, 1)
  await until('the first attempt was recorded', async () =>
    (await bench.deliveriesOf(untold)).some(({ attempts_made: made }) => made === 1),
  )
  let wakes = 0
  const wake = async () => {
    wakes += 1
    await bench.queueBalance(told, 1)
    await until('the told one has arrived', () => receiver.received.length >= wakes)
  }
  // Two checks of the connection are seconds apart; a machine that stands still for so long gets another try.
  for (let tries = 1; ; tries += 1) {
    const checksBefore = checks
    await until('the connection was checked', async () => {
      await wake()
      return checks > checksBefore
    })
    const checksAfter = checks
    const attempts = other.received.length
    // The retry becomes due without a notification. Its lane was given back meanwhile, and becomes due with it.
    await bench.database.query('update delivery_work set next_at = now() where reseller_id = $1', [untold])
    await bench.database.query(
      'update delivery_lanes set next_at = now() where reseller_id = $1 and holder is null',
      [untold],
    )
    await until('the retry has arrived', async () => {
      await wake()
      return other.received.length > attempts
    })
    if (checks === checksAfter) break
    expect(tries).toBeLessThan(3)
  }
  await other.close()
})

it('a node that finds no connection at first looks for one until it stops', async () => {
  const problems: unknown[] = []
  const listener = startListening({
    database: {
      ...bench.database,
      dedicatedConnection: () => Promise.reject(new Error('no server there')),
    },
    onQueued: () => {},
    onQueuedIn: () => {},
    onChanged: () => {},
    onProblem: (error) => void problems.push(error),
  })
  await until('it was told', () => problems.length === 1)
  await listener.stop()
})
