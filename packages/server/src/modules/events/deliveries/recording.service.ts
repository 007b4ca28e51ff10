import type { Database } from '../../../db/database.ts'
import { createGroupCommit } from '../../../db/group-commit.ts'
import type { Stream } from '../types.ts'
import type { DeliveryState, Result } from './deliveries.sql.ts'
import { recordResults } from './deliveries.sql.ts'

export type Recorder = {
  /** Resolves when it is written down. */
  submit(result: Result): Promise<unknown>
  /** Results since the start. */
  counts(): Iterable<Counted>
  drain(): Promise<void>
}

export type Counted = { readonly stream: Stream; readonly outcome: Result['outcome']; count: number }

const BATCH_MAX = 256
const QUEUE_MAX = 100_000

/** What came of deliveries is written down by group commit, with all that follows from it. */
export function createRecorder(settings: {
  database: Database
  /** Something was appended to the feed: deliveries that were given up. */
  onFacts: () => void
}): Recorder {
  const { database, onFacts } = settings
  const counts = new Map<string, Counted>()
  const group = createGroupCommit<Result, DeliveryState | null>({
    name: 'deliveries',
    batchMax: BATCH_MAX,
    queueMax: QUEUE_MAX,
    lanes: 1,
    async execute(results) {
      const states = await recordResults(database, results)
      if (states.includes('failed')) onFacts()
      return states
    },
  })

  function count({ delivery: { stream }, outcome }: Result): void {
    const key = `${stream} ${outcome}`
    const counted = counts.get(key) ?? { stream, outcome, count: 0 }
    counted.count += 1
    counts.set(key, counted)
  }

  return {
    submit(result) {
      count(result)
      return group.submit(result)
    },
    counts: () => counts.values(),
    drain: () => group.drain(),
  }
}
