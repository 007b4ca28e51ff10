import type { Database } from '../../db/database.ts'
import type { Alerts } from '../alerts/core/service.ts'
import { listAlerts } from '../alerts/core/service.ts'
import type { AlertKind, AlertReport } from '../alerts/core/types.ts'

const OPEN_MAX = 1_000

/** Raises these alerts, and clears all others of the same kinds. */
export async function raiseOnly(
  { database, alerts }: { readonly database: Database; readonly alerts: Alerts },
  kinds: readonly AlertKind[],
  reports: readonly AlertReport[],
): Promise<void> {
  for (const report of reports) await alerts.raise(report)
  const current = new Set(reports.map(({ kind, subject }) => `${kind}\n${subject}`))
  for (const { kind, subject } of await listAlerts(database, { limit: OPEN_MAX, withCleared: false })) {
    const ours = kinds.find((each) => each === kind)
    if (ours !== undefined && !current.has(`${kind}\n${subject}`)) await alerts.clear(ours, subject)
  }
}
