import type { Queryable } from '../../../db/database.ts'
import type { EventColumns } from '../messages/refs.rules.ts'
import type { FeedEntry } from './feed.rules.ts'

type FeedRow = EventColumns & { reseller_id: bigint; sequence: bigint; span: number }

// Reads the primary key twice: once to find the row that may hold the event, once to read on from there.
const LIST = {
  name: 'events_list',
  text: `select reseller_id, sequence, span, source, subject, code, amount, balance, type, data, at from events
          where reseller_id = $1
            and sequence >= coalesce((select e.sequence from events e where e.reseller_id = $1 and e.sequence <= $2
                                       order by e.sequence desc limit 1), 0)
          order by sequence limit $3`,
}

/** Lists rows in order, beginning with the row that may hold the event `from`; that row may also end before it. */
export async function listFeedEntries(
  connection: Queryable,
  resellerId: bigint,
  from: bigint,
  limit: number,
): Promise<FeedEntry[]> {
  const { rows } = await connection.query<FeedRow>(LIST, [resellerId, from, limit])
  return rows.map(({ reseller_id: id, ...row }) => ({ resellerId: id, ...row }))
}

/** Rows that begin before a number, newest first. */
export async function listSpansBefore(
  connection: Queryable,
  resellerId: bigint,
  before: bigint,
  limit: number,
): Promise<{ readonly sequence: bigint; readonly span: number }[]> {
  const { rows } = await connection.query<{ sequence: bigint; span: number }>(
    'select sequence, span from events where reseller_id = $1 and sequence < $2 order by sequence desc limit $3',
    [resellerId, before, limit],
  )
  return rows
}

export async function findLatestSequence(connection: Queryable, resellerId: bigint): Promise<bigint> {
  const { rows } = await connection.query<{ latest: bigint }>(
    'select sequence + span - 1 as latest from events where reseller_id = $1 order by sequence desc limit 1',
    [resellerId],
  )
  return rows[0]?.latest ?? 0n
}
