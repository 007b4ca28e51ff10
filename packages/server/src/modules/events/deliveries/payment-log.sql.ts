import type { Queryable } from '../../../db/database.ts'

// Deliveries are not indexed by what they are about: that would cost every one of them something, for a page that
// people open now and then. Ids begin with their millisecond, and a payment's callbacks are made soon after its
// states, so a few short stretches of the log are looked through instead.
const FIND = {
  name: 'deliveries_of_payment',
  text: `select distinct d.event_id
           from unnest($3::uuid[], $4::uuid[]) as w (first, last)
           cross join lateral (
             select event_id from deliveries
              where reseller_id = $1 and stream = 'callback' and id >= w.first and id < w.last
                and subject = $2 and source in ('taken', 'moved')
              limit $5
           ) d
          limit $5`,
}

const EVENTS_MAX = 20

/** The events of a payment that callbacks were made for within one of the times, ends excluded; milliseconds. */
export async function listCallbackEvents(
  connection: Queryable,
  resellerId: bigint,
  paymentId: bigint,
  times: readonly { readonly fromMs: number; readonly untilMs: number }[],
): Promise<string[]> {
  const { rows } = await connection.query<{ event_id: string }>(FIND, [
    resellerId,
    paymentId,
    times.map(({ fromMs }) => idAt(fromMs)),
    times.map(({ untilMs }) => idAt(untilMs)),
    EVENTS_MAX,
  ])
  return rows.map((row) => row.event_id)
}

function idAt(ms: number): string {
  const digits = Math.max(0, Math.floor(ms)).toString(16).padStart(12, '0')
  return `${digits.slice(0, 8)}-${digits.slice(8)}-0000-0000-000000000000`
}
