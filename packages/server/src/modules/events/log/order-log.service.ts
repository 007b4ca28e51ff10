import type { Database } from '../../../db/database.ts'
import type { DeliveryLog, LoggedDelivery } from './log.service.ts'
import { LOG_STATUSES } from './log.types.ts'
import { findOrderEvent } from './order-log.sql.ts'

/** Range of time after an order's end in which its delivery is searched for. */
const SOUGHT_MS = 5 * 60_000
/** Tolerates two clocks that differ a little. */
const SKEW_MS = 1_000
const DELIVERIES_MAX = 20

/** Lists the deliveries of the event that ended an order, replays included, oldest first. */
export async function listOrderDeliveries(
  { database, log }: { readonly database: Database; readonly log: DeliveryLog },
  resellerId: bigint,
  order: { readonly id: bigint; readonly completedAt: Date | null },
): Promise<LoggedDelivery[]> {
  if (order.completedAt === null) return []
  const atMs = order.completedAt.getTime()
  const window = { fromMs: atMs - SKEW_MS, untilMs: atMs + SOUGHT_MS }
  const eventId = await findOrderEvent(database, resellerId, order.id, window)
  if (eventId === undefined) return []
  const page = await log.list(resellerId, 'order', {
    statuses: LOG_STATUSES,
    fromMs: null,
    toMs: null,
    search: eventId,
    before: null,
    limit: DELIVERIES_MAX,
  })
  return page.deliveries.toSorted((a, b) => (a.delivery.id < b.delivery.id ? -1 : 1))
}
