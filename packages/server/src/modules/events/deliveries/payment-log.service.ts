import type { Database } from '../../../db/database.ts'
import type { DeliveryLog, LoggedDelivery } from './log.service.ts'
import type { LogFilter } from './log.types.ts'
import { LOG_STATUSES } from './log.types.ts'
import { listCallbackEvents } from './payment-log.sql.ts'

/** How long after a payment's state its callback is looked for. */
const SOUGHT_MS = 5 * 60_000
/** Two clocks may differ a little. */
const SKEW_MS = 1_000
/** Accepted is no callback: looking for one would be a walk to the end, each time. */
const UNTOLD_CODE = 0
const PER_EVENT_MAX = 20
const STATES_MAX = 10

/** The callbacks of one payment, replays included, oldest first. */
export async function listPaymentCallbacks(
  settings: { readonly database: Database; readonly log: DeliveryLog },
  resellerId: bigint,
  paymentId: bigint,
  states: readonly { readonly code: number; readonly at: Date }[],
): Promise<LoggedDelivery[]> {
  const windows = states
    .filter(({ code }) => code !== UNTOLD_CODE)
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
