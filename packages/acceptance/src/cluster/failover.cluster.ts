import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import type { ClientNode } from '../faults/clients.ts'
import { until } from '../service.ts'
import { compareBooks } from './books.ts'
import type { Part } from './setup.ts'
import type { Recovery } from './times.ts'
import { firstAcknowledged, longestGap, tableOf } from './times.ts'
import type { ClusterWorld } from './world.ts'
import { openClusterWorld } from './world.ts'

// The cluster of deploy/cluster under load: its parts are killed and its links cut, and all books must agree afterwards.

const { kills, seed, only } = inject('clusterRun')
const has = (part: Part) => only.length === 0 || only.includes(part)
const itFor = (part: Part) => it.runIf(has(part))
const NAMES = ['one', 'two', 'three'] as const

let world: ClusterWorld
const recoveries: Recovery[] = []

beforeAll(async () => {
  world = await openClusterWorld(seed)
  await servedAt(world.fronts)
  report(`${kills} kills of the leader, seed ${seed}${only.length > 0 ? `, only ${only.join(', ')}` : ''}`)
})

afterAll(async () => {
  if (recoveries.length > 0) report(`recovery:\n${tableOf(recoveries)}`)
  await world?.close()
})

function report(text: string): void {
  process.stdout.write(`  ${text}\n`)
}

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`

/** Waits until a new payment is acknowledged at each of these addresses. */
async function servedAt(fronts: readonly ClientNode[]): Promise<void> {
  await Promise.all(fronts.map((front) => world.load.payAt(front)))
}

type Fault = {
  /** Kind of the fault, as the table names it. */
  readonly fault: string
  /** Time of the fault, in milliseconds since 1970. */
  readonly atMs: number
  /** Addresses that must serve; by default all of them. */
  readonly fronts?: readonly ClientNode[]
  /** Waits for what the fault has to cause before recovery is measured to its end. */
  readonly whenServed?: () => Promise<unknown>
  /** Mends what does not mend itself. */
  readonly mend?: () => unknown
}

/** Waits until clients are served again and until everything is there again, and notes the times. */
async function recover({ fault, atMs, fronts = world.fronts, whenServed, mend }: Fault): Promise<void> {
  const faultMs = world.nowMs() - (Date.now() - atMs)
  const end = world.note(fault, faultMs)
  await servedAt(fronts)
  const everywhereMs = world.nowMs() - faultMs
  await whenServed?.()
  const firstMs = firstAcknowledged(world.exchanges, faultMs) ?? everywhereMs
  const longestGapMs = longestGap(world.exchanges, faultMs, world.nowMs())
  await mend?.()
  end()
  await world.trial.untilWhole()
  const wholeMs = world.nowMs() - faultMs
  recoveries.push({ fault, firstMs, everywhereMs, longestGapMs, wholeMs })
  const gap = `longest time without an answer ${seconds(longestGapMs)}`
  const served = `first payment after ${seconds(firstMs)}, everywhere after ${seconds(everywhereMs)}`
  report(`${fault}: ${served}; ${gap}; everything is there again after ${seconds(wholeMs)}`)
}

/** Waits for a moment that depends on the seed, so that faults hit different moments of the cluster's own loops. */
async function someMoment(): Promise<void> {
  const atMs = Date.now() + world.random.next() * 6_000
  await until('the moment has come', async () => Date.now() >= atMs)
}

/** Compares all books: clients, ledger, provider, receivers, feed, history and statement. The clients begin anew. */
async function expectBooksAgree(): Promise<void> {
  await world.trial.untilWhole()
  const { violations, stories, figures } = await compareBooks(world.books())
  for (const story of stories) report(story)
  for (const [name, value] of Object.entries(figures)) report(`${name}: ${value}`)
  expect(violations).toEqual([])
  expect(figures.payments).toBeGreaterThan(0)
  expect(await world.trial.warungd('ledger', 'verify')).toMatchObject({ ok: true })
  expect(await world.trial.warungd('audit', 'verify')).toMatchObject({ ok: true })
}

describe.runIf(has('leader'))('when the leader is killed', () => {
  it(`the standby leads without a person (${kills} times)`, async () => {
    for (let number = 1; number <= kills; number += 1) {
      const { leader: before } = await world.trial.untilWhole()
      world.work()
      await someMoment()
      const stay = world.random.chance(0.5)
      const { atMs } = await world.trial.kill('leader', { stay })
      report(`leader ${number} of ${kills}:`)
      await recover({
        fault: `leader killed, ${stay ? 'its machine stays away' : 'its processes start again'}`,
        atMs,
        ...(stay && {
          whenServed: async () => expect((await world.trial.state()).leader).not.toBe(before),
          mend: () => world.trial.start(`${before}.patroni`),
        }),
      })
    }
  })

  it('all books agree afterwards', expectBooksAgree)
})

describe.runIf((['standby', 'etcd', 'service', 'machine'] as const).some(has))(
  'when another part dies',
  () => {
    itFor('standby')('the standby: payments go on, and the standby comes back', async () => {
      const { standby = '' } = await world.trial.untilWhole()
      world.work()
      await someMoment()
      const { atMs } = await world.trial.kill('standby', { stay: true })
      await recover({ fault: 'standby killed', atMs, mend: () => world.trial.start(`${standby}.patroni`) })
    })

    itFor('etcd')('the leader of etcd: payments go on', async () => {
      const { machines } = await world.trial.untilWhole()
      const name = machines.find(({ etcd }) => etcd === 'leader')?.name ?? 'one'
      world.work()
      await someMoment()
      const { atMs } = await world.trial.kill(`${name}.etcd`)
      await recover({ fault: 'leader of etcd killed', atMs })
    })

    itFor('etcd')('two of three members of etcd: payments go on', async () => {
      const { leader } = await world.trial.untilWhole()
      world.work()
      await someMoment()
      await world.trial.kill('one.etcd', { stay: true })
      const { atMs } = await world.trial.kill('three.etcd', { stay: true })
      const mend = async () => {
        await world.trial.start('one.etcd')
        await world.trial.start('three.etcd')
      }
      const whenServed = () => servedWithoutEtcd(atMs)
      await recover({ fault: 'two members of etcd killed', atMs, whenServed, mend })
      expect((await world.trial.state()).leader).toBe(leader)
    })

    itFor('service').each(NAMES)(
      'the service on machine %s: clients are served by the others',
      async (name) => {
        await world.trial.untilWhole()
        world.work()
        await someMoment()
        const { atMs } = await world.trial.kill(`${name}.service`)
        await recover({ fault: 'a service killed', atMs })
      },
    )

    itFor('machine')(
      'the whole machine of the leader: the standby leads, and clients are served by the other machines',
      async () => {
        const { leader = '' } = await world.trial.untilWhole()
        world.work()
        await someMoment()
        const { atMs } = await world.trial.kill(leader, { stay: true })
        const fronts = world.fronts.filter(({ index }) => NAMES[index] !== leader)
        const mend = () => world.trial.start(leader)
        await recover({ fault: 'whole machine of the leader killed', atMs, fronts, mend })
      },
    )

    it('all books agree afterwards', expectBooksAgree)
  },
)

const SILENT_MS = 20_000
const HOLDS_WITHIN_MS = 240_000
/** The leader's key in etcd has run out by then, and a leader that stepped down would have stopped. */
const WITHOUT_ETCD_MS = 40_000

/** Waits until a leader that has lost etcd for longer than its key lives still takes payments. */
async function servedWithoutEtcd(atMs: number): Promise<void> {
  await until('etcd was silent for a while', async () => Date.now() > atMs + WITHOUT_ETCD_MS, HOLDS_WITHIN_MS)
  await servedAt(world.fronts)
}

describe.runIf(has('links'))('when a link falls silent', () => {
  it('the one between the servers: the leader goes on alone, and the standby catches up', async () => {
    await world.trial.untilWhole()
    world.work()
    await someMoment()
    const { atMs, restore } = world.trial.cut(({ from }) => from === 'postgres')
    await recover({ fault: 'link between the servers silent', atMs, mend: restore })
  })

  it('the one between the leader and etcd: the leader goes on, because the standby hears it', async () => {
    const { leader } = await world.trial.untilWhole()
    world.work()
    await someMoment()
    const { atMs, restore } = world.trial.cut(({ from }) => from === `${leader}.patroni`)
    await recover({
      fault: 'link between the leader and etcd silent',
      atMs,
      whenServed: () => servedWithoutEtcd(atMs),
      mend: restore,
    })
    expect((await world.trial.state()).leader).toBe(leader)
  })

  it('the one between the leader and etcd while no standby may take over: the leader goes on', async () => {
    const { leader } = await world.trial.untilWhole()
    world.work()
    // The leader notes in etcd that it goes on alone. Afterwards both servers have the same log again, but for some
    // seconds nobody knows it.
    const servers = world.trial.cut(({ from }) => from === 'postgres')
    await until(
      'the leader goes on alone',
      async () => {
        const { leader: now, standby } = await world.trial.state()
        return now === leader && standby === undefined
      },
      HOLDS_WITHIN_MS,
    )
    servers.restore()
    const { atMs, restore } = world.trial.cut(({ from }) => from === `${leader}.patroni`)
    await recover({
      fault: 'link between the leader and etcd silent while it goes on alone',
      atMs,
      whenServed: () => servedWithoutEtcd(atMs),
      mend: restore,
    })
    expect((await world.trial.state()).leader).toBe(leader)
  })

  it('all of the leader: it steps down, and the standby leads', async () => {
    const { leader } = await world.trial.untilWhole()
    world.work()
    await someMoment()
    const isOfLeader = ({ from, to }: { from: string; to: string }) =>
      from === `${leader}.patroni` || (from.endsWith('.haproxy') && to.startsWith(`${leader}.`))
    const isBetweenServers = ({ from }: { from: string }) => from === 'postgres' || from === 'patroni'
    const { atMs, restore } = world.trial.cut((link) => isOfLeader(link) || isBetweenServers(link))
    const standbyLeads = async () => {
      await until(
        'the standby leads',
        async () => {
          const { leader: now } = await world.trial.state()
          return now !== undefined && now !== leader
        },
        HOLDS_WITHIN_MS,
      )
      await servedAt(world.fronts)
    }
    await recover({ fault: 'all links of the leader silent', atMs, whenServed: standbyLeads, mend: restore })
  })

  it('the one between a machine and the leader: its clients are served by the other machines', async () => {
    const { leader } = await world.trial.untilWhole()
    const name = leader === 'one' ? 'two' : 'one'
    world.work()
    await someMoment()
    const isLink = ({ from, to }: { from: string; to: string }) =>
      from === `${name}.haproxy` && to.startsWith(`${leader}.`)
    const { atMs, restore } = world.trial.cut(isLink)
    await recover({ fault: 'link between one machine and the leader silent', atMs, mend: restore })
  })

  it('the one between a service and its HAProxy: its clients are served by the others', async () => {
    await world.trial.untilWhole()
    world.work()
    await someMoment()
    const { atMs, restore } = world.trial.cut(({ from }) => from === 'three.service')
    await recover({ fault: 'link between a service and its HAProxy silent', atMs, mend: restore })
  })

  it('the one between the members of etcd: payments go on', async () => {
    const { machines } = await world.trial.untilWhole()
    const name = machines.find(({ etcd }) => etcd === 'leader')?.name ?? 'one'
    world.work()
    await someMoment()
    const { atMs, restore } = world.trial.cut(({ from, to }) => from === 'etcd' && to === `${name}.etcd`)
    const silence = async () => {
      await until('it was silent for a while', async () => Date.now() > atMs + SILENT_MS, HOLDS_WITHIN_MS)
      await servedAt(world.fronts)
    }
    await recover({ fault: 'links to the leader of etcd silent', atMs, whenServed: silence, mend: restore })
  })

  it('all books agree afterwards', expectBooksAgree)
})
