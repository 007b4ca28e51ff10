import type { Database } from '../../../db/database.ts'
import { createGroupCommit } from '../../../db/group-commit.ts'
import type { Stream } from '../types.ts'
import { recordResults } from './deliveries.sql.ts'
import type { DeliveryState, Result } from './deliveries.types.ts'

export type Recorder = {
  /** Resolves when the result is committed. */
  submit(result: Result): Promise<unknown>
  /** Counts results since the start. */
  counts(): Iterable<Counted>
  drain(): Promise<void>
}

export type Counted = { readonly stream: Stream; readonly outcome: Result['outcome']; count: number }

const BATCH_MAX = 256
const QUEUE_MAX = 100_000

/** Records results of deliveries by group commit, together with retries, events and notices that follow from them. */
export function createRecorder(settings: {
  database: Database
  /** Called when facts were appended to the feed, because deliveries were given up. */
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
