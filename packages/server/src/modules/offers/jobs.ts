import type { Schedule } from '../../lib/repeat.ts'
import { repeat } from '../../lib/repeat.ts'
import type { SyncSettings } from './sync.service.ts'
import { readDuePages, startDueSyncs } from './sync.service.ts'

const EVERY_MS = 2_000

/** Reads the lists of suppliers that are due, on every node; each page is read by one of them. */
export function startReadingOffers(
  settings: Omit<SyncSettings, 'stop'> & {
    readonly everyMs?: number
    readonly onProblem: (error: unknown) => void
  },
): Schedule {
  const { database, everyMs = EVERY_MS, onProblem } = settings
  const stopping = new AbortController()
  const schedule = repeat(
    everyMs,
    async (isStopped) => {
      await startDueSyncs(database)
      while (!isStopped() && (await readDuePages({ ...settings, stop: stopping.signal })) > 0) {
        // The next pages may be due at once.
      }
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
