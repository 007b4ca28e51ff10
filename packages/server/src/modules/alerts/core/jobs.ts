import type { Schedule } from '../../../lib/repeat.ts'
import { repeat } from '../../../lib/repeat.ts'
import type { Alerts } from './service.ts'

const PAUSE_MS = 15_000

/** Updates the count of open alerts that the metrics show, and deletes old ones. */
export function startCountingAlerts(alerts: Alerts, onProblem: (error: unknown) => void): Schedule {
  return repeat(PAUSE_MS, () => alerts.cleanUp(), onProblem)
}
