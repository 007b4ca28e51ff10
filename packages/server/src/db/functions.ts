import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Queryable } from './database.ts'
import { sqlStateOf } from './sql-state.ts'
import { splitStatements, withoutLeadingComments } from './statements.ts'

/** Function, or a trigger that calls one, as its file defines it. */
export type Routine = {
  readonly kind: 'function' | 'trigger'
  /** Name; a trigger's name includes its table. */
  readonly routine: string
  readonly text: string
  readonly checksum: string
}

const DIRECTORY = fileURLToPath(new URL('../../functions/', import.meta.url))
const FUNCTION = /^create or replace function (\w+)\s*\(/
const TRIGGER = /^create or replace trigger (\w+)\s[\s\S]*?\son (\w+)\s/

let installed: Promise<readonly Routine[]> | undefined

/**
 * Reads every file `functions/<domain>/<name>.sql`: one function, and the triggers that call it. The installed files are
 * read once: a start needs them three times, and a batch for each command.
 */
export async function readFunctions(directory?: string): Promise<Routine[]> {
  if (directory !== undefined) return readDirectory(directory)
  installed ??= readDirectory(DIRECTORY)
  return [...(await installed)]
}

async function readDirectory(directory: string): Promise<Routine[]> {
  const paths = await readdir(directory, { recursive: true })
  const files = paths.filter((path) => path.endsWith('.sql')).sort()
  const routines: Routine[] = []
  for (const file of files) {
    const text = await readFile(join(directory, file), 'utf8')
    routines.push(...readRoutines(file, text))
  }
  const names = routines.map(keyOf)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) throw new Error(`${twice} stands in two files`)
  return routines
}

export function readRoutines(file: string, text: string): Routine[] {
  const [first, ...others] = splitStatements(text).map(routineOf)
  if (first?.kind !== 'function' || first.routine !== basename(file, '.sql')) {
    throw new Error(
      `${file}: begins with "create or replace function ${basename(file, '.sql')}(", named as the file`,
    )
  }
  const triggers = others.map((routine) => {
    if (routine?.kind === 'trigger') return routine
    throw new Error(`${file}: after its function it holds "create or replace trigger" statements alone`)
  })
  return [first, ...triggers]
}

function routineOf(text: string): Routine | undefined {
  const statement = withoutLeadingComments(text)
  const checksum = createHash('sha256').update(text).digest('hex')
  const [, name] = FUNCTION.exec(statement) ?? []
  if (name !== undefined) return { kind: 'function', routine: name, text, checksum }
  const [, trigger, table] = TRIGGER.exec(statement) ?? []
  if (trigger === undefined) return undefined
  return { kind: 'trigger', routine: `${trigger} on ${table}`, text, checksum }
}

// ── Applied texts ──

/**
 * Table of every text that was ever applied. A text that was replaced is never put back: it belongs to an older node
 * that restarts while a newer version is rolled out.
 */
export const FUNCTIONS_TABLE = `create table if not exists schema_functions (
  kind text not null,
  name text not null,
  checksum text not null,
  applied_at timestamptz not null default clock_timestamp(),
  primary key (kind, name, checksum)
)`

type KnownRow = { kind: string; name: string; checksum: string; is_present: boolean; is_latest: boolean }

/**
 * Query for the applied texts. `is_present` is false after a migration dropped the function, or the trigger's table.
 */
const LIST_KNOWN = `
  with applied as materialized (select kind, name, checksum, applied_at from schema_functions)
  select a.kind, a.name, a.checksum,
         case a.kind
           when 'function' then exists (
             select from pg_proc p where p.proname = a.name and p.pronamespace = current_schema()::regnamespace)
           else exists (
             select from pg_trigger t join pg_class c on c.oid = t.tgrelid
              where t.tgname || ' on ' || c.relname = a.name and c.relnamespace = current_schema()::regnamespace)
         end as is_present,
         a.applied_at = max(a.applied_at) over (partition by a.kind, a.name) as is_latest
    from applied a`

async function listKnown(connection: Queryable): Promise<ReadonlyMap<string, KnownRow>> {
  const { rows: found } = await connection.query<{ is_there: boolean }>(
    `select to_regclass('schema_functions') is not null as is_there`,
  )
  if (found[0]?.is_there !== true) return new Map()
  const { rows } = await connection.query<KnownRow>(LIST_KNOWN)
  return new Map(rows.map((row) => [`${row.kind} ${row.name} ${row.checksum}`, row]))
}

/** Lists the routines whose text the database never had, or no longer has. */
export async function pendingRoutines(
  connection: Queryable,
  routines: readonly Routine[],
): Promise<Routine[]> {
  const known = await listKnown(connection)
  return routines.filter((routine) => known.get(textKeyOf(routine))?.is_present !== true)
}

/** Lists the routines of which the database has a newer text than this version. */
export async function supersededRoutines(
  connection: Queryable,
  routines: readonly Routine[],
): Promise<Routine[]> {
  const known = await listKnown(connection)
  return routines.filter((routine) => known.get(textKeyOf(routine))?.is_latest === false)
}

/**
 * Applies functions in one transaction, so that they change together. Each trigger has a transaction of its own: it
 * locks its table against writers, and two locked tables could deadlock with them.
 */
export async function applyRoutines(connection: Queryable, pending: readonly Routine[]): Promise<void> {
  const functions = pending.filter(({ kind }) => kind === 'function')
  if (functions.length > 0) await applyTogether(connection, functions)
  for (const routine of pending) if (routine.kind === 'trigger') await applyTogether(connection, [routine])
}

async function applyTogether(connection: Queryable, routines: readonly Routine[]): Promise<void> {
  await connection.query('begin')
  try {
    // Functions call each other, and are created in the order of their files.
    await connection.query('set local check_function_bodies = off')
    for (const routine of routines) await applyOne(connection, routine)
    await connection.query('commit')
  } catch (error) {
    await connection.query('rollback').catch(() => {})
    throw error
  }
}

async function applyOne(connection: Queryable, routine: Routine): Promise<void> {
  try {
    await connection.query(routine.text)
  } catch (error) {
    throw new Error(`${keyOf(routine)} failed${remedyFor(error)}`, { cause: error })
  }
  await connection.query(
    `insert into schema_functions (kind, name, checksum) values ($1, $2, $3)
     on conflict (kind, name, checksum) do update set applied_at = excluded.applied_at`,
    [routine.kind, routine.routine, routine.checksum],
  )
}

const INVALID_FUNCTION_DEFINITION = '42P13'

function remedyFor(error: unknown): string {
  if (sqlStateOf(error) !== INVALID_FUNCTION_DEFINITION) return ''
  return (
    ': PostgreSQL keeps the result, the names of the parameters and their defaults of a function that it replaces. ' +
    'Nodes of the version before still call the old one: give the new one another name or other parameters, ' +
    'and drop the old one by a migration of a later release'
  )
}

function keyOf({ kind, routine }: Routine): string {
  return `${kind} ${routine}`
}

function textKeyOf(routine: Routine): string {
  return `${keyOf(routine)} ${routine.checksum}`
}
