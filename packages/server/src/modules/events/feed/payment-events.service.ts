import type { Queryable } from '../../../db/database.ts'
import { eventTypeOf } from '../messages/refs.rules.ts'
import { pageOf } from './feed.rules.ts'
import { listPaymentEntries } from './payment-events.sql.ts'

/** Event of the feed about a payment. */
export type PaymentEvent = { readonly eventId: string; readonly type: string; readonly at: Date }

/** Time before a change from which its event is searched for, and the events that are looked at. */
const SOUGHT_BEFORE_MS = 2_000
const SOUGHT_EVENTS = 20_000
const PER_CHANGE_MAX = 20

/** Lists the events that tell the changes of a payment, oldest first. Events older than the feed's retention are gone. */
export async function listPaymentEvents(
  connection: Queryable,
  resellerId: bigint,
  paymentId: bigint,
  changes: readonly Date[],
): Promise<PaymentEvent[]> {
  const found = new Map<string, PaymentEvent>()
  for (const at of changes) {
    const entries = await listPaymentEntries(connection, resellerId, paymentId, {
      from: new Date(at.getTime() - SOUGHT_BEFORE_MS),
      events: SOUGHT_EVENTS,
      limit: PER_CHANGE_MAX,
    })
    for (const { ref } of pageOf(entries, { after: 0n, limit: PER_CHANGE_MAX }).refs) {
      const type = eventTypeOf(ref)
      if (type !== null) found.set(ref.eventId, { eventId: ref.eventId, type, at: ref.at })
    }
  }
  return [...found.values()].toSorted((a, b) => a.at.getTime() - b.at.getTime())
}
