import type { Database } from '../../db/database.ts'
import type { Schedule } from '../../lib/repeat.ts'
import { repeat } from '../../lib/repeat.ts'
import type { Alerts } from '../alerts/core/service.ts'
import type { Catalog } from '../catalog/model/store.types.ts'
import { watchMargins } from './standing.service.ts'

const EVERY_MS = 30_000

/** Keeps the alerts about prices and routes up to date after any change. */
export function startWatchingMargins(settings: {
  readonly database: Database
  readonly catalog: Pick<Catalog, 'state'>
  readonly alerts: Alerts
  readonly hasFallback: boolean
  readonly everyMs?: number
  readonly onProblem: (error: unknown) => void
}): Schedule {
  const { everyMs = EVERY_MS, onProblem } = settings
  return repeat(everyMs, () => watchMargins(settings), onProblem)
}
