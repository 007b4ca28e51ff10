import { readWithin } from '../../../db/bounded.ts'
import type { Database } from '../../../db/database.ts'
import type { DayRange } from '../../../lib/dates.ts'
import { startOfDayMs } from '../../../lib/dates.ts'
import { STREAMS } from '../types.ts'
import type { StreamDaySum } from './days.sql.ts'
import { keepStreamDays, sumStreamDays } from './days.sql.ts'

/** Deliveries of all streams that were made on a day, replays and test events included. */
export type DeliveryDay = {
  readonly day: number
  readonly succeeded: number
  readonly failed: number
  readonly pending: number
}

const TIMEOUT_MS = 8_000
/** Time after its end in which a day may still get deliveries: clocks of nodes differ a little. */
const SETTLE_MS = 10 * 60_000
/** Days for which sums are kept: more than anybody asks for. */
const KEPT_DAYS = 40

/**
 * Counts the deliveries of each day, oldest first. A day that is over and has no pending delivery is counted once and
 * then kept, so that a month costs no more than its last day or two.
 */
export async function listDeliveryDays(
  database: Database,
  resellerId: bigint,
  days: DayRange,
  nowMs: number,
): Promise<DeliveryDay[]> {
  const numbers = Array.from({ length: days.to - days.from + 1 }, (_, index) => days.from + index)
  const wanted = STREAMS.flatMap((stream) => numbers.map((day) => ({ stream, day })))
  const sums = await readWithin(database, TIMEOUT_MS, (tx) => sumStreamDays(tx, resellerId, wanted))
  const settled = sums.filter((sum) => isSettled(sum, nowMs))
  if (settled.length > 0) await keepStreamDays(database, resellerId, settled, days.to - KEPT_DAYS)
  return numbers.map((day) => totalOf(day, sums))
}

/** Tells whether a sum should be kept. A day without deliveries is one look into the index and needs no row. */
function isSettled({ day, succeeded, failed, pending, isKept }: StreamDaySum, nowMs: number): boolean {
  const isOver = startOfDayMs(day + 1) + SETTLE_MS <= nowMs
  return isOver && !isKept && pending === 0 && succeeded + failed > 0
}

function totalOf(day: number, sums: readonly StreamDaySum[]): DeliveryDay {
  const own = sums.filter((sum) => sum.day === day)
  const total = (read: (sum: StreamDaySum) => number) => own.reduce((all, sum) => all + read(sum), 0)
  return {
    day,
    succeeded: total(({ succeeded }) => succeeded),
    failed: total(({ failed }) => failed),
    pending: total(({ pending }) => pending),
  }
}
