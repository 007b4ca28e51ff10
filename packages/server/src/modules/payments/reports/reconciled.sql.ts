import { textArray } from '../../../db/arrays.ts'
import type { Queryable } from '../../../db/database.ts'
import type { PaymentCode } from '../core/types.ts'

export type ReconciledRow = {
  id: bigint
  refid: string
  amount: bigint
  face_value: bigint
  cost: bigint
  code: PaymentCode
  created_at: Date
  changed_at: Date
}

const COLUMNS = 'id, refid, amount, face_value, cost, code, created_at, changed_at'

// The concatenation is that of the index payments_refid, which is the only index by refid.
const BY_REFID = {
  name: 'reconciled_by_refid',
  text: `select p.* from unnest($2::text[]) as r (refid)
           join lateral (
             select ${COLUMNS} from payments
              where reseller_id::text || '/' || refid = $1::bigint::text || '/' || r.refid and reseller_id = $1
              limit 1
           ) p on true`,
}

/** Lists at most one row per refid, in any order. */
export async function listRowsByRefid(
  connection: Queryable,
  resellerId: bigint,
  refids: readonly string[],
): Promise<ReconciledRow[]> {
  const { rows } = await connection.query<ReconciledRow>(BY_REFID, [resellerId, textArray(refids)])
  return rows
}

const BETWEEN = {
  name: 'reconciled_between',
  text: `select ${COLUMNS} from payments
          where reseller_id = $1 and id > $2 and id < $3 order by id limit $4`,
}

/** Lists rows between two ids, oldest first. */
export async function listRowsBetween(
  connection: Queryable,
  resellerId: bigint,
  range: { readonly afterId: bigint; readonly beforeId: bigint; readonly limit: number },
): Promise<ReconciledRow[]> {
  const { rows } = await connection.query<ReconciledRow>(BETWEEN, [
    resellerId,
    range.afterId,
    range.beforeId,
    range.limit,
  ])
  return rows
}
