import type { Schedule } from '../../lib/repeat.ts'
import { repeat } from '../../lib/repeat.ts'
import type { BelowCostWatch } from './below-cost.service.ts'
import { watchBelowCost } from './below-cost.service.ts'
import type { SyncSettings } from './sync.service.ts'
import { readDuePages, startDueSyncs } from './sync.service.ts'

const EVERY_MS = 2_000
/** Time after which prices are compared with the lists again, although none was read. */
const WATCH_EVERY_MS = 60_000
/** Lists read at the same time by one node. A supplier that hangs holds one of these places. */
const AT_ONCE = 4

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
  const readAll = async (isStopped: () => boolean) => {
    while (!isStopped() && (await readDuePages({ ...settings, stop: stopping.signal }, 1)) > 0) {
      // The next page may be due at once.
      watchAtMs = 0
    }
  }
  const startAndWatch = async (isStopped: () => boolean) => {
    await startDueSyncs(database)
    if (isStopped() || performance.now() < watchAtMs) return
    watchAtMs = performance.now() + WATCH_EVERY_MS
    await watchBelowCost(settings)
  }
  const schedules = [
    repeat(everyMs, startAndWatch, onProblem),
    ...Array.from({ length: AT_ONCE }, () => repeat(everyMs, readAll, onProblem)),
  ]
  return {
    async stop() {
      stopping.abort()
      await Promise.all(schedules.map((each) => each.stop()))
    },
  }
}
