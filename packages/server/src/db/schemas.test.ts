import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestDatabase } from '../testing/database.ts'
import { openTestDatabase } from '../testing/database.ts'
import { until } from '../testing/payments/payments.ts'
import type { Database, Tx } from './database.ts'
import { openDatabase } from './database.ts'
import { startFollowing } from './follower.ts'
import { LOCK_KEY, migrate, pendingMigrations } from './migrate.ts'

const SCHEMA = 'second_group'

let test: TestDatabase
let first: Database
let second: Database
beforeAll(async () => {
  test = await openTestDatabase()
  first = test.database
  second = openDatabase({ ...first.options, schema: SCHEMA })
  await migrate(second)
})
afterAll(async () => {
  await second.close()
  await test.close()
})

const TAKE = `select pg_try_advisory_xact_lock(hashtextextended('something', 7) # lock_mark()) as is_ours`

async function isTaken(tx: Tx): Promise<boolean> {
  const { rows } = await tx.query<{ is_ours: boolean }>(TAKE)
  return rows[0]?.is_ours === false
}

async function find<T>(database: Database, text: string): Promise<T | undefined> {
  const { rows } = await database.query<{ found: T }>(text)
  return rows[0]?.found
}

describe('two schemas of one database', () => {
  it('have the same tables, functions, triggers and sequences', async () => {
    const inventory = `
      select array_agg(what order by what) as found from (
        select c.relkind::text || ' ' || c.relname as what from pg_class c
         where c.relnamespace = current_schema()::regnamespace
        union all
        select 'function ' || p.proname || md5(p.prosrc) from pg_proc p
         where p.pronamespace = current_schema()::regnamespace
        union all
        select 'trigger ' || t.tgname from pg_trigger t join pg_class c on c.oid = t.tgrelid
         where c.relnamespace = current_schema()::regnamespace and not t.tgisinternal) all_of_it`
    expect(await find(second, inventory)).toEqual(await find(first, inventory))
    expect(await find(second, 'select current_schema() as found')).toBe(SCHEMA)
    expect(await pendingMigrations(second)).toEqual([])
  })

  it('share no object: nothing in one depends on the other', async () => {
    const uses = await find<number>(
      second,
      `with objects as (
         select 'pg_class'::regclass as classid, oid, relnamespace as place from pg_class
         union all select 'pg_proc'::regclass, oid, pronamespace from pg_proc
         union all select 'pg_type'::regclass, oid, typnamespace from pg_type
         union all select 'pg_constraint'::regclass, oid, connamespace from pg_constraint
         union all select 'pg_attrdef'::regclass, d.oid, c.relnamespace
           from pg_attrdef d join pg_class c on c.oid = d.adrelid
         union all select 'pg_trigger'::regclass, t.oid, c.relnamespace
           from pg_trigger t join pg_class c on c.oid = t.tgrelid)
       select count(*)::integer as found from pg_depend d
         join objects u on (u.classid, u.oid) = (d.classid, d.objid)
         join objects o on (o.classid, o.oid) = (d.refclassid, d.refobjid)
        where '${SCHEMA}'::regnamespace in (u.place, o.place) and u.place <> o.place
          and not array[u.place, o.place]::oid[] && array['pg_catalog', 'pg_toast']::regnamespace[]::oid[]`,
    )
    expect(uses).toBe(0)
  })

  it('share no row', async () => {
    const count = 'select count(*)::integer as found from network_notices'
    const before = await find<number>(first, count)
    await second.query(
      `insert into network_notices (target_kind, target_code, message, starts_at, stops_payments, created_by)
       values ('product', 'P', 'm', now(), false, 'somebody')`,
    )
    expect(await find(second, count)).toBe(1)
    expect(await find(first, count)).toBe(before)
  })

  it('share no lock: what one holds, the other takes', async () => {
    await first.transaction(async (tx) => {
      expect(await isTaken(tx)).toBe(false)
      expect(await second.transaction(isTaken)).toBe(false)
      expect(await test.openAnother().transaction(isTaken)).toBe(true)
    })
  })

  it('share no channel: a follower hears its own schema alone', async () => {
    const heard: string[] = []
    const follow = (database: Database, name: string) =>
      startFollowing({
        database,
        what: name,
        channel: 'anything',
        take: (payload) => {
          heard.push(`${name} ${payload}`)
          return true
        },
        pollMs: 60_000,
        statementTimeoutMs: 5_000,
        catchUp: async () => {},
      })
    const followers = [await follow(first, 'first'), await follow(second, 'second')]
    for (const [database, text] of [
      [second, 'for the second'],
      [first, 'for the first'],
    ] as const)
      await database.query(`select pg_notify(channel_prefix() || 'anything', $1)`, [text])
    await until('both were heard', () => heard.length === 2)
    expect(heard.toSorted()).toEqual(['first for the first', 'second for the second'])
    for (const follower of followers) await follower.close()
  })

  it.each([
    ['the first', () => first],
    ['the second', () => second],
  ])('the lock of migrations of %s has the mark of the schema', async (_, database) => {
    const { rows } = await database().query<{ key: bigint }>(LOCK_KEY)
    expect(rows[0]?.key).toBe(await find<bigint>(database(), 'select 7714203::bigint # lock_mark() as found'))
  })
})

describe('the schema that a database has from the start', () => {
  it('keeps the keys and channels of every earlier version', async () => {
    const plain = openDatabase({ ...first.options, schema: 'public' })
    await migrate(plain)
    const marks = `select (lock_mark() || channel_prefix()) as found`
    expect(await find(plain, marks)).toBe('0')
    await plain.close()
  })
})

it('the schema of a search path is made by the first start, whichever of many starts comes first', async () => {
  const schema = 'not_there_yet'
  const nodes = [1, 2, 3].map(() => openDatabase({ ...first.options, schema }))
  const applied = await Promise.all(nodes.map((node) => migrate(node)))
  expect(applied.filter((steps) => steps.length > 0)).toHaveLength(1)
  for (const node of nodes) await node.close()
})

describe('a table', () => {
  it('has a primary key, so that its changes can be carried to another server', async () => {
    const without = await find<string[]>(
      first,
      `select coalesce(array_agg(c.relname::text order by 1), '{}') as found from pg_class c
        where c.relkind in ('r', 'p') and c.relnamespace = current_schema()::regnamespace
          and not exists (select from pg_constraint k where k.conrelid = c.oid and k.contype = 'p')`,
    )
    expect(without).toEqual([])
  })
})
