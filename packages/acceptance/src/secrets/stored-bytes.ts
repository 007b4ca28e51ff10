import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'

// Everything that a database keeps, as a thief of a dump, of a disk or of its log sees it. The files are read through
// the server, so that the tests need no right to its directory.

export type StoredPiece = { readonly place: string; readonly bytes: Buffer }

/** Lists the rows of every table as text, as a dump has them; binary columns are in hex. */
export async function* dumpTables(client: pg.Client): AsyncGenerator<StoredPiece> {
  const tables = await client.query<{ table: string }>(
    `select format('%I.%I', schemaname, tablename) as table from pg_tables
      where schemaname not in ('pg_catalog', 'information_schema') order by 1`,
  )
  for (const { table } of tables.rows) {
    const { rows } = await client.query<[string]>({
      text: `select t::text from only ${table} t`,
      rowMode: 'array',
    })
    yield { place: table, bytes: Buffer.from(rows.map(([row]) => row).join('\n')) }
  }
}

/** Reads the files of all tables, indexes, statistics and large values of the database, as they lie on the disk. */
export async function* readTableFiles(client: pg.Client): AsyncGenerator<StoredPiece> {
  await client.query('checkpoint')
  const { rows } = await client.query<{ name: string; path: string }>(
    `select oid::regclass::text as name, pg_relation_filepath(oid) as path from pg_class
      where pg_relation_filepath(oid) is not null and relpersistence <> 't' order by 1`,
  )
  for (const { name, path } of rows) yield* readServerFile(client, name, path)
}

/** Keeps the write-ahead log from now on until the connection ends, whatever checkpoints others cause. */
export async function keepWriteAheadLog(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ file: string }>(
    `select pg_walfile_name(lsn) as file from
       pg_create_physical_replication_slot('secrets_' || pg_backend_pid(), true, true)`,
  )
  const [row] = rows
  if (row === undefined) throw new Error('the server keeps no write-ahead log')
  return row.file
}

/** Reads the write-ahead log from the named file to its present end. */
export async function* readWriteAheadLog(client: pg.Client, first: string): AsyncGenerator<StoredPiece> {
  const { rows } = await client.query<{ name: string }>(
    `select name from pg_ls_waldir()
      where name between $1 and pg_walfile_name(pg_current_wal_insert_lsn()) order by name`,
    [first],
  )
  for (const { name } of rows) yield* readServerFile(client, name, `pg_wal/${name}`)
}

/** Reads the log of the database server, if it writes one. */
export async function* readServerLog(client: pg.Client): AsyncGenerator<StoredPiece> {
  const { rows: settings } = await client.query<{ path: string | null }>(
    `select pg_current_logfile() as path`,
  )
  const path = settings[0]?.path
  if (path !== null && path !== undefined) yield* readServerFile(client, path, path)
}

/** Reads every file of a directory. */
export async function* readDirectory(directory: string): AsyncGenerator<StoredPiece> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  for (const entry of entries) {
    if (!entry.isFile()) continue
    const place = join(entry.parentPath, entry.name)
    yield { place, bytes: await readFile(place) }
  }
}

const PIECE_BYTES = 8_388_608
/** Pieces overlap, so that a secret at the border of two is whole in one of them. */
const OVERLAP_BYTES = 4_096

async function* readServerFile(client: pg.Client, place: string, path: string): AsyncGenerator<StoredPiece> {
  for (let offset = 0; ; offset += PIECE_BYTES - OVERLAP_BYTES) {
    const { rows } = await client.query<{ piece: string | null }>(
      `select encode(pg_read_binary_file($1, $2, $3, true), 'base64') as piece`,
      [path, offset, PIECE_BYTES],
    )
    const bytes = Buffer.from(rows[0]?.piece ?? '', 'base64')
    if (bytes.length > 0) yield { place, bytes }
    if (bytes.length < PIECE_BYTES) return
  }
}
