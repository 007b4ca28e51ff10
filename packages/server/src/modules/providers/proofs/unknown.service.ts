import type { Queryable } from '../../../db/database.ts'
import type { UnmappedAnswer } from '../port/types.ts'
import type { Seen } from './sql.ts'
import { countUnknown } from './sql.ts'

export type UnknownAnswers = {
  /** Notes a word that no table knows; in memory, without waiting. */
  note(provider: string, unmapped: UnmappedAnswer): void
  /** Writes what was noted. */
  write(): Promise<void>
  close(): Promise<void>
}

export type UnknownSettings = {
  readonly database: Queryable
  readonly onProblem: (text: string, error: unknown) => void
  readonly everyMs?: number
}

/** Limit of different words that wait for the database. Further ones are noted when they come again. */
const WAITING_MAX = 500
const EVERY_MS = 5_000
const PATH_MAX = 300
const VALUE_MAX = 200
const SAMPLE_MAX = 2_000

/** Collects the words of suppliers that no table knows, and writes them beside the payments. */
export function collectUnknown({ database, onProblem, everyMs = EVERY_MS }: UnknownSettings): UnknownAnswers {
  const waiting = new Map<string, Seen>()
  let isFailing = false

  async function write(): Promise<void> {
    if (waiting.size === 0) return
    const seen = [...waiting.values()]
    waiting.clear()
    try {
      await countUnknown(database, seen)
      isFailing = false
    } catch (error) {
      if (!isFailing) onProblem("suppliers' unknown answers cannot be written", error)
      isFailing = true
    }
  }

  const timer = setInterval(() => void write(), everyMs)
  timer.unref()
  return {
    note(provider, { operation, path, value, sample }) {
      const key = JSON.stringify([provider, operation, path, value])
      const count = (waiting.get(key)?.count ?? 0) + 1
      if (count === 1 && waiting.size >= WAITING_MAX) return
      waiting.set(key, {
        provider,
        operation,
        path: path.slice(0, PATH_MAX),
        value: value.slice(0, VALUE_MAX),
        sample: sample.slice(0, SAMPLE_MAX),
        count,
      })
    },
    write,
    async close() {
      clearInterval(timer)
      await write()
    },
  }
}
