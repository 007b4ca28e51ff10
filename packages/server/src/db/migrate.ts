import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { isUntransacted, refuseUnrepeatable, runUntransacted } from './concurrent-migration.ts'
import { UNLIMITED } from './connection.ts'
import type { Database, Queryable } from './database.ts'
import type { Routine } from './functions.ts'
import {
  applyRoutines,
  FUNCTIONS_TABLE,
  pendingRoutines,
  readFunctions,
  supersededRoutines,
} from './functions.ts'
import { findCitusPlace, fitToCitus } from './nodes/citus.ts'
import { splitStatements } from './statements.ts'

export type Migration = { number: number; name: string; text: string; checksum: string }

/** Step that brings a database up to date: a migration, or a function or trigger whose text is new. */
export type SchemaStep = Migration | Routine

const DIRECTORY = fileURLToPath(new URL('../../migrations/', import.meta.url))
const FILE_NAME = /^(\d{4})_([a-z0-9_]+)\.sql$/
/**
 * Makes the schema that the connection works in, where it is missing: the first of its search path that is a plain name.
 * Another process may make it in the same moment.
 */
const MAKE_SCHEMA = `do $$
  declare
    v_name text := (select trim(both '"' from p.name)
                      from regexp_split_to_table(current_setting('search_path'), '\\s*,\\s*')
                        with ordinality as p (name, place)
                     where p.name <> '' and p.name <> '"$user"' order by p.place limit 1);
  begin
    if current_schema() is not null or v_name is null then return; end if;
    execute format('create schema if not exists %I', v_name);
  exception when unique_violation then
    return;
  end $$`
/**
 * Query for the key of the advisory lock that every process takes which migrates this schema: a fixed, arbitrary number
 * with the mark of the schema. It is computed as lock_mark() does it, because the functions come later.
 */
export const LOCK_KEY = `select 7714203::bigint #
  case current_schema() when 'public' then 0 else hashtext(current_schema()) end as key`
const LOCK_POLL_MS = 100

/**
 * Limits of a migration. A migration and the wait for another process that migrates have no time limit; keep-alive ends
 * a dead connection.
 */
const MIGRATION_LIMITS = { statementMs: UNLIMITED }

/** Table of migrations. `applied_at` is null when one was begun outside of a transaction and not finished. */
const MIGRATIONS_TABLE = `create table if not exists schema_migrations (
  number integer primary key,
  name text not null,
  checksum text not null,
  begun_at timestamptz not null default clock_timestamp(),
  applied_at timestamptz default clock_timestamp()
)`

let installed: Promise<readonly Migration[]> | undefined

/** Reads the migrations in order. The installed files are read once in a process. */
export async function readMigrations(directory?: string): Promise<Migration[]> {
  if (directory !== undefined) return readDirectory(directory)
  installed ??= readDirectory(DIRECTORY)
  return [...(await installed)]
}

async function readDirectory(directory: string): Promise<Migration[]> {
  const names = (await readdir(directory)).filter((name) => name.endsWith('.sql')).sort()
  const migrations: Migration[] = []
  for (const [index, file] of names.entries()) {
    const match = FILE_NAME.exec(file)
    if (match === null) throw new Error(`migration ${file}: the name must look like 0001_what_it_does.sql`)
    const number = Number(match[1])
    if (number !== index + 1) throw new Error(`migration ${file}: expected number ${index + 1}`)
    const text = await readFile(`${directory}/${file}`, 'utf8')
    if (isUntransacted(text)) refuseUnrepeatable(`migration ${file}`, text)
    migrations.push({
      number,
      name: String(match[2]),
      text,
      checksum: createHash('sha256').update(text).digest('hex'),
    })
  }
  return migrations
}

/**
 * Brings the schema up to date, forward only: migrations first, then functions whose text is new. Many processes may
 * call it at once.
 */
export async function migrate(
  database: Database,
  migrations?: readonly Migration[],
  routines?: readonly Routine[],
): Promise<SchemaStep[]> {
  const known = migrations ?? (await readMigrations())
  const files = routines ?? (await readFunctions())
  return database.withConnection(async (connection) => {
    await connection.query(MAKE_SCHEMA)
    const key = await lock(connection)
    await connection.query(MIGRATIONS_TABLE)
    await connection.query(FUNCTIONS_TABLE)
    const pending = pendingOf(known, await listApplied(connection))
    const isOnNode = typeof (await findCitusPlace(connection)) === 'object'
    for (const migration of pending) await apply(connection, migration, isOnNode)
    const changed = await pendingRoutines(connection, files)
    await applyRoutines(connection, changed)
    if (isOnNode && pending.length + changed.length > 0) await fitToCitus(connection)
    // The lock is released explicitly here; after an error the connection is closed, which releases it too.
    await connection.query('select pg_advisory_unlock($1)', [key])
    return [...pending, ...changed]
  }, MIGRATION_LIMITS)
}

/**
 * Takes the lock by polling instead of waiting in the database: `create index concurrently` waits for every statement
 * that began before it, and would wait for ever for one that waits for this lock.
 */
async function lock(connection: Queryable): Promise<bigint> {
  const found = await connection.query<{ key: bigint | null }>(LOCK_KEY)
  const key = found.rows[0]?.key
  // Without a schema there is no key, and the lock of null is never held.
  if (key === undefined || key === null) throw new Error('the search path of the database names no schema')
  for (;;) {
    const { rows } = await connection.query<{ is_held: boolean }>(
      'select pg_try_advisory_lock($1) as is_held',
      [key],
    )
    if (rows[0]?.is_held === true) return key
    await sleep(LOCK_POLL_MS)
  }
}

/** Lists the steps that a database still lacks; throws when it holds a migration that this version does not know. */
export async function pendingMigrations(database: Database): Promise<SchemaStep[]> {
  const { rows } = await database.query<{ known: boolean }>(
    `select to_regclass('schema_migrations') is not null as known`,
  )
  const applied = rows[0]?.known === true ? await listApplied(database) : []
  const migrations = pendingOf(await readMigrations(), applied)
  return [...migrations, ...(await pendingRoutines(database, await readFunctions()))]
}

/** Lists the functions of which the database has a newer text than this version, in words for a person. */
export async function listSuperseded(database: Database): Promise<string[]> {
  const superseded = await supersededRoutines(database, await readFunctions())
  return superseded.map(({ kind, routine }) => `${kind} ${routine}`)
}

/** Returns the steps in words: "2 migrations and 1 function" */
export function countSteps(steps: readonly SchemaStep[]): string {
  const kinds = ['migration', 'function', 'trigger'] as const
  const counts = kinds
    .map((kind) => ({ kind, count: steps.filter((step) => kindOf(step) === kind).length }))
    .filter(({ count }) => count > 0)
    .map(({ kind, count }) => `${count} ${kind}${count === 1 ? '' : 's'}`)
  return counts.length < 2 ? counts.join('') : `${counts.slice(0, -1).join(', ')} and ${counts.at(-1)}`
}

function kindOf(step: SchemaStep): 'migration' | 'function' | 'trigger' {
  return 'number' in step ? 'migration' : step.kind
}

type AppliedRow = { number: number; name: string; checksum: string; is_finished: boolean }

async function listApplied(connection: Queryable): Promise<AppliedRow[]> {
  const { rows } = await connection.query<AppliedRow>(
    'select number, name, checksum, applied_at is not null as is_finished from schema_migrations order by number',
  )
  return rows
}

function pendingOf(known: readonly Migration[], applied: readonly AppliedRow[]): Migration[] {
  for (const row of applied) {
    const migration = known[row.number - 1]
    if (migration === undefined) {
      throw new Error(
        `the database has migration ${row.number} (${row.name}), which this version does not know; ` +
          'start a newer version, or give this one a database of its own',
      )
    }
    // A migration that was begun and failed may be corrected: it was applied nowhere.
    if (row.is_finished && migration.checksum !== row.checksum) {
      throw new Error(
        `migration ${row.number} (${row.name}) was changed after it had been applied; ` +
          'migrations are never edited, add a new one',
      )
    }
  }
  const finished = new Set(applied.filter((row) => row.is_finished).map((row) => row.number))
  return known.filter(({ number }) => !finished.has(number))
}

async function apply(connection: Queryable, migration: Migration, isOnNode: boolean): Promise<void> {
  try {
    if (isUntransacted(migration.text)) await applyInSteps(connection, migration)
    else await applyAtOnce(connection, migration, isOnNode)
  } catch (error) {
    throw new Error(`migration ${migration.number} (${migration.name}) failed`, { cause: error })
  }
}

async function applyAtOnce(connection: Queryable, migration: Migration, isOnNode: boolean): Promise<void> {
  await connection.query('begin')
  try {
    // Citus takes no query with several changes of tables.
    const statements = isOnNode ? splitStatements(migration.text) : [migration.text]
    for (const statement of statements) await connection.query(statement)
    await connection.query('insert into schema_migrations (number, name, checksum) values ($1, $2, $3)', [
      migration.number,
      migration.name,
      migration.checksum,
    ])
    await connection.query('commit')
  } catch (error) {
    await connection.query('rollback').catch(() => {})
    throw error
  }
}

/**
 * Applies a migration step by step. The row says that it was begun, so that the next start finishes it if this one is
 * interrupted.
 */
async function applyInSteps(connection: Queryable, migration: Migration): Promise<void> {
  await connection.query(
    `insert into schema_migrations (number, name, checksum, applied_at) values ($1, $2, $3, null)
     on conflict (number) do update
        set name = excluded.name, checksum = excluded.checksum, begun_at = excluded.begun_at`,
    [migration.number, migration.name, migration.checksum],
  )
  await runUntransacted(connection, migration.text)
  await connection.query(
    'update schema_migrations set applied_at = statement_timestamp() where number = $1',
    [migration.number],
  )
}
