import type { Queryable } from '../../../db/database.ts'

// Deliveries are not indexed by what they are about: that would cost every one of them something, for a page that
// people open now and then. Ids begin with their millisecond, and a payment's callbacks are made soon after its
// states, so a short stretch of the log is looked through for each, up to the first that is of that state: replays
// are of the same event.
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

/** The stretch of time in which the callback of a state was made, ends excluded; milliseconds. */
export type StateWindow = { readonly code: number; readonly fromMs: number; readonly untilMs: number }

/** The events of a payment that callbacks were made for. */
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
