import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import { isLockTimeout, run } from '../database.ts'

// Locks of the session that moves a group. They end with it, however it ends.

/** Keeps a second command away. The place that the group left has no functions, so lock_mark() is not called. */
export async function lockMove(control: pg.ClientBase): Promise<void> {
  const { rows } = await run<{ is_held: boolean | null }>(
    control,
    `select pg_try_advisory_lock(hashtextextended('group_move ' || current_schema(), 0)) as is_held`,
  )
  if (rows[0]?.is_held !== true) throw new Error('another command moves this group now')
}

/** Time that writers wait behind a writer that takes long, before they are let through again. */
const WAIT_MS = 1_200
const REST_MS = 500
const TRIES_MAX = 100

export type Gate = {
  /** Waits until no transaction writes to the group, and lets none begin to. */
  close(): Promise<void>
  open(): Promise<void>
}

export async function findGate(control: pg.ClientBase): Promise<Gate> {
  // The key is kept, because the function that marks it goes away with the schema.
  const { rows } = await run<{ key: bigint }>(
    control,
    `select hashtextextended('group_gate', 0) # lock_mark() as key`,
  )
  const key = rows[0]?.key
  return {
    async close() {
      await run(control, `set lock_timeout = ${WAIT_MS}`)
      for (let tries = 1; ; tries += 1) {
        try {
          await run(control, 'select pg_advisory_lock($1)', [key])
          await run(control, 'reset lock_timeout')
          return
        } catch (error) {
          if (!isLockTimeout(error) || tries === TRIES_MAX) throw error
          await delay(REST_MS)
        }
      }
    },
    async open() {
      await run(control, 'select pg_advisory_unlock($1)', [key])
    },
  }
}

/** Runs a statement that needs a table for a moment, again while others use the table for long. */
export async function runPatiently(control: pg.ClientBase, statement: string): Promise<void> {
  await run(control, `set lock_timeout = ${WAIT_MS}`)
  for (let tries = 1; ; tries += 1) {
    try {
      await run(control, statement)
      await run(control, 'reset lock_timeout')
      return
    } catch (error) {
      if (!isLockTimeout(error) || tries === TRIES_MAX) throw error
      await delay(REST_MS)
    }
  }
}
