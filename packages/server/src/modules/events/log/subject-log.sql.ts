import type { Queryable } from '../../../db/database.ts'

// Deliveries have no index by payment: it would slow down every insert, for a page that people open now and then. Ids
// begin with their millisecond, and a callback is made soon after its payment's change of state. So for each state a
// short range of the log is scanned, up to the first delivery of that state; replays are deliveries of the same event.
const FIND = {
  name: 'deliveries_of_payment',
  text: `select d.event_id
           from unnest($3::uuid[], $4::uuid[], $5::smallint[]) as w (first, last, code)
           cross join lateral (
             select event_id from deliveries
              where reseller_id = $1 and stream = 'callback' and id >= w.first and id < w.last
                and subject = $2 and source = 'moved' and code = w.code
              order by id limit 1
           ) d
          group by d.event_id`,
}

/** Range of time, in milliseconds, in which the callback of a state was made; its end is excluded. */
export type StateWindow = { readonly code: number; readonly fromMs: number; readonly untilMs: number }

/** Lists the ids of a payment's events that have a callback. */
export async function listCallbackEvents(
  connection: Queryable,
  resellerId: bigint,
  paymentId: bigint,
  windows: readonly StateWindow[],
): Promise<string[]> {
  const { rows } = await connection.query<{ event_id: string }>(FIND, [
    resellerId,
    paymentId,
    windows.map(({ fromMs }) => idAt(fromMs)),
    windows.map(({ untilMs }) => idAt(untilMs)),
    windows.map(({ code }) => code),
  ])
  return rows.map((row) => row.event_id)
}

function idAt(ms: number): string {
  const digits = Math.max(0, Math.floor(ms)).toString(16).padStart(12, '0')
  return `${digits.slice(0, 8)}-${digits.slice(8)}-0000-0000-000000000000`
}

// The event that ended an order is found in the same way: its delivery is made soon after the order's end.
const FIND_OF_ORDER = {
  name: 'deliveries_of_order',
  text: `select event_id from deliveries
          where reseller_id = $1 and stream = 'order' and id >= $3 and id < $4 and subject = $2 and source = 'order'
          order by id limit 1`,
}

/** Finds the id of the event that ended an order, if it has a delivery between two instants. */
export async function findOrderEvent(
  connection: Queryable,
  resellerId: bigint,
  orderId: bigint,
  window: { readonly fromMs: number; readonly untilMs: number },
): Promise<string | undefined> {
  const { rows } = await connection.query<{ event_id: string }>(FIND_OF_ORDER, [
    resellerId,
    orderId,
    idAt(window.fromMs),
    idAt(window.untilMs),
  ])
  return rows[0]?.event_id
}
