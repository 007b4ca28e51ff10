import { setTimeout as delay } from 'node:timers/promises'
import type { LeaseClock } from '../../../db/lease-clock.ts'
import { claimLeased } from '../../../db/leases.ts'
import { repeat } from '../../../lib/repeat.ts'
import type { TurnSettings } from './service.ts'
import { takeTurn } from './service.ts'
import type { ScheduleWork } from './sql.ts'
import { claimSchedules, tryAgain } from './sql.ts'

export type SchedulesSettings = TurnSettings & {
  readonly leaseMs: number
  readonly leaseClock: LeaseClock
  /** Tells that payments wait that somebody asked for just now. */
  readonly isBusy?: () => boolean
  readonly everyMs?: number
}

export type RunningSchedules = {
  /** Claims due schedules now; resolves when each has had a turn, with their number. */
  runOnce(): Promise<number>
  stop(): Promise<void>
}

const EVERY_MS = 1_000
/** Limit of schedules that one node pays at the same time, each of another reseller. */
const UNDERWAY_MAX = 4
/** Part of a lease in which payments may be taken: the rest is for writing them down. */
const LEASE_SHARE = 0.75
const AGAIN_MS = 20_000
const STOP_MAX_MS = 3_000

/** Pays scheduled files, on any node. A schedule that a node left behind is found by its lease. */
export function startSchedules(settings: SchedulesSettings): RunningSchedules {
  const { database, leaseMs, onProblem, isBusy = () => false, everyMs = EVERY_MS } = settings
  const underway = new Set<Promise<void>>()

  async function claimDue(): Promise<number> {
    const room = UNDERWAY_MAX - underway.size
    if (room <= 0 || isBusy()) return 0
    const { work, leaseEndsMs } = await claimLeased(settings, room, (terms) =>
      claimSchedules(database, terms),
    )
    const claimedMs = leaseEndsMs - leaseMs
    const term = { claimedMs, payUntilMs: claimedMs + leaseMs * LEASE_SHARE }
    for (const each of work) {
      const taken: Promise<void> = takeTurn(settings, each, term)
        .catch((error) => putOff(settings, each, error))
        .finally(() => underway.delete(taken))
      underway.add(taken)
    }
    return work.length
  }

  const running = repeat(everyMs, claimDue, (error) =>
    onProblem('schedules could not be claimed; tried again soon', error),
  )
  return {
    async runOnce() {
      const claimed = await claimDue()
      await Promise.all(underway)
      return claimed
    },
    async stop() {
      await running.stop()
      await Promise.race([Promise.all(underway), delay(STOP_MAX_MS, undefined, { ref: false })])
    },
  }
}

/** Gives a schedule back after an error. If that fails too, its lease ends by itself. */
async function putOff(
  { database, onProblem }: SchedulesSettings,
  work: ScheduleWork,
  error: unknown,
): Promise<void> {
  onProblem(`schedule ${work.id} of reseller ${work.resellerId} is left for the next turn`, error)
  await tryAgain(database, work, AGAIN_MS).catch(() => {})
}
