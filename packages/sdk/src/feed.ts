import { ConnectionFailed, FeedGap, ServiceFault, ServiceUnavailable, TooManyRequests } from './errors.ts'
import type { Read } from './lists.ts'
import type { Settings } from './settings.ts'
import type { Event } from './types.generated.ts'

// Follower of the event feed. Every event is handled at least once, in order.

/** Store of the sequence that was handled last. */
export type CursorStore = {
  /** Returns the saved sequence; undefined or null: nothing was saved yet. */
  load(): number | null | undefined | Promise<number | null | undefined>
  save(sequence: number): unknown
}

export type FollowOptions = {
  readonly store: CursorStore
  /** Is called with each event. An error ends the follower, and the event comes again next time. */
  readonly handle: (event: Event) => unknown
  /** Ends the follower. */
  readonly signal?: AbortSignal | undefined
  /** Pause when there is nothing new. */
  readonly pauseMs?: number | undefined
  /** Events of a page. */
  readonly limit?: number | undefined
}

const PAUSE_MS = 5_000
const PAGE = 100
/** Longest pause after faults of the network or the service. */
const FAULT_PAUSE_MAX_MS = 60_000

export async function followEvents(read: Read, settings: Settings, options: FollowOptions): Promise<void> {
  const { store, handle, signal, pauseMs = PAUSE_MS, limit = PAGE } = options
  const isEnded = () => signal?.aborted === true
  let after = (await store.load()) ?? 0
  for (let faults = 0; !isEnded(); ) {
    const page = await readPage(read, after, limit, signal)
    if (page === undefined) {
      faults += 1
      await settings.sleep(Math.min(pauseMs * 2 ** faults, FAULT_PAUSE_MAX_MS), signal)
      continue
    }
    faults = 0
    for (const event of page.data) {
      if (isEnded()) return
      // A new follower begins with the oldest event that is kept, whatever its number.
      if (after > 0 && event.sequence > after + 1) throw new FeedGap(after, event.sequence)
      await handle(event)
      await store.save(event.sequence)
      after = event.sequence
    }
    if (!page.has_more) await settings.sleep(pauseMs, signal)
  }
}

/** Reads a page; undefined: the service cannot be reached now, or takes no more requests. Other errors do not go away by waiting. */
async function readPage(read: Read, after: number, limit: number, signal: AbortSignal | undefined) {
  try {
    return await read('listEvents', { after, limit }, signal)
  } catch (error) {
    const isPassing = [ConnectionFailed, ServiceFault, ServiceUnavailable, TooManyRequests].some(
      (kind) => error instanceof kind,
    )
    if (!isPassing) throw error
    return undefined
  }
}
