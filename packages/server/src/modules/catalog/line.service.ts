import type pg from 'pg'
import type { Database, Queryable } from '../../db/database.ts'
import { run } from '../../db/database.ts'
import { listen } from './version.sql.ts'

// Long enough to read every option of a large catalogue on a busy machine, and an end to one that hangs.
const STATEMENT_TIMEOUT_MS = 15_000

/**
 * One connection of the catalogue's own, which listens and polls: a pool that is busy with requests must not
 * make the view stale. Whatever goes wrong on it, it is dropped, and the next poll opens another.
 */
export type Line = { connection(): Promise<Queryable>; drop(): void }

export function openLine(database: Database, onNotification: () => void): Line {
  let client: pg.Client | undefined

  function drop(): void {
    const dropped = client
    client = undefined
    void dropped?.end().catch(() => {})
  }

  async function connection(): Promise<Queryable> {
    if (client !== undefined) return guarded(client)
    const opened = await database.dedicatedConnection()
    const forget = () => {
      if (client === opened) client = undefined
    }
    opened.on('error', forget)
    opened.on('end', forget)
    opened.on('notification', onNotification)
    client = opened
    await listen(guarded(opened))
    return guarded(opened)
  }

  return { connection, drop }
}

/** Ending a connection with a statement under way cuts it, which is what a server that hangs needs. */
function guarded(client: pg.Client): Queryable {
  return {
    async query(statement, values) {
      const timer = setTimeout(() => void client.end().catch(() => {}), STATEMENT_TIMEOUT_MS)
      try {
        return await run(client, statement, values)
      } finally {
        clearTimeout(timer)
      }
    },
  }
}

export type Turns = {
  /** Answers for a run that began after it was called; callers that wait share one. */
  now(): Promise<void>
  busy(): boolean
  settled(): Promise<void>
}

/** Runs of `work`, one at a time. */
export function oneAtATime(work: () => Promise<void>): Turns {
  let running: Promise<void> | undefined
  let next: Promise<void> | undefined

  function start(): Promise<void> {
    running = work().finally(() => {
      running = undefined
    })
    return running
  }

  return {
    now() {
      if (next !== undefined) return next
      if (running === undefined) return start()
      next = running
        .catch(() => {})
        .then(() => {
          next = undefined
          return start()
        })
      return next
    },
    busy: () => running !== undefined || next !== undefined,
    async settled() {
      while (running !== undefined || next !== undefined) await (next ?? running)?.catch(() => {})
    },
  }
}
