import type { Database } from '../../../db/database.ts'
import type { Schedule } from '../../../lib/repeat.ts'
import { repeat } from '../../../lib/repeat.ts'
import { countMonths, endIdleCounts, sweepCounts } from './service.ts'

/** A limit holds in full when the month is counted. */
const COUNT_MS = 1_000
const END_MS = 30_000
const SWEEP_MS = 3_600_000

/** Counts what limits and caps need, and nothing else for long. */
export function startCounting({
  database,
  onProblem,
}: {
  readonly database: Database
  readonly onProblem: (error: unknown) => void
}): Schedule {
  const schedules = [
    repeat(COUNT_MS, (isStopped) => countMonths(database, isStopped), onProblem),
    repeat(END_MS, () => endIdleCounts(database), onProblem),
    repeat(SWEEP_MS, (isStopped) => sweepCounts(database, isStopped), onProblem),
  ]
  return { stop: async () => void (await Promise.all(schedules.map((each) => each.stop()))) }
}
