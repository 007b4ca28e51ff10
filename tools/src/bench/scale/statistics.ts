import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Database } from '../../../../packages/server/dist/db/database.js'
import { readProcesses } from '../cpu.ts'

const OWN = `query not like '%pg_stat%' and query not in ('begin', 'commit', 'rollback', 'BEGIN', 'COMMIT', 'ROLLBACK')`

export type Counted = { pages: number; ms: number }
type Touched = { pages: number; from_disk: number; wal_bytes: number }

/** Asks the server to count the pages that each statement touches. It counts after its next start. */
export async function countStatementsFromNextStart(database: Database) {
  await database.query(`alter system set shared_preload_libraries = 'pg_stat_statements'`)
}

export async function openCounts(database: Database) {
  await database.query('create extension if not exists pg_stat_statements')
}

/**
 * Runs `work` so many times and returns what one run touches: pages of 8 kB, found in memory or not, and the shortest
 * time of its statements, which a busy neighbour cannot lengthen. The first run is not counted, because it fills caches.
 */
export async function countPages(
  database: Database,
  work: () => Promise<unknown>,
  { times = 5 } = {},
): Promise<Counted> {
  await work()
  await database.query('select pg_stat_statements_reset()')
  for (let time = 1; time <= times; time += 1) await work()
  const { rows } = await database.query<Counted>(
    `select sum(shared_blks_hit + shared_blks_read)::float8 / $1 as pages,
            sum(min_exec_time * calls)::float8 / $1 as ms
       from pg_stat_statements where ${OWN}`,
    [times],
  )
  return rows[0] ?? { pages: 0, ms: 0 }
}

/** Returns pages and written bytes of the statements with this text since the last reset. */
export async function pagesOf(database: Database, text: string) {
  const { rows } = await database.query<Touched>(
    `select coalesce(sum(shared_blks_hit + shared_blks_read), 0)::float8 as pages,
            coalesce(sum(shared_blks_read), 0)::float8 as from_disk, coalesce(sum(wal_bytes), 0)::float8 as wal_bytes
       from pg_stat_statements where query like '%' || $1 || '%' and ${OWN}`,
    [text],
  )
  return rows[0] ?? { pages: 0, from_disk: 0, wal_bytes: 0 }
}

export const resetCounts = (database: Database) => database.query('select pg_stat_statements_reset()')

/** Returns the CPU seconds that this database server has used, those of its ended processes included. */
export async function serverCpuSeconds(database: Database) {
  const { rows } = await database.query<{ data_directory: string }>('show data_directory')
  const file = join(rows[0]?.data_directory ?? '', 'postmaster.pid')
  const postmaster = Number(readFileSync(file, 'utf8').split('\n')[0])
  let micros = 0
  for (const [pid, { parent, user, system, ended }] of readProcesses()) {
    if (pid === postmaster) micros += user + system + ended
    else if (parent === postmaster) micros += user + system
  }
  return micros / 1_000_000
}

/** Returns the CPU seconds that this process has used. */
export function ownCpuSeconds() {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000_000
}
