import type { Database } from '../../db/database.ts'
import { createAlarm } from '../../lib/alarm.ts'
import type { Failpoint } from '../../lib/failpoints.ts'
import type { Sequenced } from './sequencer.sql.ts'
import { sequenceFacts } from './sequencer.sql.ts'

export type Sequencer = {
  /** There are new facts: to be called after a commit that appended some. */
  wake(): void
  stop(): Promise<void>
}

/** Each row is a batch of facts, at most some hundreds. */
const FACTS_MAX = 100
/** Facts gather for so long: a run costs about the same for one as for fifty. */
const GATHER_MS = 20
/** Payments wait for the processors: what is told about them waits a little too, and in larger batches. */
const GATHER_BUSY_MS = 500
/** For facts of processes that have no sequencer, or had one and ended: commands, and nodes that were killed. */
const POLL_MS = 500

export type SequencerOptions = {
  readonly database: Database
  readonly failpoint: Failpoint
  readonly isBusy: () => boolean
  /** Told after a commit that made some. */
  readonly onSequenced: (sequenced: Sequenced) => void
  readonly onProblem: (error: unknown) => void
}

/**
 * Numbers facts just behind the commits that appended them. Every node runs one and one at a time does the work; who
 * finds another at it comes back, because what it was woken for may have been committed after the other looked.
 */
export function startSequencing(options: SequencerOptions): Sequencer {
  const { database, failpoint, isBusy, onSequenced, onProblem } = options
  let isStopped = false
  let isWoken = true
  const alarm = createAlarm()

  function wake(): void {
    isWoken = true
    alarm.ring()
  }

  async function run(): Promise<void> {
    while (!isStopped) {
      // A place to die is one where there is something to number.
      if (isWoken) failpoint('events.before')
      isWoken = false
      await look().catch(onProblem)
      await alarm.pause(isBusy() ? GATHER_BUSY_MS : GATHER_MS)
      // Until somebody wakes it, or it is time to look for what others left.
      if (!isWoken && !isStopped) await alarm.sleep(POLL_MS)
    }
  }

  async function look(): Promise<void> {
    const sequenced = await sequenceFacts(database, FACTS_MAX)
    if (sequenced === undefined || sequenced.facts === FACTS_MAX) isWoken = true
    if (sequenced === undefined || sequenced.facts === 0) return
    failpoint('events.committed')
    onSequenced(sequenced)
  }

  const running = run()
  return {
    wake,
    async stop() {
      isStopped = true
      alarm.end()
      await running
    },
  }
}
