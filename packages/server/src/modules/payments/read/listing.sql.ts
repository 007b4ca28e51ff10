import type { Queryable, Statement } from '../../../db/database.ts'
import type { LineFilter, LineRow } from './lines.sql.ts'
import { conditionsOf, LINE_COLUMNS, ofCustomer, stretchBounds } from './lines.sql.ts'
import type { IdRange } from './listing.rules.ts'

export type ListingQuery = LineFilter & {
  readonly resellerId: bigint
  /** Ranges of ids, newest first, that do not overlap. */
  readonly ranges: readonly IdRange[]
  readonly limit: number
}

/**
 * Lists the payments of the ranges, newest first. A range is one of the primary key, or one of each stretch of
 * payments_of_customer; rows before it are not scanned.
 */
export async function listPaymentsInRanges(connection: Queryable, query: ListingQuery): Promise<LineRow[]> {
  const { statement, values } = rangeStatement(query)
  const { rows } = await connection.query<LineRow>(statement, values)
  return rows
}

function rangeStatement(query: ListingQuery): { statement: Statement; values: unknown[] } {
  const values: unknown[] = [
    query.resellerId,
    query.ranges.map(({ fromId }) => fromId),
    query.ranges.map(({ untilId }) => untilId),
    query.limit,
  ]
  const value = (each: unknown) => `$${values.push(each)}`
  const { stretches, key } =
    query.accounts === null
      ? { stretches: '', key: 'reseller_id = $1' }
      : {
          stretches: `cross join generate_series(${stretchBounds('r.from_id', 'r.until_id')}) as stretches (stretch)
         cross join unnest(${value(query.accounts)}::text[]) as customers (account)`,
          key: ofCustomer('$1'),
        }
  const asked = conditionsOf(query, value)
  return {
    statement: {
      name: `payments_ranges${asked.name}`,
      text: `
        select p.* from unnest($2::bigint[], $3::bigint[]) as r (from_id, until_id)
         ${stretches}
         cross join lateral (
           select ${LINE_COLUMNS} from payments
            where ${key} and id >= r.from_id and id < r.until_id
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
