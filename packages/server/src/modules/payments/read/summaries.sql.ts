import type { Queryable } from '../../../db/database.ts'
import { SELLER } from '../core/sql.ts'
import type { PaymentCode, SellerKind } from '../core/types.ts'
import { ofCustomer, stretchBounds } from './lines.sql.ts'
import type { IdRange } from './listing.rules.ts'

export type SummaryRow = {
  id: bigint
  refid: string
  product_code: string
  product_name: string
  account: string
  amount: bigint
  face_value: bigint
  cost: bigint
  code: PaymentCode
  remarks: string
  failure: string | null
  member_id: string
  seller: SellerKind | null
  created_at: Date
  changed_at: Date
}

const COLUMNS = `id, refid, product_code, product_name, account, amount, face_value, cost, code, remarks, failure, member_id, ${SELLER},
  created_at, changed_at`

const BY_ID = {
  name: 'payment_summaries',
  text: `select ${COLUMNS} from payments where reseller_id = $1 and id = any($2::bigint[])`,
}

export async function listSummariesById(
  connection: Queryable,
  resellerId: bigint,
  ids: readonly bigint[],
): Promise<SummaryRow[]> {
  const { rows } = await connection.query<SummaryRow>(BY_ID, [resellerId, ids])
  return rows
}

const BY_REFID = {
  name: 'payment_summaries_by_refid',
  // The last character of Unicode ends the range: the index compares by code point.
  text: `select ${COLUMNS} from payments
          where reseller_id::text || '/' || refid >= $1::bigint::text || '/' || $2
            and reseller_id::text || '/' || refid < $1::bigint::text || '/' || $2 || U&'\\+10FFFF'
          order by reseller_id::text || '/' || refid limit $3`,
}

/** Lists payments whose refid begins with the text, in the order of their refids. */
export async function listSummariesByRefid(
  connection: Queryable,
  resellerId: bigint,
  beginning: string,
  limit: number,
): Promise<SummaryRow[]> {
  const { rows } = await connection.query<SummaryRow>(BY_REFID, [resellerId, beginning, limit])
  return rows
}

const BY_ID_RANGE = {
  name: 'payment_summaries_by_id_range',
  text: `select p.* from unnest($2::bigint[], $3::bigint[]) as r (from_id, until_id)
          cross join lateral (
            select ${COLUMNS} from payments where reseller_id = $1 and id >= r.from_id and id < r.until_id
             order by id desc limit $4) p
          order by p.id desc limit $4`,
}

/** Lists the newest payments with an id in one of the ranges; the end of a range is not part of it. */
export async function listSummariesInRanges(
  connection: Queryable,
  resellerId: bigint,
  ranges: readonly { readonly fromId: bigint; readonly untilId: bigint }[],
  limit: number,
): Promise<SummaryRow[]> {
  const { rows } = await connection.query<SummaryRow>(BY_ID_RANGE, [
    resellerId,
    ranges.map(({ fromId }) => fromId),
    ranges.map(({ untilId }) => untilId),
    limit,
  ])
  return rows
}

const BY_CUSTOMER = {
  name: 'payment_summaries_by_customer',
  text: `select p.* from generate_series(${stretchBounds('$4::bigint', '$5::bigint')}) as stretches (stretch)
          cross join unnest($2::text[]) as customers (account)
          cross join lateral (
            select ${COLUMNS} from payments where ${ofCustomer('$1')} order by id desc limit $3) p
          order by p.id desc limit $3`,
}

/** Lists the newest payments of a customer, who may have several accounts, in the stretches of a range of ids. */
export async function listSummariesOfCustomer(
  connection: Queryable,
  resellerId: bigint,
  accounts: readonly string[],
  { fromId, untilId }: IdRange,
  limit: number,
): Promise<SummaryRow[]> {
  const values = [resellerId, accounts, limit, fromId, untilId]
  const { rows } = await connection.query<SummaryRow>(BY_CUSTOMER, values)
  return rows
}

const FIRST = {
  name: 'payment_first',
  text: 'select created_at from payments where reseller_id = $1 order by id limit 1',
}

export async function findFirstAt(connection: Queryable, resellerId: bigint): Promise<Date | null> {
  const { rows } = await connection.query<{ created_at: Date }>(FIRST, [resellerId])
  return rows[0]?.created_at ?? null
}
