import type { Database } from '../../../db/database.ts'
import type { Schedule } from '../../../lib/repeat.ts'
import { repeat } from '../../../lib/repeat.ts'
import type { Alerts } from '../../alerts/core/service.ts'
import { listAlerts } from '../../alerts/core/service.ts'
import type { StuckOrder } from './stuck.sql.ts'
import { listStuckOrders } from './stuck.sql.ts'

export type StuckWatch = { readonly database: Database; readonly alerts: Alerts }

const KIND = 'order_stuck'
const EVERY_MS = 60_000
/** Limit of alerts about orders. The metrics count all of them. */
const STUCK_MAX = 50
const ALERTS_MAX = 1_000

/** Keeps the alerts about stuck orders up to date. */
export function startWatchingOrders(
  settings: StuckWatch & { readonly onProblem: (error: unknown) => void },
): Schedule {
  return repeat(EVERY_MS, () => watchOrders(settings), settings.onProblem)
}

/** Raises alerts for stuck orders, and clears those of orders that went on. */
export async function watchOrders({ database, alerts }: StuckWatch): Promise<void> {
  const stuck = await listStuckOrders(database, STUCK_MAX)
  const open = await listAlerts(database, { limit: ALERTS_MAX, withCleared: false })
  const raised = new Set(open.filter(({ kind }) => kind === KIND).map(({ subject }) => subject))
  for (const order of stuck) {
    // An open alert is not counted up at every turn.
    if (raised.delete(order.code)) continue
    await alerts.raise({ kind: KIND, subject: order.code, text: textOf(order) })
  }
  // A full page may hide more stuck orders; only a page that is not full shows which alerts are over.
  if (stuck.length < STUCK_MAX) for (const subject of raised) await alerts.clear(KIND, subject)
}

function textOf({ code, resellerId, state, since, error }: StuckOrder): string {
  const reason = error === '' ? 'see the log for the error' : error
  const place = `Order ${code} of reseller ${resellerId}`
  return `${place} is ${state.replaceAll('_', ' ')} and has not moved since ${since.toISOString()}: ${reason}`
}
