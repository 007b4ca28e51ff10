import { setTimeout as delay } from 'node:timers/promises'
import type { Database } from '../../../db/database.ts'
import type { Follower } from '../../../db/follower.ts'
import { startFollowing } from '../../../db/follower.ts'

/** What the database says to all nodes at once. */
export type Hearing = { stop(): Promise<void> }

const POLL_MS = 5_000
const STATEMENT_TIMEOUT_MS = 5_000

/** Who does not hear anything, because the connection broke, finds out by looking: nothing depends on it alone. */
export function startHearing(settings: {
  database: Database
  /** Something was queued, perhaps. */
  onQueued: () => void
  /** An endpoint was changed, made or removed; named as lanes are. */
  onChanged: (laneKey: string) => void
  onProblem: (error: unknown) => void
}): Hearing {
  const { onQueued, onProblem } = settings
  const ending = new AbortController()

  /** Somebody who follows opens another connection when one breaks, but not when there was none. */
  async function follow(): Promise<Follower | undefined> {
    while (!ending.signal.aborted) {
      try {
        return await startFollowing({
          database: tapped(settings),
          what: 'deliveries queued elsewhere',
          channel: 'deliveries',
          pollMs: POLL_MS,
          statementTimeoutMs: STATEMENT_TIMEOUT_MS,
          catchUp: async () => onQueued(),
          onProblem: (_, error) => onProblem(error),
        })
      } catch {
        await delay(POLL_MS, undefined, { ref: false, signal: ending.signal }).catch(() => {})
      }
    }
    return undefined
  }

  const following = follow()
  return {
    async stop() {
      ending.abort()
      await (await following)?.close()
    },
  }
}

/** A change says in its notification what was changed; whoever follows learns only that there was one. */
function tapped({
  database,
  onChanged,
}: {
  database: Database
  onChanged: (laneKey: string) => void
}): Database {
  return {
    ...database,
    async dedicatedConnection() {
      const connection = await database.dedicatedConnection()
      connection.on('notification', ({ payload = '' }) => {
        if (payload !== '') onChanged(payload)
      })
      return connection
    },
  }
}
