import type { Queryable, Statement } from '../../../db/database.ts'
import type { LineFilter, LineRow } from './lines.sql.ts'
import { conditionsOf, LINE_COLUMNS } from './lines.sql.ts'
import type { IdRange } from './listing.rules.ts'

export type ListingQuery = LineFilter & {
  readonly resellerId: bigint
  /** Ranges of ids, newest first, that do not overlap. */
  readonly stretches: readonly IdRange[]
  readonly limit: number
}

/**
 * Lists the payments of the ranges, newest first. A range is one of the primary key or of payments_account; rows before
 * it are not scanned.
 */
export async function listPaymentStretches(connection: Queryable, query: ListingQuery): Promise<LineRow[]> {
  const { statement, values } = stretchStatement(query)
  const { rows } = await connection.query<LineRow>(statement, values)
  return rows
}

function stretchStatement(query: ListingQuery): { statement: Statement; values: unknown[] } {
  const values: unknown[] = [
    query.resellerId,
    query.stretches.map(({ fromId }) => fromId),
    query.stretches.map(({ untilId }) => untilId),
    query.limit,
  ]
  const asked = conditionsOf(query, (each) => `$${values.push(each)}`)
  return {
    statement: {
      name: `payments_stretches${asked.name}`,
      text: `
        select p.* from unnest($2::bigint[], $3::bigint[]) as s (from_id, until_id)
         cross join lateral (
           select ${LINE_COLUMNS} from payments
            where reseller_id = $1 and id >= s.from_id and id < s.until_id
                  ${asked.text}
            order by id desc limit $4) p
         order by p.id desc limit $4`,
    },
    values,
  }
}

const BY_REFIDS: Statement = {
  name: 'payments_by_refids',
  text: `select ${LINE_COLUMNS} from payments
          where reseller_id::text || '/' || refid = any($2::text[]) and reseller_id = $1`,
}

/** Lists the payments of one reseller that have these refids. It uses payments_refid. */
export async function listPaymentsByRefids(
  connection: Queryable,
  resellerId: bigint,
  refids: readonly string[],
): Promise<LineRow[]> {
  const keys = refids.map((refid) => `${resellerId}/${refid}`)
  const { rows } = await connection.query<LineRow>(BY_REFIDS, [resellerId, keys])
  return rows
}
