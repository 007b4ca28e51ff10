import type { Queryable } from './database.ts'
import { isOutOfRoom } from './database.ts'

/** Tells whether commits go through. */
export type CommitProbe = {
  /** Resolves within `answerMs`, whatever the database does. */
  succeeds(): Promise<boolean>
  /** Tells whether the database finds room for new rows. Resolves in the same time. */
  hasRoom(): Promise<boolean>
}

/**
 * Commits through the same pool as the payments, and waits for the standby as they do: a server that cannot commit
 * would still answer a read. One probe runs at a time, and a success counts for a while. Frequent calls therefore cost
 * nothing, and silent connections do not collect waiting probes.
 */
export function createCommitProbe(
  database: Queryable,
  { answerMs, freshMs }: { answerMs: number; freshMs: number },
): CommitProbe {
  let underway: Promise<boolean> | undefined
  let succeededAtMs = Number.NEGATIVE_INFINITY

  async function probe(): Promise<boolean> {
    try {
      await database.query(COMMIT_SOMETHING)
      succeededAtMs = performance.now()
      return true
    } catch {
      return false
    } finally {
      underway = undefined
    }
  }

  let looking: Promise<boolean> | undefined
  let roomSeenAtMs = Number.NEGATIVE_INFINITY

  async function look(): Promise<boolean> {
    try {
      await database.query(TAKE_ROOM)
    } catch (error) {
      // A role that may not create temporary tables learns nothing here, and is not kept out of service by it.
      if (isOutOfRoom(error)) return false
    } finally {
      looking = undefined
    }
    roomSeenAtMs = performance.now()
    return true
  }

  return {
    hasRoom() {
      if (performance.now() - roomSeenAtMs < freshMs) return Promise.resolve(true)
      looking ??= look()
      return within(looking, answerMs)
    },
    succeeds() {
      if (performance.now() - succeededAtMs < freshMs) return Promise.resolve(true)
      underway ??= probe()
      return within(underway, answerMs)
    },
  }
}

/** Commit that leaves one small record in the write-ahead log and nothing in a table; a standby refuses it. */
const COMMIT_SOMETHING = {
  name: 'readiness_commit',
  text: `select pg_logical_emit_message(true, 'warung', '')`,
}

/** Statement that takes half a megabyte on the disk of the database and gives it back. */
const TAKE_ROOM = `do $$ begin
  create temporary table warung_room as select md5(n::text) as filler from generate_series(1, 8000) as n;
  drop table warung_room;
end $$`

function within(answer: Promise<boolean>, timeoutMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), timeoutMs)
    void answer.then((value) => {
      clearTimeout(timer)
      resolve(value)
    })
  })
}
