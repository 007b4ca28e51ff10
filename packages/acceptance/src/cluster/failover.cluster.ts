import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { untilKnown } from '../edge.ts'
import type { Subscriber } from '../events/subscriber.ts'
import { subscribeCallback, subscriberAt } from '../events/subscriber.ts'
import { credentialsOf } from '../http.ts'
import { payerAt } from '../payments.ts'
import type { Receiver } from '../receiver/receiver.ts'
import { REACHES_RECEIVER, startReceiver } from '../receiver/receiver.ts'
import { stopServices, until } from '../service.ts'
import type { Simulator } from '../simulator.ts'
import { startSimulator } from '../simulator.ts'
import { expectBooksAgree } from './books.ts'
import type { Load } from './load.ts'
import { startLoad } from './load.ts'
import type { Trial } from './trial.ts'
import { startTrial } from './trial.ts'

// The cluster of deploy/cluster under load: its parts are killed and its links cut, and all books must agree in the end.

const { kills, seed } = inject('clusterRun')

let trial: Trial
let simulator: Simulator
let receiver: Receiver
let payer: Subscriber
let callbackPath: string
let load: Load

beforeAll(async () => {
  simulator = await startSimulator()
  receiver = await startReceiver()
  trial = await startTrial({
    ...REACHES_RECEIVER,
    WARUNG_SIMULATOR_URL: simulator.url,
    // A busy machine may need seconds to reach the provider, and a payment whose provider cannot be reached fails.
    WARUNG_SIMULATOR_TIMEOUT_SECONDS: '10',
    WARUNG_LEASE_SECONDS: '20',
  })
  const [front = ''] = trial.fronts
  const credentials = { ...credentialsOf(trial.reseller), account: trial.reseller.account }
  for (const baseUrl of Object.values(trial.services)) {
    await untilKnown({ baseUrl, warungd: trial.warungd }, credentials)
  }
  payer = subscriberAt({ baseUrl: front }, payerAt({ baseUrl: front }, credentials))
  callbackPath = await subscribeCallback(receiver, payer, 'POST')
  load = startLoad(payer.credentials, trial.fronts)
  await Promise.all(trial.fronts.map((each) => load.payAt(each)))
  report(`${kills} kills of the leader, seed ${seed}`)
})

afterAll(async () => {
  await load?.stop()
  await trial?.end()
  await stopServices()
})

function report(text: string): void {
  process.stdout.write(`  ${text}\n`)
}

/** Returns numbers from 0 to 1 that depend on the seed alone. */
function randomFrom(start: number): () => number {
  let state = start >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const random = randomFrom(seed)
const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`

/** Waits until clients are served again at these addresses, by payments that were sent after the fault. */
async function untilServed(what: string, atMs: number, addresses: readonly string[]): Promise<void> {
  await Promise.all(addresses.map((address) => load.payAt(address)))
  const servedMs = Date.now() - atMs
  const firstMs = await until('a client was answered', async () => load.firstAfter(atMs))
  const gap = `longest time without an answer ${seconds(load.longestGap(atMs))}`
  report(`${what}: first payment after ${seconds(firstMs)}, everywhere after ${seconds(servedMs)}; ${gap}`)
}

const SILENT_MS = 20_000
const HOLDS_WITHIN_MS = 240_000

function untilHolds(what: string, isTrue: () => Promise<boolean>): Promise<boolean> {
  return until(what, isTrue, HOLDS_WITHIN_MS)
}

async function untilWhole(atMs: number): Promise<void> {
  await trial.untilWhole()
  report(`  everything is there again after ${seconds(Date.now() - atMs)}`)
}

/** Waits for a moment that depends on the seed, so that faults hit different moments of the cluster's own loops. */
async function someMoment(): Promise<void> {
  const atMs = Date.now() + random() * 6_000
  await until('the moment has come', async () => Date.now() >= atMs)
}

it(`a killed leader is replaced without a person (${kills} times)`, async () => {
  for (let number = 1; number <= kills; number += 1) {
    const { leader: before } = await trial.untilWhole()
    await someMoment()
    const stay = random() < 0.5
    const { atMs } = await trial.kill('leader', { stay })
    const how = stay ? 'its machine stays away' : 'its processes start again'
    await untilServed(`leader ${number} of ${kills} (${how})`, atMs, trial.fronts)
    if (stay) {
      expect((await trial.state()).leader).not.toBe(before)
      await trial.start(`${before}.patroni`)
    }
    await untilWhole(atMs)
  }
})

describe('when another part dies', () => {
  it('the standby: payments go on, and the standby comes back', async () => {
    const { standby = '' } = await trial.untilWhole()
    await someMoment()
    const { atMs } = await trial.kill('standby', { stay: true })
    await untilServed('standby', atMs, trial.fronts)
    await trial.start(`${standby}.patroni`)
    await untilWhole(atMs)
  })

  it('the leader of etcd: payments go on', async () => {
    const { machines } = await trial.untilWhole()
    const name = machines.find(({ etcd }) => etcd === 'leader')?.name ?? 'one'
    await someMoment()
    const { atMs } = await trial.kill(`${name}.etcd`)
    await untilServed('leader of etcd', atMs, trial.fronts)
    await untilWhole(atMs)
  })

  it.each(['one', 'two', 'three'])(
    'the service on machine %s: clients are served by the others',
    async (name) => {
      await trial.untilWhole()
      await someMoment()
      const { atMs } = await trial.kill(`${name}.service`)
      await untilServed(`service ${name}`, atMs, trial.fronts)
      await untilWhole(atMs)
    },
  )

  it('the whole machine of the leader: the standby leads, and clients are served by the other machines', async () => {
    const { leader = '' } = await trial.untilWhole()
    await someMoment()
    const { atMs } = await trial.kill(leader, { stay: true })
    const others = trial.fronts.filter((_, index) => ['one', 'two', 'three'][index] !== leader)
    await untilServed(`machine ${leader}`, atMs, others)
    await trial.start(leader)
    await untilWhole(atMs)
  })
})

describe('when a link falls silent', () => {
  it('the one between the servers: the leader goes on alone, and the standby catches up', async () => {
    await trial.untilWhole()
    await someMoment()
    const { atMs, restore } = trial.cut(({ from }) => from === 'postgres')
    await untilServed('link between the servers', atMs, trial.fronts)
    restore()
    await untilWhole(atMs)
  })

  it('the one between the leader and etcd: the leader steps down, and the standby leads', async () => {
    const { leader } = await trial.untilWhole()
    await someMoment()
    const { atMs, restore } = trial.cut(({ from }) => from === `${leader}.patroni`)
    // The leader goes on until its key runs out.
    await untilHolds('the standby leads', async () => {
      const { leader: now } = await trial.state()
      return now !== undefined && now !== leader
    })
    await untilServed('link between the leader and etcd', atMs, trial.fronts)
    restore()
    await untilWhole(atMs)
  })

  it('the one between a machine and the leader: its clients are served by the other machines', async () => {
    const { leader } = await trial.untilWhole()
    const name = leader === 'one' ? 'two' : 'one'
    await someMoment()
    const { atMs, restore } = trial.cut(
      ({ from, to }) => from === `${name}.haproxy` && to.startsWith(`${leader}.`),
    )
    await untilServed(`link between machine ${name} and the leader`, atMs, trial.fronts)
    restore()
    await untilWhole(atMs)
  })

  it('the one between a service and its HAProxy: its clients are served by the others', async () => {
    await trial.untilWhole()
    await someMoment()
    const { atMs, restore } = trial.cut(({ from }) => from === 'three.service')
    await untilServed('link between service three and its HAProxy', atMs, trial.fronts)
    restore()
    await untilWhole(atMs)
  })

  it('the one between the members of etcd: payments go on', async () => {
    const { machines } = await trial.untilWhole()
    const name = machines.find(({ etcd }) => etcd === 'leader')?.name ?? 'one'
    await someMoment()
    const { atMs, restore } = trial.cut(({ from, to }) => from === 'etcd' && to === `${name}.etcd`)
    await untilHolds('the link was silent for a while', async () => Date.now() > atMs + SILENT_MS)
    await untilServed('links to the leader of etcd', atMs, trial.fronts)
    restore()
    await untilWhole(atMs)
  })
})

it('no acknowledged payment is lost or doubled: clients, ledger, provider and receiver agree', async () => {
  await trial.untilWhole()
  await load.stop()
  const database = new pg.Client({ connectionString: trial.databaseUrl })
  database.on('error', () => {})
  await database.connect()
  const [baseUrl = ''] = Object.values(trial.services)
  const figures = await expectBooksAgree({
    load,
    database,
    simulator,
    receiver,
    callbackPath,
    payer,
    baseUrl,
  })
  await database.end()
  expect(await trial.warungd('ledger', 'verify')).toMatchObject({ ok: true })
  for (const [name, value] of Object.entries(figures)) report(`${name}: ${value}`)
})
