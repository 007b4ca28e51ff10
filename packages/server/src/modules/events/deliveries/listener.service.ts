import { setTimeout as delay } from 'node:timers/promises'
import type { Database } from '../../../db/database.ts'
import type { Follower } from '../../../db/follower.ts'
import { startFollowing } from '../../../db/follower.ts'

/** Listens to the notifications that the database sends to all nodes. */
export type Listener = { stop(): Promise<void> }

const POLL_MS = 5_000
const STATEMENT_TIMEOUT_MS = 5_000

/** Makes a node faster and nothing more: a node whose connection breaks finds the same work by polling. */
export function startListening(settings: {
  database: Database
  /** Deliveries may have been queued. */
  onQueued: () => void
  /** An endpoint was made, changed or removed; it is named by the key of its lane. */
  onChanged: (laneKey: string) => void
  onProblem: (error: unknown) => void
}): Listener {
  const { onQueued, onProblem } = settings
  const ending = new AbortController()

  /** Tries until the first connection is open. A follower replaces a connection that breaks, but needs a first one. */
  async function follow(): Promise<Follower | undefined> {
    while (!ending.signal.aborted) {
      try {
        return await startFollowing({
          database: withPayloads(settings),
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

/** Reads the payload of notifications, which names the endpoint that was changed. A follower does not pass it on. */
function withPayloads({
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
