import type pg from 'pg'
import { ask, DatabaseSilentError } from './connection.ts'

/** Server's ends of connections that were cut because they were silent. */
export type Orphans = {
  add(processId: number): void
  /** Rejects when the server still works on too many of them to open another one. */
  admit(client: pg.ClientBase): Promise<void>
}

const STATEMENT_MS = 2_000

/**
 * Tracks cut connections that may live on at the server: idle until keep-alive finds out, in an open transaction with
 * its locks, or in the wait for a standby that is gone. The first two are ended from the connection that replaces them.
 * The last must not be, because that would end the wait too. Without a limit, each replacement would join the wait
 * until the server has no connection left.
 */
export function createOrphans(settings: { applicationName: string; max: number }): Orphans {
  const { applicationName, max } = settings
  const processIds = new Set<number>()
  return {
    add: (processId) => void processIds.add(processId),
    async admit(client) {
      if (processIds.size === 0) return
      processIds.delete(processIdOf(client))
      const given = [...processIds]
      const { rows } = await ask<{ pid: number }>(client, END_IDLE, [given, applicationName], STATEMENT_MS)
      for (const pid of given) if (!rows.some((row) => row.pid === pid)) processIds.delete(pid)
      if (processIds.size < max) return
      throw new DatabaseSilentError(
        `the database still works on ${processIds.size} statements whose connections were given up`,
      )
    },
  }
}

export function processIdOf(client: pg.ClientBase): number {
  return (client as unknown as { processID: number }).processID
}

/** Ends the idle ones and returns the others, which are at work. */
const END_IDLE = `
  with found as (
    select pid, state, pg_terminate_backend(pid) as ended from pg_stat_activity
    where pid = any($1::integer[]) and application_name = $2 and usename = current_user
      and state is distinct from 'active'
  )
  select pid from pg_stat_activity
  where pid = any($1::integer[]) and application_name = $2 and pid not in (select pid from found)`
