import type { Database } from '../../../db/database.ts'
import { createAlarm } from '../../../lib/alarm.ts'
import { fanOutStep } from './fanout.service.ts'

export type FanningOut = {
  /** Looks for new changes. To be called after a commit that made some. */
  wake(): void
  stop(): Promise<void>
}

export type FanningOutOptions = {
  readonly database: Database
  readonly isBusy: () => boolean
  readonly onProblem: (error: unknown) => void
}

/** Pause between two steps, so that other work gets its share of the database. */
const PAUSE_MS = 20
const PAUSE_BUSY_MS = 250
/** Finds work that other nodes left, and receivers whose queue has become shorter. Doubles while there is nothing. */
const POLL_MS = 250
const POLL_MS_MAX = 4_000

/** Turns catalogue changes into deliveries, a part for each account in turn, until it is stopped. Every node runs it. */
export function startFanningOut({ database, isBusy, onProblem }: FanningOutOptions): FanningOut {
  const alarm = createAlarm()
  let isStopped = false
  let isWoken = false

  function wake(): void {
    isWoken = true
    alarm.ring()
  }

  async function run(): Promise<void> {
    let pollMs = POLL_MS
    while (!isStopped) {
      isWoken = false
      const steps = await makeRounds().catch((error: unknown) => {
        onProblem(error)
        return 0
      })
      pollMs = steps > 0 ? POLL_MS : Math.min(2 * pollMs, POLL_MS_MAX)
      if (!isWoken && !isStopped) await alarm.sleep(pollMs)
    }
  }

  /** Makes rounds over all accounts until none has anything left to do; returns the number of steps. */
  async function makeRounds(): Promise<number> {
    let steps = 0
    for (let after = 0n, isFirstOfRound = true; !isStopped; ) {
      const { last } = await fanOutStep({ database, after })
      if (last === undefined && isFirstOfRound) break
      isFirstOfRound = last === undefined
      after = last ?? 0n
      if (last === undefined) continue
      steps += 1
      await alarm.pause(isBusy() ? PAUSE_BUSY_MS : PAUSE_MS)
    }
    return steps
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
