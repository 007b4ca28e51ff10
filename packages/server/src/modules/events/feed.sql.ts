import type { Queryable } from '../../db/database.ts'
import type { PaymentCode } from '../payments/payment/types.ts'
import type { FeedEntry } from './feed.rules.ts'
import type { EventSource } from './types.ts'

type FeedRow = {
  reseller_id: bigint
  sequence: bigint
  span: number
  source: EventSource
  subject: bigint
  code: PaymentCode | null
  amount: bigint | null
  balance: bigint | null
  type: string | null
  data: Record<string, unknown> | null
  at: Date
}

// Two walks along the primary key: to the row that may hold the event, and on from there.
const LIST = {
  name: 'events_list',
  text: `select reseller_id, sequence, span, source, subject, code, amount, balance, type, data, at from events
          where reseller_id = $1
            and sequence >= coalesce((select e.sequence from events e where e.reseller_id = $1 and e.sequence <= $2
                                       order by e.sequence desc limit 1), 0)
          order by sequence limit $3`,
}

/** Rows in their order, from the one that holds the event `from`; the first may end before it. */
export async function listFeedEntries(
  connection: Queryable,
  resellerId: bigint,
  from: bigint,
  limit: number,
): Promise<FeedEntry[]> {
  const { rows } = await connection.query<FeedRow>(LIST, [resellerId, from, limit])
  return rows.map(({ reseller_id: id, ...row }) => ({ resellerId: id, ...row }))
}

export async function findLatestSequence(connection: Queryable, resellerId: bigint): Promise<bigint> {
  const { rows } = await connection.query<{ latest: bigint }>(
    'select sequence + span - 1 as latest from events where reseller_id = $1 order by sequence desc limit 1',
    [resellerId],
  )
  return rows[0]?.latest ?? 0n
}
