import { readFields } from '../../../lib/input/fields.ts'
import { parseId } from '../../../lib/input/ids.ts'
import { count, FLAG, optional } from '../../../lib/input/parameters.ts'
import { clearAlert, listAlerts } from '../../alerts/alert/service.ts'
import type { Alert } from '../../alerts/alert/types.ts'
import { audited } from '../../audit/service.ts'
import type { AuditCaller } from '../../audit/types.ts'
import { unknown } from '../console/pages.rules.ts'
import type { MoneyContext } from '../console/types.ts'
import { alertView } from './alerts.view.ts'

type AlertContext = Pick<MoneyContext, 'database' | 'log'>

const ALERTS_MAX = 1_000

export const LIST_RULES = { limit: optional(count(1, ALERTS_MAX), 100), withCleared: optional(FLAG, false) }

/** Lists the newest first. */
export function listAlertsForOperators(
  { database }: AlertContext,
  query: { readonly limit?: string | undefined; readonly with_cleared?: string | undefined },
): Promise<Alert[]> {
  const asked = readFields(LIST_RULES, { limit: query.limit, withCleared: query.with_cleared })
  return listAlerts(database, asked)
}

/** Clears an alert, for every face. */
export async function clearForOperators(
  { log }: Pick<AlertContext, 'log'>,
  caller: AuditCaller,
  id: string,
  reason: unknown,
): Promise<Alert> {
  const alertId = parseId(id)
  if (alertId === undefined) throw unknown('alert')
  return audited(log, { caller, action: 'alert.clear', reason }, async (_tx, database) => {
    const newest = await listAlerts(database, { limit: ALERTS_MAX, withCleared: true })
    const before = newest.find((alert) => alert.id === alertId)
    const after = await clearAlert(database, alertId)
    return {
      target: { kind: 'alert', id },
      before: before === undefined ? null : alertView(before),
      after: alertView(after),
      result: after,
    }
  })
}
