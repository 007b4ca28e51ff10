import type { Database } from '../../../db/database.ts'
import { createAlarm } from '../../../lib/alarm.ts'
import type { Failpoint } from '../../../lib/failpoints.ts'
import type { Sequenced } from './sequencer.sql.ts'
import { sequenceFacts } from './sequencer.sql.ts'

export type Sequencer = {
  /** Looks for new facts. To be called after a commit that appended some. */
  wake(): void
  stop(): Promise<void>
}

/** Rows of one run. Each row is a batch of at most some hundreds of facts. */
const FACTS_MAX = 100
/** Facts are collected for this long, because a run costs about the same for one row as for fifty. */
const GATHER_MS = 20
/** Longer while payments need the processors: payments come first, and their facts go in larger batches. */
const GATHER_BUSY_MS = 500
/** Finds facts of processes that do not wake a sequencer: commands, and nodes that were killed. */
const POLL_MS = 500

export type SequencerOptions = {
  readonly database: Database
  readonly failpoint: Failpoint
  readonly isBusy: () => boolean
  /** Called after a commit that numbered some. */
  readonly onSequenced: (sequenced: Sequenced) => void
  readonly onProblem: (error: unknown) => void
}

/**
 * Gives facts their sequences, shortly after the commits that appended them. Every node runs a sequencer, and one at a
 * time does the work. A node that finds another one at work tries again, because the facts that it was woken for may
 * have been committed after the other one looked.
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
      // Tests of crashes end the process here, while there are facts to number.
      if (isWoken) failpoint('events.before')
      isWoken = false
      await sequence().catch(onProblem)
      await alarm.pause(isBusy() ? GATHER_BUSY_MS : GATHER_MS)
      // Sleeps until it is woken, or until it is time to look for facts of other processes.
      if (!isWoken && !isStopped) await alarm.sleep(POLL_MS)
    }
  }

  async function sequence(): Promise<void> {
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
