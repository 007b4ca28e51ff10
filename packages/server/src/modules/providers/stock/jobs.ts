import type { Database } from '../../../db/database.ts'
import { formatMoney } from '../../../lib/money.ts'
import type { Schedule } from '../../../lib/repeat.ts'
import { repeat } from '../../../lib/repeat.ts'
import type { Alerts } from '../../alerts/core/service.ts'
import { listAlerts } from '../../alerts/core/service.ts'
import { listLevels } from './sql.ts'

const PAUSE_MS = 30_000
const KINDS = ['stock_low', 'stock_out'] as const
const ALERTS_MAX = 1_000

export type StockWatchSettings = {
  database: Database
  alerts: Pick<Alerts, 'raise' | 'clear'>
  onProblem: (error: unknown) => void
}

/** Alerts operators when stock runs low, and clears the alert when it was refilled or has no level any more. */
export function startWatchingStock(settings: StockWatchSettings): Schedule {
  return repeat(PAUSE_MS, () => watchStock(settings), settings.onProblem)
}

export async function watchStock({
  database,
  alerts,
}: Pick<StockWatchSettings, 'database' | 'alerts'>): Promise<void> {
  const subjects = new Set<string>()
  for (const { productCode, denomination, free, freeMin } of await listLevels(database)) {
    const subject = `${productCode} ${formatMoney(denomination)}`
    subjects.add(subject)
    if (free >= freeMin) {
      for (const kind of KINDS) await alerts.clear(kind, subject)
      continue
    }
    const [kind, other] = free === 0 ? (['stock_out', 'stock_low'] as const) : KINDS
    await alerts.raise({ kind, subject, text: `${free} left of ${subject}; the level is ${freeMin}` })
    await alerts.clear(other, subject)
  }
  // A level that was removed is not watched any more, so its alerts would never end.
  for (const { kind, subject } of await listAlerts(database, { limit: ALERTS_MAX, withCleared: false })) {
    const known = KINDS.find((each) => each === kind)
    if (known !== undefined && !subjects.has(subject)) await alerts.clear(known, subject)
  }
}
