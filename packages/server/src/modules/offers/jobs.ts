import type { Schedule } from '../../lib/repeat.ts'
import { repeat } from '../../lib/repeat.ts'
import type { SyncSettings } from './sync.service.ts'
import { readDuePages, startDueSyncs } from './sync.service.ts'

const EVERY_MS = 2_000

/** Reads the lists of suppliers that are due, on every node; each page is read by one of them. */
export function startReadingOffers(
  settings: SyncSettings & { readonly everyMs?: number; readonly onProblem: (error: unknown) => void },
): Schedule {
  return repeat(
    settings.everyMs ?? EVERY_MS,
    async (isStopped) => {
      await startDueSyncs(settings.database)
      while (!isStopped() && (await readDuePages(settings)) > 0) {
        // The next pages may be due at once.
      }
    },
    settings.onProblem,
  )
}
