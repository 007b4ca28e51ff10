import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { gunzipSync, gzipSync } from 'node:zlib'
import type { Database, Queryable } from '../../db/database.ts'
import type { Routine } from '../../db/functions.ts'
import type { Migration } from '../../db/migrate.ts'

// Snapshot of a release: its schema by name, its functions, its data, and the statements that its nodes send.

/** Statement as a node sent it. Values are JSON; a bigint is its digits. */
export type SentStatement = { readonly text: string; readonly values: readonly unknown[] }

/** Statements of one act of a node, in their order, and the values in them that are other ones each time. */
export type RecordedAct = {
  readonly statements: readonly SentStatement[]
  readonly marks: Readonly<Record<string, string>>
}

export type TableRows = {
  readonly table: string
  readonly columns: readonly string[]
  /** Rows as the database's own JSON: numbers beyond 53 bits stay exact. */
  readonly json: string
}

export type Release = {
  readonly version: string
  /** Test key that opens the sealed columns of the data. */
  readonly masterKey: string
  readonly migrations: readonly Pick<Migration, 'number' | 'name' | 'checksum'>[]
  readonly functions: readonly Routine[]
  readonly tables: readonly TableRows[]
  readonly sequences: readonly { readonly name: string; readonly value: string }[]
  readonly acts: Readonly<Record<string, RecordedAct>>
}

const DIRECTORY = new URL('../../../releases/', import.meta.url)

export function releaseFile(version: string): string {
  return fileURLToPath(new URL(`${version}.json.gz`, DIRECTORY))
}

export async function readRelease(version: string): Promise<Release> {
  return JSON.parse(gunzipSync(await readFile(releaseFile(version))).toString('utf8')) as Release
}

export function packRelease(release: Release): Buffer {
  return gzipSync(JSON.stringify(release), { level: 9 })
}

/** Tables that the migration itself writes. */
const OWN_TABLES = ['schema_migrations', 'schema_functions']

const LIST_TABLES = `
  select c.relname as "table", array_agg(a.attname::text order by a.attnum) as columns
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
   where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace and c.relname <> all ($1)
   group by c.relname order by c.relname`

const LIST_SEQUENCES = `
  select sequencename::text as name, last_value::text as value from pg_sequences
   where schemaname = current_schema() and last_value is not null order by 1`

export async function dumpTables(connection: Queryable): Promise<TableRows[]> {
  const { rows } = await connection.query<Omit<TableRows, 'json'>>(LIST_TABLES, [OWN_TABLES])
  const tables: TableRows[] = []
  for (const { table, columns } of rows) {
    const found = await connection.query<{ json: string }>(
      `select coalesce(json_agg(t order by t::text), '[]')::text as json from (select ${list(columns)} from ${table}) t`,
    )
    tables.push({ table, columns, json: found.rows[0]?.json ?? '[]' })
  }
  return tables
}

export async function dumpSequences(connection: Queryable): Promise<Release['sequences']> {
  return (await connection.query<Release['sequences'][number]>(LIST_SEQUENCES)).rows
}

function list(columns: readonly string[]): string {
  return columns.map((column) => `"${column}"`).join(', ')
}

/** Replaces all data of a database by that of a release. Triggers do not run: the rows are as they were. */
export function loadData(database: Database, { tables, sequences }: Release): Promise<void> {
  return database.transaction(async (tx) => {
    await tx.query('set local session_replication_role = replica')
    await tx.query(`truncate ${tables.map(({ table }) => table).join(', ')}`)
    for (const { table, columns, json } of tables) {
      if (json === '[]') continue
      await tx.query(
        `insert into ${table} (${list(columns)}) overriding system value
         select ${list(columns)} from json_populate_recordset(null::${table}, $1::json)`,
        [json],
      )
    }
    for (const { name, value } of sequences) await tx.query('select setval($1::regclass, $2)', [name, value])
  })
}
