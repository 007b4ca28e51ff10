import { execFile, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import {
  newSecret,
  sealSecret,
} from '../../../packages/server/dist/modules/events/endpoints/secrets.service.js'
import type { Runtime } from '../../../packages/server/dist/runtime.js'
import type { Suite } from './measure.ts'
import { median } from './measure.ts'
import { ANSWERED_AT_ONCE, measurePayments, openWallets, startPayers } from './payers.ts'
import type { PostOrders } from './post-load.ts'
import type { Service } from './service.ts'
import { launchService } from './service.ts'
import type { Credentials } from './signed.ts'

const RECEIVERS = 10
const WALLETS = 100
const EVENTS_PER_SECOND = 500
const EVENTS_SECONDS = 10
const DELIVERIES = 10_000
const POSTING_CONNECTIONS = 32
const PAYMENTS = 8_000
const ROUNDS = 3
const WANTED = { p99Ms: 100, deliveries: 0.8, payments: 0.9 }

type Arrivals = [event: string, atMs: number][]
type Stream = 'callback' | 'balance'
type Receiver = Awaited<ReturnType<typeof startReceiver>>

async function startReceiver() {
  const child = fork(fileURLToPath(new URL('./receiver.js', import.meta.url)))
  const [url] = (await once(child, 'message')) as [string]
  const ask = async (question: 'take' | 'count' | 'body'): Promise<unknown> => {
    child.send(question)
    const [answer] = await once(child, 'message')
    return answer
  }
  return {
    url,
    take: async () => (await ask('take')) as Arrivals,
    count: async () => Number(await ask('count')),
    body: async () => String(await ask('body')),
    stop: () => child.disconnect(),
  }
}

/** Lists the accounts' ids, in the order of their credentials. */
async function idsOf({ database }: Runtime, credentials: Credentials[]) {
  const keys = credentials.map(({ apiKey }) => apiKey)
  const { rows } = await database.query<{ key: string; reseller_id: bigint }>(
    'select key, reseller_id from api_keys where key = any ($1)',
    [keys],
  )
  const byKey = new Map(rows.map((row) => [row.key, row.reseller_id]))
  return keys.flatMap((key) => byKey.get(key) ?? [])
}

async function putEndpoint({ database, vault }: Runtime, resellerId: bigint, stream: Stream, url: string) {
  await database.query(
    `insert into event_endpoints (reseller_id, stream, url, method, is_enabled, types, sealed_secret, secret_last_four,
                                  secret_created_at, created_at, updated_at)
     values ($1, $2, $3, 'POST', true, '{balance.low}', $4, '', now(), now(), now())
     on conflict (reseller_id, stream) do update set url = excluded.url, is_enabled = true`,
    [resellerId, stream, url, sealSecret(vault, resellerId, stream, newSecret())],
  )
}

const disable = ({ database }: Runtime) => database.query('update event_endpoints set is_enabled = false')

async function untilNothingIsPending({ database }: Runtime) {
  for (;;) {
    const { rows } = await database.query(
      `select 1 where exists (select from event_facts)
           or exists (select from delivery_work w join event_endpoints e using (reseller_id, stream)
                       where e.url not like '%/hanging%')`,
    )
    if (rows.length === 0) return
    await delay(20)
  }
}

/** Measures the time from the event's own commit to the request at the receiver. The first receiver hangs. */
async function measureLatency(service: Service, receiver: Receiver, credentials: Credentials[]) {
  const { runtime } = service
  const ids = await idsOf(runtime, credentials)
  for (const [index, id] of ids.entries()) {
    await putEndpoint(runtime, id, 'callback', `${receiver.url}/${index === 0 ? 'hanging' : index}`)
  }
  await receiver.take()
  const result = await startPayers({
    url: `${service.baseUrl}/v2/topup`,
    credentials,
    connections: 32,
    requests: EVENTS_PER_SECOND * EVENTS_SECONDS,
    perSecond: EVENTS_PER_SECOND,
    payment: ANSWERED_AT_ONCE,
  })
  if (result.failed > 0) throw new Error(`${result.failed} payments failed, such as: ${result.example}`)
  await untilNothingIsPending(runtime)
  const arrivals = new Map(await receiver.take())
  const { rows } = await runtime.database.query<{ event_id: string; at_ms: number }>(
    `select event_id, (extract(epoch from at) * 1000)::float8 as at_ms from deliveries where stream = 'callback'`,
  )
  const latencies = rows.flatMap(({ event_id: id, at_ms: atMs }) => {
    const arrivedMs = arrivals.get(id)
    return arrivedMs === undefined ? [] : [arrivedMs - atMs]
  })
  latencies.sort((a, b) => a - b)
  const at = (part: number) =>
    latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * part))] ?? Number.NaN
  await disable(runtime)
  return { count: latencies.length, p50Ms: at(0.5), p99Ms: at(0.99), perSecond: result.perSecond }
}

const rateOf = (arrivals: Arrivals) => {
  const times = arrivals.map(([, at]) => at)
  return (arrivals.length - 1) / ((Math.max(...times) - Math.min(...times)) / 1_000)
}

async function deliverMany(service: Service, receiver: Receiver, ids: bigint[]) {
  const { runtime } = service
  for (const [index, id] of ids.entries())
    await putEndpoint(runtime, id, 'balance', `${receiver.url}/${index}`)
  await receiver.take()
  await runtime.database.query(
    `select append_facts('own', array_agg(($1::bigint[])[1 + i % cardinality($1::bigint[])]), array_agg(0::bigint),
                         null, null, null, null, 'balance.low', '{"threshold": 1000000, "balance": 995000}', now())
       from generate_series(1, $2::integer) as i`,
    [ids, DELIVERIES],
  )
  while ((await receiver.count()) < DELIVERIES) await delay(50)
  await untilNothingIsPending(runtime)
  return { perSecond: rateOf(await receiver.take()) }
}

async function postMany(receiver: Receiver) {
  const orders: PostOrders = {
    url: `${receiver.url}/bare`,
    body: await receiver.body(),
    requests: DELIVERIES,
    connections: POSTING_CONNECTIONS,
  }
  await receiver.take()
  const script = fileURLToPath(new URL('./post-load.js', import.meta.url))
  await promisify(execFile)(process.execPath, [script, JSON.stringify(orders)])
  return { perSecond: rateOf(await receiver.take()) }
}

type Speed = { perSecond: number }

/** Runs both in turns, so that a busy neighbour affects both. The first round warms up. */
async function inTurns(first: () => Promise<Speed>, second: () => Promise<Speed>) {
  const rounds: { a: number; b: number }[] = []
  for (let round = 0; round <= ROUNDS; round += 1) {
    const measured = { a: 0, b: 0 }
    if (round % 2 === 0) measured.a = (await first()).perSecond
    measured.b = (await second()).perSecond
    if (round % 2 === 1) measured.a = (await first()).perSecond
    if (round > 0) rounds.push(measured)
  }
  return {
    a: median(rounds.map(({ a }) => a)),
    b: median(rounds.map(({ b }) => b)),
    ratio: median(rounds.map(({ a, b }) => a / b)),
  }
}

async function measurePaying(
  service: Service,
  receiver: Receiver,
  credentials: Credentials[],
  ids: bigint[],
  withCallbacks: boolean,
) {
  const { runtime } = service
  await disable(runtime)
  if (withCallbacks) {
    for (const [index, id] of ids.entries())
      await putEndpoint(runtime, id, 'callback', `${receiver.url}/${index}`)
  }
  const candidate = { payment: ANSWERED_AT_ONCE, wallets: WALLETS, untilFinal: true, count: PAYMENTS }
  const result = await measurePayments(service, credentials, candidate)
  await untilNothingIsPending(runtime)
  return result
}

export default {
  name: 'events',
  summary:
    'from the commit to the receiver, beside a bare client posting the same bodies; payments with callbacks on',
  async run(print) {
    const dataDir = await mkdtemp(join(tmpdir(), 'warung-bench-'))
    const receiver = await startReceiver()
    const settings = { WARUNG_OUTBOUND_ALLOW: '127.0.0.0/8' }
    let service = await launchService(dataDir, settings)
    try {
      const credentials = await openWallets(service, WALLETS)
      const ids = await idsOf(service.runtime, credentials)
      const paying = await inTurns(
        () => measurePaying(service, receiver, credentials, ids, true),
        () => measurePaying(service, receiver, credentials, ids, false),
      )
      print(`  payments, callbacks on              ${paying.a.toFixed(0).padStart(7)}/s`)
      print(`  payments, callbacks off             ${paying.b.toFixed(0).padStart(7)}/s`)
      print(`    ${paying.ratio.toFixed(2)} of those without (wanted: at least ${WANTED.payments})`)
      await disable(service.runtime)
      await service.stop()
      // One process is compared with one process.
      service = await launchService(dataDir, { ...settings, WARUNG_PROCESSES: '1' })
      const sending = await inTurns(
        () => deliverMany(service, receiver, ids.slice(0, RECEIVERS)),
        () => postMany(receiver),
      )
      print(`  deliveries, ${RECEIVERS} receivers            ${sending.a.toFixed(0).padStart(7)}/s`)
      print(`  a bare client, ${POSTING_CONNECTIONS} at a time        ${sending.b.toFixed(0).padStart(7)}/s`)
      print(`    ${sending.ratio.toFixed(2)} × the bare client (wanted: at least ${WANTED.deliveries})`)
      // The first run warms up code and caches.
      await measureLatency(service, receiver, credentials.slice(0, RECEIVERS))
      const latency = await measureLatency(service, receiver, credentials.slice(0, RECEIVERS))
      print(
        `  commit to first attempt, ${latency.perSecond.toFixed(0)} events/s, one of ${RECEIVERS} receivers hanging: ` +
          `p50 ${latency.p50Ms.toFixed(0)} ms, p99 ${latency.p99Ms.toFixed(0)} ms of ${latency.count} ` +
          `(wanted: p99 under ${WANTED.p99Ms} ms)`,
      )
    } finally {
      receiver.stop()
      await service.stop()
      await rm(dataDir, { recursive: true, force: true })
    }
  },
} satisfies Suite
