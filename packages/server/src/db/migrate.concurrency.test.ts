import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { TestDatabase } from '../testing/database.ts'
import { openTestDatabase } from '../testing/database.ts'
import type { Migration } from './migrate.ts'
import { migrate, readMigrations } from './migrate.ts'

const TABLE = 'create table measures (id integer); insert into measures select generate_series(1, 1000)'
const INDEX = `-- no-transaction
-- The way to a measure.
create index concurrently if not exists measures_id on measures (id);
create index concurrently if not exists measures_odd on measures (id) where id % 2 = 1;
`

let test: TestDatabase
let migrations: Migration[]
beforeEach(async () => {
  test = await openTestDatabase()
  migrations = await readMigrations()
  for (const [name, text] of [
    ['measures', TABLE],
    ['indexes', INDEX],
  ] as const) {
    migrations.push({ number: migrations.length + 1, name, text, checksum: `of ${text}` })
  }
  await migrate(test.database, migrations.slice(0, -1))
})
afterEach(() => test.close())

/** Runs `work` while a writer is not finished: indexes that are built concurrently wait for it. */
async function writeUntil(work: () => Promise<void>): Promise<void> {
  await test.openAnother().transaction(async (tx) => {
    await tx.query('insert into measures values (0)')
    await work()
  })
}

async function untilFound<R extends object>(statement: string): Promise<R> {
  const deadline = performance.now() + 60_000
  for (;;) {
    const { rows } = await test.database.query<R>(statement)
    if (rows[0] !== undefined) return rows[0]
    if (performance.now() > deadline) throw new Error(`nothing found by: ${statement}`)
  }
}

const BUILDING = `select a.pid from pg_stat_activity a
  where a.datname = current_database() and a.wait_event_type = 'Lock' and a.query like '%index concurrently%'
    and a.pid <> pg_backend_pid()`

async function listIndexes(): Promise<{ name: string; valid: boolean }[]> {
  const { rows } = await test.database.query<{ name: string; valid: boolean }>(
    `select c.relname as name, i.indisvalid as valid from pg_index i join pg_class c on c.oid = i.indexrelid
      where i.indrelid = 'measures'::regclass order by 1`,
  )
  return rows
}

async function isFinished(): Promise<boolean | undefined> {
  const { rows } = await test.database.query<{ finished: boolean }>(
    'select applied_at is not null as finished from schema_migrations where number = $1',
    [migrations.length],
  )
  return rows[0]?.finished
}

const WHOLE = [
  { name: 'measures_id', valid: true },
  { name: 'measures_odd', valid: true },
]

describe('a migration without a transaction', () => {
  it('a migration without a transaction that is interrupted is found and finished by the next start', async () => {
    await writeUntil(async () => {
      const interrupted = migrate(test.openAnother(), migrations)
      const refused = expect(interrupted).rejects.toThrow(/indexes/)
      const { pid } = await untilFound<{ pid: number }>(BUILDING)
      await test.database.query('select pg_terminate_backend($1)', [pid])
      await refused
      expect(await isFinished()).toBe(false)
      expect(await listIndexes()).toEqual([{ name: 'measures_id', valid: false }])
    })
    expect(await migrate(test.openAnother(), migrations)).toMatchObject([{ name: 'indexes' }])
    expect(await listIndexes()).toEqual(WHOLE)
    expect(await isFinished()).toBe(true)
    expect(await migrate(test.database, migrations)).toEqual([])
  })

  it('is applied once by nodes that start together, and none of them waits in its way', async () => {
    const nodes: ReturnType<typeof migrate>[] = []
    await writeUntil(async () => {
      for (let node = 0; node < 4; node++) nodes.push(migrate(test.openAnother(), migrations))
      await untilFound(BUILDING)
      await untilFound(
        `select 1 as waiting from pg_stat_activity
          where datname = current_database() and query like '%advisory_lock%' and pid <> pg_backend_pid()
         having count(*) >= 3`,
      )
    })
    const applied = await Promise.all(nodes)
    expect(applied.map((each) => each.length).sort()).toEqual([0, 0, 0, 1])
    expect(await listIndexes()).toEqual(WHOLE)
  })

  it('a migration without a transaction that failed may be mended, for it was applied nowhere', async () => {
    const last = migrations.at(-1) as Migration
    const failing = {
      ...last,
      text: INDEX.replace('create index', 'create unique index'),
      checksum: 'failing',
    }
    await test.database.query('insert into measures values (1)')
    await expect(migrate(test.database, [...migrations.slice(0, -1), failing])).rejects.toThrow(/indexes/)
    expect(await listIndexes()).toEqual([{ name: 'measures_id', valid: false }])
    await migrate(test.database, migrations)
    expect(await listIndexes()).toEqual(WHOLE)
  })

  it.each([
    'create index concurrently measures_id on measures (id);',
    'create index concurrently on measures (id);',
    'create unique index if not exists measures_id on measures (id);',
    'drop index measures_id;',
  ])('refuses what cannot be repeated: %s', async (statement) => {
    const directory = await mkdtemp(join(tmpdir(), 'warung-migrations-'))
    await writeFile(join(directory, '0001_first.sql'), `-- no-transaction\n${statement}\n`)
    await expect(readMigrations(directory)).rejects.toThrow(/0001_first.*concurrently if/)
    await writeFile(join(directory, '0001_first.sql'), statement)
    expect(await readMigrations(directory)).toHaveLength(1)
    await rm(directory, { recursive: true })
  })
})
