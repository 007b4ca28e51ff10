import type { Database } from '../../../db/database.ts'
import { formatMoney } from '../../../lib/money.ts'
import type { Schedule } from '../../../lib/repeat.ts'
import { repeat } from '../../../lib/repeat.ts'
import type { Alerts } from '../../alerts/service.ts'
import { listLevels } from './sql.ts'

const PAUSE_MS = 30_000
const KIND = 'stock_low'

export type StockWatchSettings = {
  database: Database
  alerts: Pick<Alerts, 'raise' | 'clear'>
  onProblem: (error: unknown) => void
}

/** Tells operators of what runs out, and takes it back when it was filled up. */
export function startWatchingStock(settings: StockWatchSettings): Schedule {
  return repeat(PAUSE_MS, () => watchStock(settings), settings.onProblem)
}

export async function watchStock({
  database,
  alerts,
}: Pick<StockWatchSettings, 'database' | 'alerts'>): Promise<void> {
  for (const { productCode, denomination, free, freeMin } of await listLevels(database)) {
    const subject = `${productCode} ${formatMoney(denomination)}`
    if (free >= freeMin) {
      await alerts.clear(KIND, subject)
      continue
    }
    await alerts.raise({
      kind: KIND,
      subject,
      text: `${free} left of ${subject}; the level is ${freeMin}`,
      severity: free === 0 ? 'critical' : 'warning',
    })
  }
}
