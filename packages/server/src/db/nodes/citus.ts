import type { Queryable } from '../database.ts'
import { applyRoutines, readFunctions } from '../functions.ts'

/** Node of a Citus cluster that holds a group. */
export type Node = { readonly host: string; readonly port: number }

/** Place of the schema that a connection works in: not on Citus, not yet given to a node of it, or on a node. */
export type CitusPlace = 'none' | 'undistributed' | Node

/**
 * Finds the node that holds the schema. Every node of a cluster knows it, the coordinator first. A table of migrations is
 * in every schema.
 */
export async function findCitusPlace(connection: Queryable): Promise<CitusPlace> {
  const { rows } = await connection.query<{ is_citus: boolean }>(
    `select to_regclass('pg_catalog.pg_dist_schema') is not null as is_citus`,
  )
  if (rows[0]?.is_citus !== true) return 'none'
  const found = await connection.query<Node>(
    `select n.nodename as host, n.nodeport as port
       from pg_catalog.pg_dist_schema d
       join pg_dist_shard s on s.logicalrelid = to_regclass('schema_migrations')
       join pg_dist_placement p on p.shardid = s.shardid
       join pg_dist_node n on n.groupid = p.groupid and n.noderole = 'primary'
      where d.schemaid = current_schema()::regnamespace`,
  )
  return found.rows[0] ?? 'undistributed'
}

/** Numbers of a free sequence that one node may give before those of the next node begin. */
const NUMBERS_PER_NODE = 1_000_000_000

/**
 * Sets what each node needs beside the tables. The planner of Citus takes no generic plan, and rows without a log would
 * stay behind when the group moves. Sequences that belong to no column are made on every node, each with numbers of its
 * own. It may run twice.
 */
const FIT = `do $$
  declare
    v_schema text := current_schema();
    v_routine regprocedure;
    v_table regclass;
    v_sequence text;
  begin
    for v_routine in
      select p.oid::regprocedure from pg_proc p
       where p.pronamespace = v_schema::regnamespace and 'plan_cache_mode=force_generic_plan' = any (p.proconfig)
    loop
      execute format('alter function %s reset plan_cache_mode', v_routine);
    end loop;
    for v_table in
      select c.oid::regclass from pg_class c
       where c.relnamespace = v_schema::regnamespace and c.relkind = 'r' and c.relpersistence = 'u'
         and not exists (select from pg_dist_partition d where d.logicalrelid = c.oid)
    loop
      execute format('alter table %s set logged', v_table);
    end loop;
    for v_sequence in
      select c.relname from pg_class c
       where c.relnamespace = v_schema::regnamespace and c.relkind = 'S'
         and not exists (select from pg_depend d where d.objid = c.oid and d.deptype in ('a', 'i'))
    loop
      perform run_command_on_workers(format(
        'do $do$ begin execute format(''create sequence if not exists %%I.%%I start %%s'', %L, %L, '
          '(select groupid from pg_dist_local_group) * ${NUMBERS_PER_NODE}::bigint + 1); end $do$',
        v_schema, v_sequence))
         from pg_dist_schema d where d.schemaid = v_schema::regnamespace;
    end loop;
  end $$`

/** Makes the schema fit for Citus, before and after it is given to a node. */
export async function fitToCitus(connection: Queryable): Promise<void> {
  await connection.query(FIT)
}

/**
 * Gives a migrated schema, with all of its tables, to a node of the cluster, which the coordinator chooses; on a server
 * without Citus nothing happens. Repeating it finishes what was broken off, and brings a new node up to date.
 */
export async function distributeSchema(connection: Queryable): Promise<void> {
  const place = await findCitusPlace(connection)
  if (place === 'none') return
  if (place === 'undistributed') {
    await fitToCitus(connection)
    await connection.query('select citus_schema_distribute(current_schema()::regnamespace)')
  }
  // A function that takes or returns a row of a table can reach the nodes only after the table.
  const routines = await readFunctions()
  await applyRoutines(
    connection,
    routines.filter(({ kind }) => kind === 'function'),
  )
  await fitToCitus(connection)
}

/** Returns the address of the same database on another node. */
export function addressAt(address: string, { host, port }: Node): string {
  const url = new URL(address)
  url.hostname = host.includes(':') ? `[${host}]` : host
  url.port = String(port)
  url.searchParams.delete('host')
  url.searchParams.delete('port')
  return url.href
}
