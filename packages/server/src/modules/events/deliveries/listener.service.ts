import { setTimeout as delay } from 'node:timers/promises'
import type { Database } from '../../../db/database.ts'
import type { Follower } from '../../../db/follower.ts'
import { startFollowing } from '../../../db/follower.ts'

/** Listens to the notifications that the database sends to all nodes. */
export type Listener = {
  /** False: notifications may be lost, because there is no connection, or it was not heard from lately. */
  isHearing(): boolean
  stop(): Promise<void>
}

const POLL_MS = 5_000
/** Age of the last answer on the connection up to which it is believed to be open. */
const HEARING_MS = 2 * POLL_MS
/** Begins a notification that names the lanes in which deliveries were queued; see sequence_facts. */
const QUEUED = 'queued '
const STATEMENT_TIMEOUT_MS = 5_000

/** Makes a node faster and nothing more: a node whose connection breaks finds the same work by polling. */
export function startListening(settings: {
  database: Database
  /** Deliveries may have been queued in any lane. */
  onQueued: () => void
  /** Deliveries were queued in these lanes. */
  onQueuedIn: (laneKeys: readonly string[]) => void
  /** An endpoint was made, changed or removed; it is named by the key of its lane. */
  onChanged: (laneKey: string) => void
  onProblem: (error: unknown) => void
}): Listener {
  const { database, onQueued, onQueuedIn, onChanged, onProblem } = settings
  const ending = new AbortController()

  function take(payload: string): boolean {
    const namesLanes = payload.startsWith(QUEUED)
    if (namesLanes) onQueuedIn(payload.slice(QUEUED.length).split(','))
    else if (payload !== '') onChanged(payload)
    return namesLanes
  }

  /** Tries until the first connection is open. A follower replaces a connection that breaks, but needs a first one. */
  async function follow(): Promise<Follower | undefined> {
    while (!ending.signal.aborted) {
      try {
        return await startFollowing({
          database,
          what: 'deliveries queued elsewhere',
          channel: 'deliveries',
          take,
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

  let follower: Follower | undefined
  const following = follow().then((opened) => {
    follower = opened
    return opened
  })
  return {
    isHearing: () => follower?.isListening() === true && follower.ageMs() < HEARING_MS,
    async stop() {
      ending.abort()
      await (await following)?.close()
    },
  }
}
