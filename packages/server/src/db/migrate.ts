import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { UNLIMITED } from './connection.ts'
import type { Database, Queryable } from './database.ts'

export type Migration = { number: number; name: string; text: string; checksum: string }

const DIRECTORY = fileURLToPath(new URL('../../migrations/', import.meta.url))
const FILE_NAME = /^(\d{4})_([a-z0-9_]+)\.sql$/
// One arbitrary, fixed number: every process that migrates this database takes the same advisory lock.
const LOCK_KEY = 7_714_203

/** A migration, or the wait for another process that migrates, takes as long as it takes: keep-alive ends a dead one. */
const MIGRATION_LIMITS = { statementMs: UNLIMITED }

export async function readMigrations(directory = DIRECTORY): Promise<Migration[]> {
  const names = (await readdir(directory)).filter((name) => name.endsWith('.sql')).sort()
  const migrations: Migration[] = []
  for (const [index, file] of names.entries()) {
    const match = FILE_NAME.exec(file)
    if (match === null) throw new Error(`migration ${file}: the name must look like 0001_what_it_does.sql`)
    const number = Number(match[1])
    if (number !== index + 1) throw new Error(`migration ${file}: expected number ${index + 1}`)
    const text = await readFile(`${directory}/${file}`, 'utf8')
    migrations.push({
      number,
      name: String(match[2]),
      text,
      checksum: createHash('sha256').update(text).digest('hex'),
    })
  }
  return migrations
}

type AppliedRow = { number: number; name: string; checksum: string }

/** Brings the schema up to date, forward only. Safe to call from many processes at once. */
export async function migrate(database: Database, migrations?: Migration[]): Promise<Migration[]> {
  const known = migrations ?? (await readMigrations())
  return database.withConnection(async (connection) => {
    await connection.query('select pg_advisory_lock($1)', [LOCK_KEY])
    try {
      await connection.query(
        `create table if not exists schema_migrations (
           number integer primary key,
           name text not null,
           checksum text not null,
           applied_at timestamptz not null default now()
         )`,
      )
      const pending = pendingOf(known, await listApplied(connection))
      for (const migration of pending) await apply(connection, migration)
      return pending
    } finally {
      await connection.query('select pg_advisory_unlock($1)', [LOCK_KEY])
    }
  }, MIGRATION_LIMITS)
}

/** What a database still lacks; throws when it holds something this version does not know. */
export async function pendingMigrations(database: Database): Promise<Migration[]> {
  const { rows } = await database.query<{ known: boolean }>(
    `select to_regclass('schema_migrations') is not null as known`,
  )
  const applied = rows[0]?.known === true ? await listApplied(database) : []
  return pendingOf(await readMigrations(), applied)
}

async function listApplied(connection: Queryable): Promise<AppliedRow[]> {
  const { rows } = await connection.query<AppliedRow>(
    'select number, name, checksum from schema_migrations order by number',
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
    if (migration.checksum !== row.checksum) {
      throw new Error(
        `migration ${row.number} (${row.name}) was changed after it had been applied; ` +
          'migrations are never edited, add a new one',
      )
    }
  }
  return known.slice(applied.length)
}

async function apply(connection: Queryable, migration: Migration): Promise<void> {
  await connection.query('begin')
  try {
    await connection.query(migration.text)
    await connection.query('insert into schema_migrations (number, name, checksum) values ($1, $2, $3)', [
      migration.number,
      migration.name,
      migration.checksum,
    ])
    await connection.query('commit')
  } catch (error) {
    await connection.query('rollback')
    throw new Error(`migration ${migration.number} (${migration.name}) failed`, { cause: error })
  }
}
