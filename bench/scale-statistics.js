import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const TICKS_PER_SECOND = 100
const OWN = `query not like '%pg_stat%' and query not in ('begin', 'commit', 'rollback', 'BEGIN', 'COMMIT', 'ROLLBACK')`

/** Asks the server to count the pages that each statement touches. It counts after its next start. */
export async function countStatementsFromNextStart(database) {
  await database.query(`alter system set shared_preload_libraries = 'pg_stat_statements'`)
}

export async function openCounts(database) {
  await database.query('create extension if not exists pg_stat_statements')
}

/**
 * Runs `work` so many times and returns what one run touches: pages of 8 kB, found in memory or not, and the shortest
 * time of its statements, which a busy neighbour cannot lengthen. The first run is not counted, because it fills caches.
 */
export async function countPages(database, work, { times = 5 } = {}) {
  await work(0)
  await database.query('select pg_stat_statements_reset()')
  for (let time = 1; time <= times; time += 1) await work(time)
  const { rows } = await database.query(
    `select sum(shared_blks_hit + shared_blks_read)::float8 / $1 as pages,
            sum(min_exec_time * calls)::float8 / $1 as ms, sum(rows)::float8 / $1 as rows
       from pg_stat_statements where ${OWN}`,
    [times],
  )
  return rows[0]
}

/** Returns pages and written bytes of the statements with this text since the last reset. */
export async function pagesOf(database, text) {
  const { rows } = await database.query(
    `select coalesce(sum(shared_blks_hit + shared_blks_read), 0)::float8 as pages,
            coalesce(sum(shared_blks_read), 0)::float8 as from_disk, coalesce(sum(wal_bytes), 0)::float8 as wal_bytes
       from pg_stat_statements where query like '%' || $1 || '%' and ${OWN}`,
    [text],
  )
  return rows[0]
}

export const resetCounts = (database) => database.query('select pg_stat_statements_reset()')

/** Returns the CPU seconds that this database server has used, those of its ended processes included. */
export async function serverCpuSeconds(database) {
  const { rows } = await database.query('show data_directory')
  const postmaster = readFileSync(join(rows[0].data_directory, 'postmaster.pid'), 'utf8').split('\n')[0]
  let ticks = 0
  for (const entry of readdirSync('/proc')) {
    if (!/^\d+$/.test(entry)) continue
    const fields = statOf(entry)
    if (fields === undefined || (entry !== postmaster && fields[1] !== postmaster)) continue
    ticks += Number(fields[11]) + Number(fields[12])
    if (entry === postmaster) ticks += Number(fields[13]) + Number(fields[14])
  }
  return ticks / TICKS_PER_SECOND
}

/** Returns the fields of a process after its name; undefined: it has just ended. */
function statOf(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return text.slice(text.lastIndexOf(')') + 2).split(' ')
  } catch {
    return undefined
  }
}

/** Returns the CPU seconds that this process has used. */
export function ownCpuSeconds() {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1_000_000
}
