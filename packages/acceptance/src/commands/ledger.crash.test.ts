import { afterAll, beforeAll, expect, it } from 'vitest'
import { startWarungd } from '../process.ts'
import type { TestDatabase } from '../service.ts'
import { createDatabase, environmentOf, makeDirectory, runWarungd, stopServices, until } from '../service.ts'

// No service runs here: only the killed process and the one after it have chained entries.

const ENTRIES = 5_000
const BATCH = 1_000
/** Arbitrary fixed number: the test holds this lock, and the database waits for it in the middle of a batch. */
const BARRIER = 4_712

let database: TestDatabase
let environment: NodeJS.ProcessEnv

beforeAll(async () => {
  database = await createDatabase()
  environment = environmentOf({ database }, await makeDirectory())
})

afterAll(async () => {
  await stopServices()
  await database?.drop()
})

async function warungd<T>(...args: string[]): Promise<T> {
  const { code, stdout, stderr } = await runWarungd(environment, [...args, '--json'])
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return JSON.parse(stdout) as T
}

/** Posts many entries of 0.01 each straight into the tables, for speed. */
async function postMany(account: string): Promise<void> {
  await database.query(
    `insert into transfers (reseller_id, sequence, kind, house_account, amount, balance_after, remarks)
     select r.id, n, 'deposit', 'bank', 100, n * 100, 'No. ' || n
       from resellers r, generate_series(1, ${ENTRIES}) as n where r.account = '${account}' order by n`,
  )
  await database.query(
    `update wallets w set sequence = ${ENTRIES}, balance = ${ENTRIES * 100} from resellers r
      where r.id = w.reseller_id and r.account = '${account}'`,
  )
}

/** Makes a writer of such a row wait until the barrier is released. */
async function raiseBarrier(event: string, condition: string): Promise<void> {
  await database.query('select pg_advisory_lock($1)', [BARRIER])
  await database.query(
    `create or replace function wait_at_barrier() returns trigger language plpgsql as $$
     begin
       if ${condition} then perform pg_advisory_xact_lock(${BARRIER}); end if;
       return null;
     end $$`,
  )
  await database.query(
    `create trigger barrier after ${event} for each row execute function wait_at_barrier()`,
  )
}

async function dropBarrier(table: string): Promise<void> {
  await database.query('select pg_advisory_unlock($1)', [BARRIER])
  await until('the killed process has let go', async () => (await waiting()) === 0)
  await database.query(`drop trigger barrier on ${table}`)
}

async function waiting(): Promise<number> {
  const { rows } = await database.query<{ count: number }>(
    `select count(*)::int as count from pg_stat_activity
      where datname = current_database() and application_name = 'warungd command'
        and wait_event_type = 'Lock' and wait_event = 'advisory'`,
  )
  return rows[0]?.count ?? 0
}

async function killAtBarrier(): Promise<void> {
  const chaining = startWarungd(environment, ['ledger', 'chain', '--json'])
  await until('it stands at the barrier', async () => (await waiting()) === 1)
  chaining.kill9()
  expect(await chaining.result).toMatchObject({ code: -1, stdout: '' })
}

it.each([
  ['between two hashes of a batch', 'transfer_chain', 'insert on transfer_chain', 'new.sequence = 2500'],
  ['after the hashes and before the head', 'chain_heads', 'update on chain_heads', 'new.sequence = 3000'],
])('killed %s, chaining leaves whole batches, and the next run does the rest', async (...how) => {
  const [, table, event, condition] = how
  const create = ['reseller', 'create', '--name', 'Kedai', '--email', 'k@example.com']
  const { account } = await warungd<{ account: string }>(...create)
  await postMany(account)
  await raiseBarrier(event, condition)
  await killAtBarrier()

  const reseller = ['--reseller', account]
  const left = await warungd('ledger', 'verify', ...reseller)
  expect(left).toMatchObject({ ok: true, entries: ENTRIES, unchained: ENTRIES - 2 * BATCH })

  await dropBarrier(table)
  expect(await warungd('ledger', 'chain')).toEqual({ entries: ENTRIES - 2 * BATCH, broken: 0 })
  expect(await warungd('ledger', 'verify', ...reseller)).toMatchObject({ ok: true, unchained: 0 })
})
