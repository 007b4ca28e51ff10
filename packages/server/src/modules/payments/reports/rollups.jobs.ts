import type { Database } from '../../../db/database.ts'
import type { Schedule } from '../../../lib/repeat.ts'
import { repeat } from '../../../lib/repeat.ts'
import { sumOpenDays } from './rollups.service.ts'

const PAUSE_MS = 60_000

/** Sums days as they end and as they change, until it is stopped. */
export function startRollups(options: {
  readonly database: Database
  readonly everyMs?: number
  readonly onProblem: (error: unknown) => void
}): Schedule {
  const { database, everyMs = PAUSE_MS, onProblem } = options
  return repeat(everyMs, (isStopped) => sumOpenDays({ database, isStopped }), onProblem)
}
