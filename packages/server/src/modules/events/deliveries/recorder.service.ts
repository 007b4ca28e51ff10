import { createGroupCommit } from '../../../db/commits/group-commit.ts'
import type { Database } from '../../../db/database.ts'
import type { Stream } from '../types.ts'
import { endDeliveries, recordResults } from './deliveries.sql.ts'
import type { DeliveryState, LaneKey, Result } from './deliveries.types.ts'

export type Recorder = {
  /** Resolves when the result is committed. */
  submit(result: Result): Promise<unknown>
  /**
   * Ends due deliveries of a receiver that is removed, disabled or paused, except those that are named. Returns how many
   * it ended, which may be fewer than there are.
   */
  end(lane: LaneKey, except: Iterable<string>): Promise<number>
  /** Counts results since the start. */
  counts(): Iterable<Counted>
  drain(): Promise<void>
}

export type Counted = { readonly stream: Stream; readonly outcome: Result['outcome']; count: number }

const BATCH_MAX = 256
const QUEUE_MAX = 100_000
/** Deliveries that end together: some milliseconds of work, and no more facts than the sequencer numbers in two runs. */
const ENDED_MAX = 200

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

  function count(stream: Stream, outcome: Result['outcome'], more: number): void {
    const key = `${stream} ${outcome}`
    const counted = counts.get(key) ?? { stream, outcome, count: 0 }
    counted.count += more
    counts.set(key, counted)
  }

  return {
    submit(result) {
      count(result.delivery.stream, result.outcome, 1)
      return group.submit(result)
    },
    async end(lane, except) {
      const ended = await endDeliveries(database, lane, except, ENDED_MAX)
      if (ended === 0) return 0
      count(lane.stream, 'failed', ended)
      onFacts()
      return ended
    },
    counts: () => counts.values(),
    drain: () => group.drain(),
  }
}
