// Reads the schema from the system catalogs of a migrated database. pg_dump is not among the binaries from npm.

const IN_SCHEMA = `c.relnamespace = current_schema()::regnamespace`

const TABLES = `
  select c.relname as name, c.relpersistence = 'u' as is_unlogged, coalesce(c.reloptions, '{}') as options
    from pg_class c where c.relkind = 'r' and ${IN_SCHEMA} order by c.relname`

const COLUMNS = `
  select c.relname as table, a.attname as name, format_type(a.atttypid, a.atttypmod) as type,
         a.attnotnull as is_required, a.attidentity as identity, a.attgenerated <> '' as is_generated,
         pg_get_expr(d.adbin, d.adrelid) as expression,
         case when a.attcollation <> t.typcollation then quote_ident(l.collname) end as collation
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    join pg_type t on t.oid = a.atttypid
    left join pg_collation l on l.oid = a.attcollation
    left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
   where c.relkind = 'r' and ${IN_SCHEMA} order by c.relname, a.attnum`

// Constraints without not-null, which are rows here from PostgreSQL 18 on: the columns have them already.
const CONSTRAINTS = `
  select c.relname as table, k.conname as name, pg_get_constraintdef(k.oid) as definition
    from pg_class c join pg_constraint k on k.conrelid = c.oid
   where k.contype in ('p', 'u', 'c', 'f', 'x') and ${IN_SCHEMA}
   order by c.relname, array_position(array['p', 'u', 'x', 'f', 'c'], k.contype::text), k.conname`

const INDEXES = `
  select c.relname as table, i.relname as name, pg_get_indexdef(i.oid) as definition
    from pg_class c join pg_index x on x.indrelid = c.oid join pg_class i on i.oid = x.indexrelid
   where ${IN_SCHEMA} and not exists (select from pg_constraint k where k.conindid = i.oid and k.conrelid = c.oid)
   order by c.relname, i.relname`

const TRIGGERS = `
  select c.relname as table, t.tgname as name, pg_get_triggerdef(t.oid) as definition
    from pg_class c join pg_trigger t on t.tgrelid = c.oid
   where not t.tgisinternal and ${IN_SCHEMA} order by c.relname, t.tgname`

const VIEWS = `
  select c.relname as name, pg_get_viewdef(c.oid) as definition
    from pg_class c where c.relkind = 'v' and ${IN_SCHEMA} order by c.relname`

const SEQUENCES = `
  select c.relname as name, format_type(s.seqtypid, null) as type, s.seqstart::text as start,
         s.seqincrement::text as increment, s.seqmin::text as min, s.seqmax::text as max, s.seqcycle as cycles
    from pg_class c join pg_sequence s on s.seqrelid = c.oid
   where ${IN_SCHEMA} and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'i')
   order by c.relname`

const FUNCTIONS = `
  select p.proname as name, pg_get_function_identity_arguments(p.oid) as arguments,
         pg_get_function_result(p.oid) as result
    from pg_proc p where p.pronamespace = current_schema()::regnamespace order by p.proname, 2`

type Named = { name: string }
type OfTable = Named & { table: string; definition: string }

/** Rows of the system catalogs. */
export type Catalog = {
  tables: (Named & { is_unlogged: boolean; options: string[] })[]
  columns: (Named & {
    table: string
    type: string
    is_required: boolean
    identity: string
    is_generated: boolean
    expression: string | null
    collation: string | null
  })[]
  constraints: OfTable[]
  indexes: OfTable[]
  triggers: OfTable[]
  views: (Named & { definition: string })[]
  sequences: (Named & {
    type: string
    start: string
    increment: string
    min: string
    max: string
    cycles: boolean
  })[]
  functions: (Named & { arguments: string; result: string })[]
}

/** Runs one statement and returns its rows. */
export type Query = <Row extends object>(statement: string) => Promise<Row[]>

/** Reads the schema. */
export async function introspect(query: Query): Promise<Catalog> {
  return {
    tables: await query(TABLES),
    columns: await query(COLUMNS),
    constraints: await query(CONSTRAINTS),
    indexes: await query(INDEXES),
    triggers: await query(TRIGGERS),
    views: await query(VIEWS),
    sequences: await query(SEQUENCES),
    functions: await query(FUNCTIONS),
  }
}
