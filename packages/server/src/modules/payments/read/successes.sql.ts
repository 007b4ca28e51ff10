import type { Queryable } from '../../../db/database.ts'
import { CUSTOMER } from './lines.sql.ts'

export type SuccessQuery = {
  readonly resellerId: bigint
  /** Canonical account. */
  readonly account: string
  readonly productCodes: readonly string[]
  readonly days: number
}

/**
 * A stretch of ids is the part of them above these bits: see the index payments_of_customer. A test clock makes what was
 * paid before its moves older.
 */
const FIND_LAST = {
  name: 'payments_find_last_success',
  text: `select p.product_code, p.created_at
           from payments p
          where (p.id >> 52)::smallint = any ($5::smallint[]) and ${CUSTOMER} = $2 and p.reseller_id + 0 = $1
            and p.product_code = any ($3::text[]) and p.code = 20
            and p.created_at > clock_timestamp() - make_interval(days => $4) + make_interval(secs => coalesce((
                  select sum(m.seconds) from test_clock_moves m
                   where m.reseller_id = $1 and m.at > p.created_at), 0)::double precision)
          order by p.id desc limit 1`,
}

const STRETCH_MS = 2 ** 32
const DAY_MS = 86_400_000

export async function findLastSuccessRow(
  connection: Queryable,
  { resellerId, account, productCodes, days }: SuccessQuery,
  nowMs: number,
): Promise<{ product_code: string; created_at: Date } | undefined> {
  const first = Math.floor((nowMs - days * DAY_MS) / STRETCH_MS)
  const last = Math.floor(nowMs / STRETCH_MS)
  const stretches = Array.from({ length: last - first + 1 }, (_, index) => first + index)
  const values = [resellerId, account, productCodes, days, stretches]
  const { rows } = await connection.query<{ product_code: string; created_at: Date }>(FIND_LAST, values)
  return rows[0]
}
