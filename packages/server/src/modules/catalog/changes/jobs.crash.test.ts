import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Database, Queryable, Tx } from '../../../db/database.ts'
import { run } from '../../../db/database.ts'
import { sampleProduct } from '../../../testing/catalog/catalog-samples.ts'
import type { Account, CatalogBench } from '../../../testing/catalog/catalog-store.ts'
import { makeBillers, openCatalogBench, seedBase } from '../../../testing/catalog/catalog-store.ts'
import { applyBase } from '../edit/base.service.ts'
import type { Catalog } from '../model/store.types.ts'
import { expandChanges } from './jobs.ts'

const ACCOUNTS = 7
const BATCH = 2
/** Lock id, any fixed number: the test holds the lock, and the database waits for it in the middle of a batch. */
const BARRIER = 4_711

let bench: CatalogBench
let node: Catalog
let accounts: Account[]

beforeEach(async () => {
  bench = await openCatalogBench()
  await seedBase(bench.database)
  node = await bench.openNode()
  await expandChanges({ database: bench.database, catalog: node })
  accounts = []
  for (let count = 0; count < ACCOUNTS; count += 1) accounts.push(await bench.newAccount())
})

afterEach(() => bench.close())

/** Makes every writer of such a row wait at the barrier. */
async function raiseBarrier(event: string, condition: string): Promise<void> {
  await bench.database.query(
    `create function wait_at_barrier() returns trigger language plpgsql as $$
     begin
       if ${condition} then perform pg_advisory_xact_lock(${BARRIER}); end if;
       return null;
     end $$`,
  )
  await bench.database.query(
    `create trigger barrier after ${event} for each row execute function wait_at_barrier()`,
  )
}

/** Opens a node's connection that ends with the node: no rollback and no retry. */
async function openDoomed(): Promise<Database> {
  const client = await bench.database.dedicatedConnection()
  client.on('error', () => {})
  const connection: Queryable = { query: (statement, values) => run(client, statement, values) }
  return {
    ...bench.database,
    ...connection,
    async transaction(work) {
      await client.query('begin')
      const result = await work(connection as Tx)
      await client.query('commit')
      return result
    },
  }
}

/** Runs until the barrier, then ends the server process that waits there, as a crash of the node would. */
async function crashAtBarrier(): Promise<void> {
  const database = await openDoomed()
  await bench.database.withConnection(async (holder) => {
    await holder.query('select pg_advisory_lock($1)', [BARRIER])
    const outcome = expandChanges({ database, catalog: node, batchAccounts: BATCH }).then(
      () => 'finished',
      () => 'crashed',
    )
    await holder.query('select pg_terminate_backend($1)', [await findWaiting()])
    expect(await outcome).toBe('crashed')
    await holder.query('select pg_advisory_unlock($1)', [BARRIER])
  })
}

async function findWaiting(): Promise<number> {
  const deadlineMs = performance.now() + 30_000
  for (;;) {
    const { rows } = await bench.database.query<{ pid: number }>(
      `select pid from pg_locks
       where locktype = 'advisory' and objid = $1 and not granted
         and database = (select oid from pg_database where datname = current_database())`,
      [BARRIER],
    )
    if (rows[0] !== undefined) return rows[0].pid
    expect(performance.now()).toBeLessThan(deadlineMs)
    await new Promise((resume) => setTimeout(resume, 5))
  }
}

async function notifiedAccounts(): Promise<bigint[]> {
  const { rows } = await bench.database.query<{ reseller_id: bigint }>(
    'select reseller_id from account_catalog_events order by reseller_id',
  )
  return rows.map((row) => row.reseller_id)
}

const finish = () => expandChanges({ database: bench.database, catalog: node, batchAccounts: BATCH })

it('a crash in the middle of a batch leaves the batches before it, and the next run does the rest once', async () => {
  await applyBase(bench.database, { products: [sampleProduct({ note: 'New' })] }, 'test')
  const [, , , fourth] = accounts
  await raiseBarrier('insert on account_catalog_events', `new.reseller_id = ${fourth?.id}`)
  await crashAtBarrier()
  expect(await notifiedAccounts()).toEqual(accounts.slice(0, BATCH).map((account) => account.id))

  expect(await finish()).toEqual({ changes: 1, accounts: ACCOUNTS - BATCH })
  expect(await notifiedAccounts()).toEqual(accounts.map((account) => account.id))
  for (const account of accounts) {
    expect((await bench.eventsOf(account)).map(({ type, id }) => [type, id])).toEqual([
      ['product.updated', 'NOVA'],
    ])
  }
  expect(await finish()).toEqual({ changes: 0, accounts: 0 })
})

it('a crash after the events and before the mark leaves neither', async () => {
  await applyBase(bench.database, { options: makeBillers(50, { label: 'Renamed' }) }, 'test')
  await raiseBarrier('update on catalog_changes', 'new.expanded_through > 0')
  await crashAtBarrier()
  expect(await notifiedAccounts()).toEqual([])
  expect((await bench.database.query('select 1 from catalog_events')).rows).toEqual([])

  expect(await finish()).toEqual({ changes: 1, accounts: ACCOUNTS })
  for (const account of accounts) expect(await bench.eventsOf(account)).toHaveLength(50)
})

it('a crash between two changes tells the second one as it was, whatever came after it', async () => {
  const notes = ['first', 'second', 'third']
  for (const note of notes.slice(0, 2)) {
    await applyBase(bench.database, { products: [sampleProduct({ note })] }, 'test')
  }
  const { rows } = await bench.database.query<{ version: bigint }>(
    'select max(version) as version from catalog_changes',
  )
  await raiseBarrier('insert on catalog_events', `new.version = ${rows[0]?.version}`)
  await crashAtBarrier()
  await applyBase(bench.database, { products: [sampleProduct({ note: 'third' })] }, 'test')
  await finish()
  for (const account of accounts) {
    expect((await bench.eventsOf(account)).map(({ data }) => data?.note)).toEqual(notes)
  }
})
