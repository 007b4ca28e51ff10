import pg from 'pg'
import type { Queryable, Tx } from './database.ts'

/** Content of a table by its parts: part → mark. */
export type Marks = Readonly<Record<string, string>>

export type CarriedState = {
  /** Address of the first group; null: what is carried is written here. */
  readonly source: string | null
  readonly version: bigint
  readonly marks: Marks
  /** When the version came here. */
  readonly at: Date
  readonly trouble: string | null
}

const READ = {
  name: 'carried_version',
  text: 'select source, version, marks, at, trouble from carried_version',
}

export async function readCarried(connection: Queryable): Promise<CarriedState> {
  const { rows } = await connection.query<CarriedState>(READ)
  const [state] = rows
  if (state === undefined) throw new Error('the schema has a row of what is carried')
  return state
}

/** Says that this schema gets what is written in the group at `source`: from now on it is refused here. */
export async function followSource(connection: Queryable, source: string): Promise<void> {
  await connection.query('update carried_version set source = $1 where source is distinct from $1', [source])
}

/** Says the same of a schema that was made a moment ago; a service that has opened it knows the address better. */
export async function becomeFollower(connection: Queryable, source: string): Promise<void> {
  await connection.query('update carried_version set source = $1 where source is null', [source])
}

/** Gives the content that the marks tell its number: the present one, or the next where the content is another. */
export async function stampVersion(tx: Tx, marks: Marks): Promise<bigint> {
  const { rows } = await tx.query<{ version: bigint }>(
    `update carried_version set version = version + 1, marks = $1::jsonb, at = statement_timestamp()
      where marks <> $1::jsonb returning version`,
    [JSON.stringify(marks)],
  )
  return rows[0]?.version ?? (await readCarried(tx)).version
}

/** Begins to carry: no other process does, and what is written once may be written until the transaction ends. */
export async function beginCarrying(tx: Tx): Promise<boolean> {
  const { rows } = await tx.query<{ is_ours: boolean }>(
    `select pg_try_advisory_xact_lock(hashtextextended('what is carried', 0) # lock_mark()) as is_ours`,
  )
  if (rows[0]?.is_ours !== true) return false
  await tx.query(`select set_config('warung.carries', 'on', true)`)
  return true
}

export async function noteCarried(
  tx: Tx,
  { version, marks }: Pick<CarriedState, 'version' | 'marks'>,
): Promise<void> {
  await tx.query(
    `update carried_version set version = $1, marks = $2::jsonb, at = statement_timestamp(), trouble = null`,
    [version, JSON.stringify(marks)],
  )
}

export async function noteTrouble(connection: Queryable, trouble: string): Promise<void> {
  await connection.query('update carried_version set trouble = $1 where trouble is distinct from $1', [
    trouble.slice(0, 500),
  ])
}

/** Returns the mark of a table: another one when a row has changed. */
export async function markOf(connection: Queryable, table: string): Promise<string> {
  const { rows } = await connection.query<{ mark: string }>('select carried_mark($1) as mark', [table])
  return rows[0]?.mark ?? ''
}

/** Rows of a table as JSON text. They are never parsed on the way: a JavaScript number would change large ones. */
export async function readTable(connection: Queryable, table: string, instead: object = {}): Promise<string> {
  const { rows } = await connection.query<{ found: string }>('select carried_rows($1, $2::jsonb) as found', [
    table,
    JSON.stringify(instead),
  ])
  return rows[0]?.found ?? '[]'
}

/** Puts a member into each of the rows, by the row's code. */
export async function withMember(
  connection: Queryable,
  rows: string,
  { name, byCode }: { readonly name: string; readonly byCode: Readonly<Record<string, string | null>> },
): Promise<string> {
  const found = await connection.query<{ found: string }>(
    `select coalesce(jsonb_agg(r || jsonb_build_object($2::text, $3::jsonb -> (r ->> 'code'))), '[]')::text as found
       from jsonb_array_elements($1::jsonb) r`,
    [rows, name, JSON.stringify(byCode)],
  )
  return found.rows[0]?.found ?? '[]'
}

/** Fate of a row that the first group does not have: see carry_rows. */
export type Gone = 'delete' | 'fixed' | { readonly set: string }

/** Makes a table the same as the given rows; returns the number of rows that were written. */
export async function writeTable(tx: Tx, table: string, rows: string, gone: Gone): Promise<number> {
  const { rows: counted } = await tx.query<{ count: number }>('select carry_rows($1, $2, $3) as count', [
    table,
    rows,
    typeof gone === 'string' ? gone : gone.set,
  ])
  return counted[0]?.count ?? 0
}

const WRITTEN_ONCE = 'WG001'

/** Tells that a statement was refused because it changes what is carried to this group. */
export function isWrittenOnce(error: unknown): error is Error {
  return error instanceof pg.DatabaseError && error.code === WRITTEN_ONCE
}
