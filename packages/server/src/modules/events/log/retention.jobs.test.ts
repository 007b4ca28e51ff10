import { afterEach, beforeEach, expect, it } from 'vitest'
import { sampleProduct } from '../../../testing/catalog/catalog-samples.ts'
import type { Account, CatalogBench } from '../../../testing/catalog/catalog-store.ts'
import { makeBillers, openCatalogBench, seedBase } from '../../../testing/catalog/catalog-store.ts'
import { expandChanges } from '../../catalog/changes/jobs.ts'
import { applyBase } from '../../catalog/edit/base.service.ts'
import type { Catalog } from '../../catalog/model/store.types.ts'
import { sequenceFacts } from '../outbox/sequencer.sql.ts'
import type { RetentionOptions } from './retention.jobs.ts'
import { runRetention } from './retention.jobs.ts'

let bench: CatalogBench
let one: Account
let two: Account

beforeEach(async () => {
  bench = await openCatalogBench()
  one = await bench.newAccount()
  two = await bench.newAccount()
})

afterEach(() => bench.close())

const forget = (options: Partial<RetentionOptions> = {}) =>
  runRetention({
    database: bench.database,
    feedDays: 30,
    deliveryDays: 90,
    attemptDays: 90,
    rowsMax: 7,
    everyMs: 0,
    ...options,
  })

/** One event a day, the oldest first; as many days as there are numbers. */
async function fillFeed(account: Account, days: number): Promise<void> {
  await bench.database.query(
    `insert into events (reseller_id, sequence, span, source, subject, at)
     select $1, day, 1, 'own', 0, now() - make_interval(days => $2 - day, mins => 1) from generate_series(1, $2) day`,
    [account.id, days],
  )
  await bench.database.query('insert into event_sequences (reseller_id, last_sequence) values ($1, $2)', [
    account.id,
    days,
  ])
}

async function sequencesOf(account: Account): Promise<number[]> {
  const { rows } = await bench.database.query<{ sequence: bigint }>(
    'select sequence from events where reseller_id = $1 order by sequence',
    [account.id],
  )
  return rows.map((row) => Number(row.sequence))
}

/** One delivery a day; the id says when. */
async function fillLog(account: Account, stream: string, days: number, status = 'success'): Promise<void> {
  await bench.database.query(
    `insert into deliveries (reseller_id, stream, id, event_id, source, subject, at, status, attempts, attempts_made,
                             sealed_response, response_status, url, method, created_at)
     select $1, $2, new_delivery_id(made.at, 0), event_id($1, made.day), 'own', 0, made.at, $4,
            '[{"at":"2026-01-01T00:00:00Z","ms":3,"status":200,"error":""}]', 1, 'sealed', 200,
            'https://shop.example', 'POST', made.at
     from (select day, now() - make_interval(days => $3 - day, mins => 1) as at from generate_series(1, $3) day) made`,
    [account.id, stream, days, status],
  )
}

type Kept = { age: number; status: string; attempts: unknown[]; attempts_made: number; has_response: boolean }

async function logOf(account: Account, stream: string): Promise<Kept[]> {
  const { rows } = await bench.database.query<Kept>(
    `select extract(day from now() - created_at)::integer as age, status, attempts, attempts_made,
            sealed_response is not null as has_response
     from deliveries where reseller_id = $1 and stream = $2 order by id`,
    [account.id, stream],
  )
  return rows
}

const agesOf = async (account: Account, stream: string) =>
  (await logOf(account, stream)).map(({ age }) => age)
const daysDown = (from: number) => Array.from({ length: from }, (_, index) => from - 1 - index)

it('the feed keeps its days, account by account, and its numbers go on', async () => {
  await fillFeed(one, 45)
  await fillFeed(two, 20)
  await forget()
  expect(await sequencesOf(one)).toEqual(Array.from({ length: 30 }, (_, index) => 16 + index))
  expect(await sequencesOf(two)).toHaveLength(20)
  await bench.database.query(
    `select append_facts('own', array[$1::bigint], array[0::bigint], null, null, null, null, 'case.opened', '{}', now())`,
    [one.id],
  )
  await sequenceFacts(bench.database, 10)
  expect((await sequencesOf(one)).at(-1)).toBe(46)
})

it('a feed of which everything is old is emptied, and its numbers still go on', async () => {
  await fillFeed(one, 10)
  await bench.database.query(`update events set at = at - interval '60 days'`)
  await forget()
  expect(await sequencesOf(one)).toEqual([])
  const { rows } = await bench.database.query(
    'select last_sequence from event_sequences where reseller_id = $1',
    [one.id],
  )
  expect(rows).toEqual([{ last_sequence: 10n }])
})

it('deliveries keep their days in every log, except those that are not finished', async () => {
  await fillLog(one, 'balance', 100)
  await fillLog(one, 'catalog', 95, 'pending')
  await fillLog(two, 'callback', 91, 'failed')
  await fillLog(two, 'balance', 10, 'superseded')
  await forget()
  expect(await agesOf(one, 'balance')).toEqual(daysDown(90))
  expect(await agesOf(one, 'catalog')).toEqual(daysDown(95))
  expect(await agesOf(two, 'callback')).toEqual(daysDown(90))
  expect(await agesOf(two, 'balance')).toEqual(daysDown(10))
})

it('attempts and answers go before their deliveries where they are kept for a shorter time', async () => {
  await fillLog(one, 'balance', 40)
  await forget({ attemptDays: 20 })
  const check = async () => {
    const log = await logOf(one, 'balance')
    expect(log).toHaveLength(40)
    for (const { age, attempts, attempts_made, has_response } of log) {
      expect([age, attempts.length, has_response]).toEqual([age, age < 20 ? 1 : 0, age < 20])
      expect(attempts_made).toBe(1)
    }
  }
  await check()
  await forget({ attemptDays: 20 })
  await check()
})

it('a shorter retention time removes rows as well', async () => {
  await fillLog(one, 'balance', 40)
  await forget({ attemptDays: 30 })
  await forget({ attemptDays: 10, deliveryDays: 20 })
  const log = await logOf(one, 'balance')
  expect(log.map(({ age }) => age)).toEqual(daysDown(20))
  expect(log.filter(({ has_response }) => has_response)).toHaveLength(10)
})

/** Counts the steps of each node when all begin at once. */
async function stepsOf(everyMs: number): Promise<number[]> {
  const nodes = [bench.database, bench.openAnother(), bench.openAnother(), bench.openAnother()]
  return Promise.all(
    nodes.map(async (database) => {
      let steps = 0
      const isStopped = () => {
        steps += 1
        return false
      }
      await forget({ database, everyMs, isStopped })
      return steps
    }),
  )
}

it('one of several nodes goes through it all, and none again before its time', async () => {
  await fillFeed(one, 45)
  await fillFeed(two, 45)
  const steps = await stepsOf(60_000)
  expect(steps.filter((each) => each > 0)).toHaveLength(1)
  expect([await sequencesOf(one), await sequencesOf(two)].map(({ length }) => length)).toEqual([30, 30])
  expect(await stepsOf(60_000)).toEqual([0, 0, 0, 0])
  await bench.database.query(`update retention_turns set next_at = next_at - interval '61 seconds'`)
  expect((await stepsOf(60_000)).filter((each) => each > 0)).toHaveLength(1)
})

it('a pass ends when another node has taken it over, and every step puts that off', async () => {
  await fillFeed(one, 60)
  const nextAt = async () => {
    const { rows } = await bench.database.query<{ next_at: Date }>('select next_at from retention_turns')
    return rows[0]?.next_at ?? new Date(0)
  }
  const seen: Date[] = []
  await forget({
    everyMs: 60_000,
    isStopped: () => false,
    database: {
      ...bench.database,
      async transaction(work) {
        seen.push(await nextAt())
        if (seen.length === 3)
          await bench.database.query('update retention_turns set holder = gen_random_uuid()')
        return bench.database.transaction(work)
      },
    },
  })
  expect(await sequencesOf(one)).toHaveLength(60 - 2 * 7)
  expect(seen.map(Number)).toEqual(seen.map(Number).toSorted((a, b) => a - b))
  expect(new Set(seen.map(Number)).size).toBe(3)
})

it('a pass that is stopped goes no further than its step', async () => {
  await fillFeed(one, 45)
  let asked = 0
  await forget({ isStopped: () => ++asked > 1 })
  expect(await sequencesOf(one)).toHaveLength(38)
})

// ── The catalogue ──

async function countAll(): Promise<Record<string, number>> {
  const { rows } = await bench.database.query<{ name: string; count: number }>(
    `select 'account_events' as name, count(*)::integer as count from account_catalog_events
     union all select 'events', count(*)::integer from catalog_events
     union all select 'parts', count(*)::integer from catalog_change_parts
     union all select 'changes', count(*)::integer from catalog_changes`,
  )
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]))
}

async function age(version: string, days: number): Promise<void> {
  for (const table of ['catalog_changes', 'account_catalog_events']) {
    await bench.database.query(
      `update ${table} set created_at = created_at - make_interval(days => $1) where version ${version}`,
      [days],
    )
  }
  await bench.database.query(
    `update catalog_changes set expanded_at = expanded_at - make_interval(days => $1) where version ${version}`,
    [days],
  )
}

async function seedChanges(): Promise<{ node: Catalog; first: bigint; second: bigint }> {
  await seedBase(bench.database)
  const node = await bench.openNode()
  await expandChanges({ database: bench.database, catalog: node })
  // The seed is not what these tests are about.
  await bench.database.query('delete from account_catalog_events')
  await bench.database.query('delete from catalog_events')
  await bench.database.query('delete from catalog_change_parts')
  await applyBase(bench.database, { options: makeBillers(600, { label: 'Renamed' }) }, 'first')
  await applyBase(bench.database, { products: [sampleProduct({ note: 'New' })] }, 'second')
  const { rows } = await bench.database.query<{ version: bigint }>(
    'select version from catalog_changes order by version desc limit 2',
  )
  const [second, first] = rows.map((row) => row.version)
  if (first === undefined || second === undefined) throw new Error('there are two changes')
  return { node, first, second }
}

it('old catalogue events go when nobody can be told of them any more, and the changes stay', async () => {
  const { node, first, second } = await seedChanges()
  await expandChanges({ database: bench.database, catalog: node })
  await age(`<= ${first}`, 92)
  await age(`= ${second}`, 90)
  const { changes } = await countAll()
  await forget({ rowsMax: 500 })
  expect(await countAll()).toEqual({ account_events: 2, events: 1, parts: 1, changes })
  const { rows } = await bench.database.query('select distinct version from account_catalog_events')
  expect(rows).toEqual([{ version: second }])

  await applyBase(bench.database, { products: [sampleProduct({ note: 'Newer' })] }, 'third')
  await expandChanges({ database: bench.database, catalog: node })
  expect(await bench.eventsOf(one)).toHaveLength(2)
})

it('catalogue events that are on their way into deliveries stay, however old', async () => {
  const { node, first } = await seedChanges()
  await expandChanges({ database: bench.database, catalog: node })
  await bench.database.query(
    'insert into event_fanouts (reseller_id, sequence, version, span, at) values ($1, 1, $2, 600, now())',
    [one.id, first],
  )
  await age('> 0', 200)
  await forget({ rowsMax: 500 })
  expect(await countAll()).toMatchObject({ account_events: 4, events: 601 })
})

it('a change that is not expanded yet keeps all that it needs, however old', async () => {
  const { node } = await seedChanges()
  await age('> 0', 200)
  const before = await countAll()
  await forget({ rowsMax: 500 })
  expect(await countAll()).toEqual(before)
  // It was made before the accounts were, as far as its time tells.
  await bench.database.query(`update catalog_changes set created_at = now() where expanded_at is null`)
  await expandChanges({ database: bench.database, catalog: node })
  expect(await bench.eventsOf(one)).toHaveLength(601)
})
