import type { Queryable } from '../../../db/database.ts'
import type { EventColumns } from '../messages/refs.rules.ts'
import type { FeedEntry } from './feed.rules.ts'

type FeedRow = EventColumns & { reseller_id: bigint; sequence: bigint; span: number }

// The feed has no index by payment or by time. Events are numbered in about the order of their times, so a binary search
// on the primary key finds the row after which the time begins, and a bounded stretch after it is read.
const LIST = {
  name: 'events_of_payment',
  text: `
    with recursive search (low, high) as (
      -- The last row before the time is at low or above, and at high or below.
      select 0::bigint, coalesce((select sequence from events where reseller_id = $1 order by sequence desc limit 1), 0)
      union all
      select case when e.at is null or e.at < $3 then s.middle else s.low end,
             case when e.at is null or e.at < $3 then s.high else e.sequence - 1 end
        from (select low, high, (low + high + 1) / 2 as middle from search where low < high) s
        left join lateral (
          select sequence, at from events
           where reseller_id = $1 and sequence <= s.middle order by sequence desc limit 1
        ) e on true
    ), start as (
      select low from search where low >= high limit 1
    )
    select reseller_id, sequence, span, source, subject, code, amount, balance, type, data, at from events
     where reseller_id = $1 and sequence > (select low from start) and sequence <= (select low from start) + $4
       and subject = $2 and source in ('taken', 'moved', 'refunded')
     order by sequence limit $5`,
}

export type EventWindow = {
  readonly from: Date
  /** Events after the first one that are looked at. */
  readonly events: number
  readonly limit: number
}

/** Lists the rows of the feed about one payment that follow an instant. */
export async function listPaymentEntries(
  connection: Queryable,
  resellerId: bigint,
  paymentId: bigint,
  { from, events, limit }: EventWindow,
): Promise<FeedEntry[]> {
  const { rows } = await connection.query<FeedRow>(LIST, [resellerId, paymentId, from, events, limit])
  return rows.map(({ reseller_id: id, ...row }) => ({ resellerId: id, ...row }))
}
