import type { Database } from '../../../db/database.ts'
import type { Schedule } from '../../../lib/repeat.ts'
import { repeat } from '../../../lib/repeat.ts'
import type { Alerts } from '../../alerts/core/service.ts'
import { watchDrift, watchRateAges, watchRates } from './service.ts'

const RATES_EVERY_MS = 10_000
const DRIFT_EVERY_MS = 300_000

/** Keeps rates with costs of payments, and compares the costs with those of the routes. */
export function startWatchingCosts(settings: {
  readonly database: Database
  readonly alerts: Alerts
  readonly maxPercent: number
  readonly rateAgeDays: number
  readonly nowMs: () => number
  readonly onProblem: (error: unknown) => void
}): Schedule {
  const { nowMs, onProblem } = settings
  const rates = repeat(RATES_EVERY_MS, () => watchRates(settings), onProblem)
  const drift = repeat(DRIFT_EVERY_MS, () => watchDrift({ ...settings, nowMs: nowMs() }), onProblem)
  const ages = repeat(DRIFT_EVERY_MS, () => watchRateAges({ ...settings, nowMs: nowMs() }), onProblem)
  return {
    async stop() {
      await Promise.all([rates.stop(), drift.stop(), ages.stop()])
    },
  }
}
