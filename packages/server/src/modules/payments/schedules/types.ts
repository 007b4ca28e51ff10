import type { Amount } from '../../../lib/money.ts'
import type { BatchLine } from '../batches/types.ts'

/** Times at which a file is paid. */
export const INTERVALS = ['once', 'week', 'month'] as const
export type Interval = (typeof INTERVALS)[number]

/** Answer to lines that repeat a payment of a moment ago. */
export const REPEATS = ['skip', 'pay'] as const
export type Repeats = (typeof REPEATS)[number]

export const SCHEDULE_STATES = ['active', 'stopped', 'ended'] as const
export type ScheduleState = (typeof SCHEDULE_STATES)[number]

/**
 * Reasons for which a schedule pays nothing more until a person goes on with it. `person`: somebody stopped it. `member`:
 * whoever scheduled it was removed or may not pay files any more. `not_allowed`: the account takes payments by API key
 * alone, or from other addresses. `unavailable`: no answer for an hour. `late`: its time was missed by a day.
 */
export const STOP_REASONS = [
  'person',
  'member',
  'account',
  'not_allowed',
  'balance',
  'limit',
  'product',
  'price',
  'unavailable',
  'late',
] as const
export type StopReason = (typeof STOP_REASONS)[number]

/** File of payments that the service pays at its times, with nobody at the screen. */
export type Schedule = {
  readonly id: bigint
  readonly memberId: bigint
  readonly name: string
  readonly every: Interval
  readonly firstAt: Date
  readonly repeats: Repeats
  /** Most that a run may cost. */
  readonly maxCost: Amount
  readonly state: ScheduleState
  readonly reason: StopReason | null
  /** Time of the next run, or of the one under way. */
  readonly runAt: Date
  /** Runs that have ended. */
  readonly runs: number
  /** Batch of the run under way; null: none is. */
  readonly batchId: bigint | null
  readonly lines: number
}

/** Line as it was scheduled. */
export type ScheduledLine = Omit<BatchLine, 'refid'> & {
  /** Cost that the person saw: the most that the line is paid for. */
  readonly cost: Amount
  /** Secret: sealed at rest, never logged. */
  readonly icNumber: string | null
}

export type NewSchedule = Pick<
  Schedule,
  'memberId' | 'name' | 'every' | 'firstAt' | 'repeats' | 'maxCost'
> & {
  readonly sender: string
}

/** Limits of what a reseller schedules. Whatever ended long ago goes when another one is made. */
export const ACTIVE_MAX = 20
export const KEPT_MAX = 50
