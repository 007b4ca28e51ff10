import type { Database } from '../../../db/database.ts'
import type { DeliveryLog, LoggedDelivery } from './log.service.ts'
import type { LogFilter } from './log.types.ts'
import { LOG_STATUSES } from './log.types.ts'
import { findOrderEvent, listCallbackEvents } from './subject-log.sql.ts'

/** Range of time after a change in which the delivery that tells it is searched for. */
const SOUGHT_MS = 5 * 60_000
/** Tolerates two clocks that differ a little. */
const SKEW_MS = 1_000
/** "Accepted" has no callback, and a search for it would scan its whole window each time. */
const CODE_WITHOUT_CALLBACK = 0
const PER_EVENT_MAX = 20
const STATES_MAX = 10

/** Lists the callbacks of one payment, including replays, oldest first. */
export async function listPaymentCallbacks(
  settings: { readonly database: Database; readonly log: DeliveryLog },
  resellerId: bigint,
  paymentId: bigint,
  states: readonly { readonly code: number; readonly at: Date }[],
): Promise<LoggedDelivery[]> {
  const windows = states
    .filter(({ code }) => code !== CODE_WITHOUT_CALLBACK)
    .slice(-STATES_MAX)
    .map(({ code, at }) => ({ code, fromMs: at.getTime() - SKEW_MS, untilMs: at.getTime() + SOUGHT_MS }))
  const events = await listCallbackEvents(settings.database, resellerId, paymentId, windows)
  const pages = await Promise.all(
    events.map((eventId) => settings.log.list(resellerId, 'callback', { ...EVERY_STATUS, search: eventId })),
  )
  return pages.flatMap((page) => page.deliveries).toSorted((a, b) => (a.delivery.id < b.delivery.id ? -1 : 1))
}

const EVERY_STATUS: LogFilter = {
  statuses: LOG_STATUSES,
  fromMs: null,
  toMs: null,
  search: null,
  before: null,
  limit: PER_EVENT_MAX,
}

/** Lists the deliveries of the event that ended an order, including replays, oldest first. */
export async function listOrderDeliveries(
  settings: { readonly database: Database; readonly log: DeliveryLog },
  resellerId: bigint,
  order: { readonly id: bigint; readonly completedAt: Date | null },
): Promise<LoggedDelivery[]> {
  if (order.completedAt === null) return []
  const atMs = order.completedAt.getTime()
  const window = { fromMs: atMs - SKEW_MS, untilMs: atMs + SOUGHT_MS }
  const eventId = await findOrderEvent(settings.database, resellerId, order.id, window)
  if (eventId === undefined) return []
  const { deliveries } = await settings.log.list(resellerId, 'order', { ...EVERY_STATUS, search: eventId })
  return deliveries.toSorted((a, b) => (a.delivery.id < b.delivery.id ? -1 : 1))
}
