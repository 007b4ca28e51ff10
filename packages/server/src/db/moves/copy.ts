import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import type { Queryable } from '../database.ts'
import { run } from '../database.ts'
import type { CarriedTable } from './tables.ts'
import { describeAll } from './tables.ts'
import type { MoveEnds } from './types.ts'

// Logical replication of the group's tables from the older place to the new one.

const POLL_MS = 100
const NOTE_MS = 5_000
const ERRORS_MAX = 5n
const SLOT_FREE_MS = 20_000

export type CopyNames = { readonly publication: string; readonly slot: string }

export function namesOf(group: string, move: number): CopyNames {
  return { publication: `warung_${group}`, slot: `warung_${group}_${move}` }
}

/** Begins the copy, or goes on with one that was begun. */
export async function beginCopy(
  ends: MoveEnds,
  control: pg.ClientBase,
  tables: readonly CarriedTable[],
  names: CopyNames,
): Promise<void> {
  const source: Queryable = { query: (statement, values) => run(control, statement, values) }
  await expectLogical(source, ends.labels.source)
  const slotAt = await findSubscription(ends.target, names)
  if (slotAt === names.slot && (await hasSlot(source, names))) return
  await dropSubscription(ends.target, names, 'alone')
  await dropSlot(source, names)
  const { publish, clear } = await describeAll(source, tables, names.publication)
  await source.query(`drop publication if exists ${names.publication}`)
  await source.query(publish)
  // It is made apart: on one server the subscription would wait for itself.
  await source.query("select pg_create_logical_replication_slot($1, 'pgoutput')", [names.slot])
  await clearTables(ends, clear)
  const { publication, slot } = names
  await ends.target.withConnection(async (connection) => {
    await connection.query(
      `create subscription ${publication} connection ${pg.escapeLiteral(conninfoOf(ends.connections.source))}
         publication ${publication}
         with (create_slot = false, slot_name = '${slot}', enabled = false, copy_data = true)`,
    )
    await connection.query(`alter subscription ${publication} enable`)
  })
}

/** Empties the tables of the new place: its migrations wrote first rows, which the copy brings too. */
async function clearTables(ends: MoveEnds, clear: string): Promise<void> {
  const client = await ends.target.dedicatedConnection()
  try {
    // Rows of a log are kept by triggers; here there are none of value.
    await run(client, 'set session_replication_role = replica')
    await run(client, clear)
  } finally {
    await client.end()
  }
}

async function expectLogical(source: Queryable, label: string): Promise<void> {
  const { rows } = await source.query<{ level: string }>(`select current_setting('wal_level') as level`)
  if (rows[0]?.level === 'logical') return
  throw new Error(
    `the server ${label} has wal_level = ${rows[0]?.level}: set it to logical and restart it, then repeat the move`,
  )
}

type Progress = { open: bigint; total: bigint; errors: bigint }

/** Waits until every table was copied and only changes follow. */
export async function untilCopied(ends: MoveEnds, { publication }: CopyNames): Promise<void> {
  let notedAtMs = performance.now()
  for (;;) {
    const { rows } = await ends.target.query<Progress>(
      `select count(*) filter (where r.srsubstate <> 'r') as open, count(*) as total,
              coalesce(max(t.apply_error_count + t.sync_error_count), 0)::bigint as errors
         from pg_subscription s join pg_subscription_rel r on r.srsubid = s.oid
         left join pg_stat_subscription_stats t on t.subid = s.oid
        where s.subname = $1 and s.subdbid = (select oid from pg_database where datname = current_database())`,
      [publication],
    )
    const { open = 0n, total = 0n, errors = 0n } = rows[0] ?? {}
    if (total > 0n && open === 0n) return
    if (errors > ERRORS_MAX) {
      throw new Error(`the copy fails: the log of the server ${ends.labels.target} says why`)
    }
    if (performance.now() - notedAtMs > NOTE_MS) {
      ends.note(`copied ${total - open} of ${total} tables`)
      notedAtMs = performance.now()
    }
    await delay(POLL_MS)
  }
}

async function findSubscription(target: Queryable, { publication }: CopyNames): Promise<string | undefined> {
  const { rows } = await target.query<{ slot: string | null }>(
    `select subslotname as slot from pg_subscription
      where subname = $1 and subdbid = (select oid from pg_database where datname = current_database())`,
    [publication],
  )
  return rows[0] && (rows[0].slot ?? '')
}

async function hasSlot(source: Queryable, { slot }: CopyNames): Promise<boolean> {
  const { rows } = await source.query('select from pg_replication_slots where slot_name = $1', [slot])
  return rows.length > 0
}

/** Drops the subscription, and its slot with it unless it shall go alone because the slot is dropped at its server. */
export async function dropSubscription(
  target: MoveEnds['target'],
  names: CopyNames,
  manner: 'alone' | 'with its slot',
): Promise<void> {
  const slot = await findSubscription(target, names)
  if (slot === undefined) return
  await target.withConnection(async (connection) => {
    await connection.query(`alter subscription ${names.publication} disable`)
    if (manner === 'alone' || slot === '') {
      await connection.query(`alter subscription ${names.publication} set (slot_name = none)`)
    }
    await connection.query(`drop subscription ${names.publication}`)
  })
}

/** Drops the slot, which a worker that is ending may still use for a moment. */
export async function dropSlot(source: Queryable, names: CopyNames): Promise<void> {
  const giveUpAtMs = performance.now() + SLOT_FREE_MS
  while (await hasSlot(source, names)) {
    await source.query(
      'select pg_terminate_backend(active_pid) from pg_replication_slots where slot_name = $1',
      [names.slot],
    )
    const dropped = await source.query('select pg_drop_replication_slot($1)', [names.slot]).then(
      () => true,
      (error: unknown) => error,
    )
    if (dropped === true) return
    if (performance.now() > giveUpAtMs) throw dropped
    await delay(POLL_MS)
  }
}

/** Returns the address in the form that the server of the copy connects by. */
export function conninfoOf(connection: pg.ClientConfig): string {
  if (connection.connectionString !== undefined) return connection.connectionString
  const { host, port, user, password, database } = connection
  return Object.entries({ host, port, user, password, dbname: database })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}='${String(value).replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`)
    .join(' ')
}
