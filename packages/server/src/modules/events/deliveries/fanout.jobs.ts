import { setTimeout as delay } from 'node:timers/promises'
import type { Database } from '../../../db/database.ts'
import { fanOutStep } from './fanout.service.ts'

export type FanningOut = {
  /** There are new changes to be told. */
  wake(): void
  stop(): Promise<void>
}

export type FanningOutOptions = {
  readonly database: Database
  readonly isBusy: () => boolean
  readonly onProblem: (error: unknown) => void
}

/** A step is some milliseconds of the database's time: between two of them there is room for others. */
const PAUSE_MS = 20
const PAUSE_BUSY_MS = 250
/** For what other nodes left, and receivers whose line has become shorter; longer while nothing comes of it. */
const POLL_MS = 250
const POLL_MS_MAX = 4_000

/** Turns catalogue changes into deliveries, accounts in turn, until it is stopped. Every node runs one. */
export function startFanningOut({ database, isBusy, onProblem }: FanningOutOptions): FanningOut {
  const abort = new AbortController()
  let isWoken = false
  let wakeUp: () => void = () => {}

  function wake(): void {
    isWoken = true
    wakeUp()
  }

  async function run(): Promise<void> {
    let pollMs = POLL_MS
    while (!abort.signal.aborted) {
      isWoken = false
      const steps = await goAround().catch((error: unknown) => {
        onProblem(error)
        return 0
      })
      pollMs = steps > 0 ? POLL_MS : Math.min(2 * pollMs, POLL_MS_MAX)
      if (!isWoken && !abort.signal.aborted) await sleep(pollMs)
    }
  }

  /** A share for everybody, again until nobody wants more: how many steps that took. */
  async function goAround(): Promise<number> {
    let steps = 0
    for (let after = 0n, isFirstOfRound = true; !abort.signal.aborted; ) {
      const { last } = await fanOutStep({ database, after })
      if (last === undefined && isFirstOfRound) break
      isFirstOfRound = last === undefined
      after = last ?? 0n
      if (last === undefined) continue
      steps += 1
      await pause(isBusy() ? PAUSE_BUSY_MS : PAUSE_MS)
    }
    return steps
  }

  function pause(ms: number): Promise<void> {
    return delay(ms, undefined, { ref: false, signal: abort.signal }).catch(() => {})
  }

  function sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms)
      timer.unref()
      wakeUp = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  const running = run()
  return {
    wake,
    async stop() {
      abort.abort()
      wakeUp()
      await running
    },
  }
}
