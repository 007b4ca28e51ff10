import type { Schedule } from '../../lib/repeat.ts'
import { repeat } from '../../lib/repeat.ts'
import type { BelowCostWatch } from './below-cost.service.ts'
import { watchBelowCost } from './below-cost.service.ts'
import type { SyncSettings } from './sync.service.ts'
import { readDuePages, startDueSyncs } from './sync.service.ts'

const EVERY_MS = 2_000
/** Time after which prices are compared with the lists again, although none was read. */
const WATCH_EVERY_MS = 60_000

/** Reads the lists of suppliers that are due, on every node; each page is read by one of them. */
export function startReadingOffers(
  settings: Omit<SyncSettings, 'stop'> &
    BelowCostWatch & {
      readonly everyMs?: number
      readonly onProblem: (error: unknown) => void
    },
): Schedule {
  const { database, everyMs = EVERY_MS, onProblem } = settings
  const stopping = new AbortController()
  let watchAtMs = 0
  const schedule = repeat(
    everyMs,
    async (isStopped) => {
      await startDueSyncs(database)
      while (!isStopped() && (await readDuePages({ ...settings, stop: stopping.signal })) > 0) {
        // The next pages may be due at once.
        watchAtMs = 0
      }
      if (isStopped() || performance.now() < watchAtMs) return
      await watchBelowCost(settings)
      watchAtMs = performance.now() + WATCH_EVERY_MS
    },
    onProblem,
  )
  return {
    stop() {
      stopping.abort()
      return schedule.stop()
    },
  }
}
