import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Database } from '../../../db/database.ts'
import { sampleCategory, sampleOption, sampleProduct } from '../../../testing/catalog/catalog-samples.ts'
import type { Account, CatalogBench } from '../../../testing/catalog/catalog-store.ts'
import { makeBillers, openCatalogBench, seedBase } from '../../../testing/catalog/catalog-store.ts'
import { expandChanges } from '../../catalog/changes/jobs.ts'
import { applyBase } from '../../catalog/edit/base.service.ts'
import type { BaseChange, Catalog } from '../../catalog/model/store.types.ts'
import { startFanningOut } from './fanout.jobs.ts'
import type { FanOutStep } from './fanout.service.ts'
import { fanOutStep } from './fanout.service.ts'
import { sequenceFacts } from './sequencer.sql.ts'

let bench: CatalogBench
let node: Catalog
let one: Account
let two: Account

beforeEach(async () => {
  bench = await openCatalogBench()
  await seedBase(bench.database)
  node = await bench.openNode()
  await expandChanges({ database: bench.database, catalog: node })
  one = await bench.newAccount()
  two = await bench.newAccount()
})

afterEach(() => bench.close())

async function register(account: Account): Promise<void> {
  await bench.database.query(
    `insert into event_endpoints (reseller_id, stream, url, method, is_enabled, sealed_secret, secret_last_four,
                                  secret_created_at, created_at, updated_at)
     values ($1, 'catalog', 'https://shop.example/hooks', 'POST', true, '', 'abcd', now(), now(), now())`,
    [account.id],
  )
}

const configure = (account: Account, change: string) =>
  bench.database.query(`update event_endpoints set ${change} where reseller_id = $1 and stream = 'catalog'`, [
    account.id,
  ])

/** A change up to the point where its deliveries are to be made. */
async function change(content: BaseChange): Promise<void> {
  await applyBase(bench.database, content, 'test')
  await expandChanges({ database: bench.database, catalog: node })
  await sequenceFacts(bench.database, 100)
}

const rename = (count: number, label = 'Renamed') => change({ options: makeBillers(count, { label }) })

type Options = { database?: Database; after?: bigint; accountsMax?: number; eventsMax?: number }
const step = (options: Options = {}): Promise<FanOutStep> =>
  fanOutStep({ database: bench.database, after: 0n, ...options })

async function finish(options: Options = {}): Promise<number> {
  let steps = 0
  while ((await step(options)).last !== undefined) {
    steps += 1
    // Pretends that they were sent: the queue before the receiver is short again.
    await bench.database.query('delete from delivery_work')
  }
  return steps
}

type Made = { event_id: string; type: string; resource_id: string; status: string; error: string }

/** The account's deliveries in the order of its log, with the events that they point to. */
async function deliveriesOf(account: Account): Promise<Made[]> {
  const { rows } = await bench.database.query<Made>(
    `select d.event_id, e.type, e.resource_id, d.status, d.error
     from deliveries d
     left join catalog_events e
       on e.version = d.subject and e.set_id = d.catalog_set_id and e.position = d.catalog_position
     where d.reseller_id = $1 and d.stream = 'catalog' and d.source = 'catalog'
     order by split_part(d.event_id, '_', 3)::bigint`,
    [account.id],
  )
  return rows
}

async function count(table: string, account: Account): Promise<number> {
  const { rows } = await bench.database.query<{ count: number }>(
    `select count(*)::integer as count from ${table} where reseller_id = $1`,
    [account.id],
  )
  return rows[0]?.count ?? 0
}

/** Created, deleted and unchanged options, over several sets: events are sent in another order than they are stored in. */
const MIXED: BaseChange = {
  categories: [sampleCategory({ code: 'MORE', name: 'More', displayOrder: 3 })],
  products: [sampleProduct({ isActive: false }), sampleProduct({ code: 'NEW', categoryCode: 'MORE' })],
  options: [
    ...makeBillers(1_300, { label: 'Renamed' }).slice(2),
    ...makeBillers(2, { isActive: false }),
    sampleOption({ label: 'Ten' }),
  ],
}

it('each event of a change becomes one delivery, numbered and ordered as the feed tells it', async () => {
  await register(one)
  await change(MIXED)
  const told = await bench.eventsOf(one)
  expect(new Set(told.map(({ data }) => data === null))).toEqual(new Set([true, false]))
  await finish({ eventsMax: 97 })

  const made = await deliveriesOf(one)
  expect(made.map(({ type, resource_id }) => [type, resource_id])).toEqual(
    told.map(({ type, id }) => [type, id]),
  )
  expect(made.map(({ event_id }) => event_id)).toEqual(told.map((_, index) => `evt_${one.id}_${index + 1}`))
  expect(await count('event_fanouts', one)).toBe(0)
  expect(await count('delivery_lanes', one)).toBe(1)
  expect(await count('deliveries', two)).toBe(0)
})

it('two changes of one account are told one after the other', async () => {
  await register(one)
  await rename(3, 'First')
  await rename(3, 'Second')
  await step({ eventsMax: 2 })
  await step({ eventsMax: 2 })
  expect((await deliveriesOf(one)).map(({ event_id }) => event_id)).toEqual(
    [1, 2, 3].map((sequence) => `evt_${one.id}_${sequence}`),
  )
  await finish()
  expect(await deliveriesOf(one)).toHaveLength(6)
})

it('a large change of one account does not delay the change of another', async () => {
  await register(one)
  await rename(2_000)
  await register(two)
  await change({ products: [sampleProduct({ note: 'New' })] })
  await step()
  expect(await count('deliveries', one)).toBeLessThan(1_000)
  expect(await count('deliveries', two)).toBe(1)
})

it('a step whose commit is lost leaves nothing, and the next one makes every delivery once', async () => {
  await register(one)
  await rename(300)
  await step({ eventsMax: 100 })
  const lost: Database = {
    ...bench.database,
    transaction: (work) =>
      bench.database.transaction(async (tx) => {
        await work(tx)
        throw new Error('the connection was lost')
      }),
  }
  await expect(step({ database: lost, eventsMax: 100 })).rejects.toThrow('lost')
  expect(await deliveriesOf(one)).toHaveLength(100)
  await finish({ eventsMax: 100 })
  const ids = (await deliveriesOf(one)).map(({ event_id }) => event_id)
  expect(ids).toHaveLength(300)
  expect(new Set(ids).size).toBe(300)
})

it('nodes that work at the same time make every delivery once', async () => {
  const accounts = [one, two, await bench.newAccount(), await bench.newAccount()]
  for (const account of accounts) await register(account)
  await rename(400)
  const other = bench.openAnother()
  const work = async (database: Database) => {
    for (let idle = 0; idle < 3; ) {
      const { last } = await step({ database, accountsMax: 2, eventsMax: 60 })
      idle = last === undefined ? idle + 1 : 0
    }
  }
  await Promise.all([work(bench.database), work(other), work(bench.database), work(other)])
  for (const account of accounts) {
    const ids = (await deliveriesOf(account)).map(({ event_id }) => event_id)
    expect(ids).toEqual(Array.from({ length: 400 }, (_, index) => `evt_${account.id}_${index + 1}`))
    expect(await count('delivery_work', account)).toBe(400)
  }
})

it('the rest of a change is dropped when its receiver is switched off or removed', async () => {
  await register(one)
  await register(two)
  await rename(300)
  await step({ eventsMax: 100 })
  await configure(one, 'is_enabled = false')
  await bench.database.query('delete from event_endpoints where reseller_id = $1', [two.id])
  await finish()
  expect([await count('deliveries', one), await count('deliveries', two)]).toEqual([50, 50])
  expect([await count('event_fanouts', one), await count('event_fanouts', two)]).toEqual([0, 0])
})

it('a paused receiver has every event in the log as failed, and nothing waits', async () => {
  await register(one)
  await rename(5)
  await configure(one, 'paused_at = now()')
  await finish()
  const made = await deliveriesOf(one)
  expect(made).toHaveLength(5)
  for (const { status, error } of made) expect([status, error]).toEqual(['failed', 'The endpoint is paused'])
  expect([await count('delivery_work', one), await count('delivery_lanes', one)]).toEqual([0, 0])
})

it('before a receiver that takes nothing a bounded number waits, and others are served', async () => {
  await register(one)
  await register(two)
  await rename(2_000)
  let steps = 0
  while ((await step()).last !== undefined) {
    steps += 1
    await bench.database.query('delete from delivery_work where reseller_id = $1', [two.id])
  }
  expect(steps).toBeLessThan(20)
  expect(await count('deliveries', two)).toBe(2_000)
  expect(await count('deliveries', one)).toBeLessThan(1_000)
  await bench.database.query(`update delivery_work set next_at = next_at + interval '1 hour'`)
  expect((await step()).events).toBeGreaterThan(0)
})

it('the job makes what it finds, and what it is woken for', async () => {
  const problems: unknown[] = []
  await register(one)
  await rename(450)
  const job = startFanningOut({
    database: bench.database,
    isBusy: () => false,
    onProblem: (error) => problems.push(error),
  })
  const untilMade = async (wanted: number) => {
    for (const giveUpAt = performance.now() + 30_000; (await count('deliveries', one)) < wanted; ) {
      expect(performance.now()).toBeLessThan(giveUpAt)
      await new Promise((resume) => setTimeout(resume, 5))
    }
  }
  await untilMade(450)
  await rename(3, 'Again')
  job.wake()
  await untilMade(453)
  await job.stop()
  expect(problems).toEqual([])
})
