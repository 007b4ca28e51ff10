import type { Queryable } from '../database.ts'

// Statements over every table of the schema. The server writes them, because it knows the names.

/** Tables that a move does not carry: the row of the place, and what the migrations of the new place write by themselves. */
const KEPT = ['group_place', 'schema_migrations', 'schema_functions']

/** Table that is carried, with statements about it. Tables without a log are not: they may be lost. */
export type CarriedTable = {
  readonly name: string
  readonly bytes: bigint
  readonly gate: string
  readonly ungate: string
  readonly digest: string
}

const CARRIED = `
  select c.relname as name, pg_table_size(c.oid) as bytes,
         format('create or replace trigger group_gate before insert or update or delete or truncate on %I
                 for each statement execute function gate_writes()', c.relname) as gate,
         format('drop trigger if exists group_gate on %I', c.relname) as ungate,
         format('select %L as name, count(*) as rows,
                        coalesce(sum(hashtextextended(t::text, 0)::numeric), 0)::text as digest from %I as t',
                c.relname, c.relname) as digest
    from pg_class c
   where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and c.relpersistence = 'p'
     and c.relname <> all ($1::text[])
   order by c.relname`

export async function listCarried(connection: Queryable): Promise<CarriedTable[]> {
  return (await connection.query<CarriedTable>(CARRIED, [KEPT])).rows
}

const STATEMENTS = `
  select format('create publication %I for table %s', $2::text, string_agg(format('%I', name), ', ' order by name)) as publish,
         format('truncate %s', string_agg(format('%I', name), ', ' order by name)) as clear
    from unnest($1::text[]) as t (name)`

/** Statements over all of the tables at once. */
export async function describeAll(
  connection: Queryable,
  tables: readonly CarriedTable[],
  publication: string,
): Promise<{ readonly publish: string; readonly clear: string }> {
  const names = tables.map(({ name }) => name)
  const { rows } = await connection.query<{ publish: string; clear: string }>(STATEMENTS, [
    names,
    publication,
  ])
  const [found] = rows
  if (found === undefined) throw new Error('the schema has no tables')
  return found
}

// ── Sequences ──

/** Carries the sequences on: the next number at the new place follows the last one of the older place. */
export async function carrySequences(source: Queryable, target: Queryable): Promise<void> {
  const { rows } = await source.query<{ name: string; value: bigint }>(
    `select sequencename as name, last_value as value from pg_sequences
      where schemaname = current_schema() and last_value is not null`,
  )
  await target.query(
    `select setval(format('%I', t.name)::regclass, t.value, true)
       from unnest($1::text[], $2::bigint[]) as t (name, value)`,
    [rows.map(({ name }) => name), rows.map(({ value }) => value)],
  )
}
