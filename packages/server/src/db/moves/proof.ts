import type { Database, Queryable } from '../database.ts'
import { run } from '../database.ts'
import type { CarriedTable } from './tables.ts'

/** Reads of one moment, in a transaction that stays open. */
export type Moment = Queryable & {
  /** Reads the tables under another name of their schema. */
  within(schema: string): Promise<void>
  close(): Promise<void>
}

export async function openMoment(database: Database): Promise<Moment> {
  const client = await database.dedicatedConnection()
  await run(client, 'set statement_timeout = 0; set idle_in_transaction_session_timeout = 0')
  await run(client, 'begin isolation level repeatable read read only')
  await run(client, 'select 1')
  return {
    query: (statement, values) => run(client, statement, values),
    async within(schema) {
      await run(client, `set search_path = ${schema}`)
    },
    close: () => client.end().catch(() => {}),
  }
}

type Digest = { readonly name: string; readonly rows: bigint; readonly digest: string }

/** Result of comparing two places table by table: how much was compared, and which tables differ. */
export type Comparison = {
  readonly tables: number
  readonly rows: bigint
  readonly differ: readonly string[]
}

/** Compares counts and checksums of all rows of each table. */
export async function compareTables(
  source: Queryable,
  target: Queryable,
  tables: readonly CarriedTable[],
): Promise<Comparison> {
  const differ: string[] = []
  let rows = 0n
  for (const part of partsOf(tables)) {
    const text = part.map(({ digest }) => digest).join(' union all ')
    const [own, other] = await Promise.all([source.query<Digest>(text), target.query<Digest>(text)])
    const byName = new Map(other.rows.map((row) => [row.name, row]))
    for (const row of own.rows) {
      const copy = byName.get(row.name)
      rows += row.rows
      if (copy?.rows !== row.rows || copy.digest !== row.digest) {
        differ.push(`${row.name} (${row.rows} rows, ${copy?.rows ?? 0n} in the copy)`)
      }
    }
  }
  return { tables: tables.length, rows, differ }
}

const PART_BYTES = 4_000_000n

/** Joins small tables, so that they cost one statement. */
function partsOf(tables: readonly CarriedTable[]): CarriedTable[][] {
  const parts: CarriedTable[][] = []
  let room = 0n
  for (const table of tables) {
    if (table.bytes > room) {
      parts.push([])
      room = PART_BYTES
    }
    parts.at(-1)?.push(table)
    room -= table.bytes
  }
  return parts
}

const VERSION = `
  select (select string_agg(number || ' ' || checksum, ',' order by number) from schema_migrations)
         || coalesce((select string_agg(f.kind || f.name || f.checksum, ',' order by f.kind, f.name, f.checksum)
                        from (select kind, name, checksum,
                                     applied_at = max(applied_at) over (partition by kind, name) as is_latest
                                from schema_functions) as f
                       where f.is_latest), '') as version`

/** Tells whether both places have the same migrations and the same texts of functions. */
export async function areOfOneVersion(source: Queryable, target: Queryable): Promise<boolean> {
  const [own, other] = await Promise.all(
    [source, target].map(async (each) => (await each.query<{ version: string }>(VERSION)).rows[0]?.version),
  )
  return own !== undefined && own === other
}
