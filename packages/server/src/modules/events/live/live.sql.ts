import type { Queryable } from '../../../db/database.ts'
import type { PaymentCode } from '../../payments/core/types.ts'
import type { EventColumns } from '../messages/refs.rules.ts'
import type { LiveRow } from './live.types.ts'

type Row = EventColumns & { reseller_id: bigint; sequence: bigint; span: number }

const COLUMNS = 'reseller_id, sequence, span, source, subject, code, amount, balance, type, data, at'

const NEWER = {
  name: 'events_newer',
  text: `select e.* from unnest($1::bigint[], $2::bigint[]) as f (reseller_id, position)
          cross join lateral (
            select ${COLUMNS} from events
             where reseller_id = f.reseller_id and sequence > f.position
             order by sequence limit $3) e
          order by e.reseller_id, e.sequence`,
}

export type FeedPosition = { readonly resellerId: bigint; readonly position: bigint }

/** Lists the rows of several feeds after their positions, at most `limit` of each, in one statement. */
export async function listNewerRows(
  connection: Queryable,
  feeds: readonly FeedPosition[],
  limit: number,
): Promise<LiveRow[]> {
  const { rows } = await connection.query<Row>(NEWER, [
    feeds.map(({ resellerId }) => resellerId),
    feeds.map(({ position }) => position),
    limit,
  ])
  return rows.map(({ reseller_id: resellerId, sequence, span, ...row }) => ({
    ...row,
    resellerId,
    span,
    position: sequence + BigInt(span) - 1n,
  }))
}

const PAYMENTS = {
  name: 'events_payments',
  text: `select e.subject as id, e.code from unnest($1::bigint[], $2::bigint[]) as f (reseller_id, sequence)
          cross join lateral (
            select subject, coalesce(code, 0::smallint) as code, at from events
             where reseller_id = f.reseller_id and sequence >= f.sequence and source in ('taken', 'moved')
             order by sequence limit $3) e
          order by e.at limit $3`,
}

/** Lists payments that were taken or moved, from a number of each feed on; at most `limit`, oldest change first. */
export async function listChangedPayments(
  connection: Queryable,
  firsts: ReadonlyMap<bigint, bigint>,
  limit: number,
): Promise<{ readonly id: bigint; readonly code: PaymentCode }[]> {
  const { rows } = await connection.query<{ id: bigint; code: PaymentCode }>(PAYMENTS, [
    [...firsts.keys()],
    [...firsts.values()],
    limit,
  ])
  return rows
}
