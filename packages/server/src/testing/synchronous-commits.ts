import type pg from 'pg'
import { onServer } from './cluster.ts'
import { until } from './payments/payments.ts'

/** Makes commits wait for a standby of this name. With an empty name they do not wait. */
export async function setSynchronousStandby(connection: pg.ClientConfig, name: string): Promise<void> {
  await onServer(connection, async (client) => {
    await client.query(`alter system set synchronous_standby_names = '${name}'`)
    await client.query('select pg_reload_conf()')
  })
}

/**
 * Waits until commits wait for a standby that is not there. The server's processes learn of a setting one after the
 * other, and only a commit shows it.
 */
export async function untilCommitsWait(connection: pg.ClientConfig): Promise<void> {
  await onServer(connection, (watcher) => until('commits wait', () => commitWaits(connection, watcher)))
}

async function commitWaits(connection: pg.ClientConfig, watcher: pg.Client): Promise<boolean> {
  return onServer(connection, async (client) => {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    let isOver = false
    const commit = client.query(`select pg_logical_emit_message(true, 'test', '')`).then(() => {
      isOver = true
    })
    let isWaiting = false
    await until('the commit waits or is over', async () => {
      const found = await watcher.query(
        `select pg_cancel_backend(pid) from pg_stat_activity where pid = $1 and wait_event = 'SyncRep'`,
        [rows[0]?.pid],
      )
      isWaiting = found.rowCount === 1
      return isWaiting || isOver
    })
    await commit
    return isWaiting
  })
}
