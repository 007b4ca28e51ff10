import type { Queryable } from '../../../db/database.ts'
import type { PaymentRow } from '../core/sql.ts'

/** Payment that succeeded, with the fields that the order of its successful attempt needs. */
export type FulfilledRow = Pick<
  PaymentRow,
  | 'reseller_id'
  | 'id'
  | 'refid'
  | 'product_code'
  | 'account'
  | 'amount'
  | 'face_value'
  | 'biller_code'
  | 'ref2'
  | 'sealed_input'
> & {
  plan_code: string | null
  attempt: number
  submitted_at: Date
  /** The form of the reference that the provider got; null: the usual one. */
  supplier_reference: string | null
  /** The provider's own id of the order; null: it gave none. */
  supplier_id: string | null
}

// A success that was recorded without an attempt belongs to the last attempt.
const FIND_FULFILLED = {
  name: 'payments_find_fulfilled',
  text: `select p.reseller_id, p.id, p.refid, p.product_code, coalesce(p.canonical_account, p.account) as account,
                p.amount, p.face_value, p.biller_code, p.ref2,
                p.sealed_input, p.plan_code, s.attempt, coalesce(b.at, p.created_at) as submitted_at,
                n.reference as supplier_reference, n.supplier_id
           from payments p
          cross join lateral (
            select coalesce(
                     (select c.attempt from payment_changes c
                       where c.reseller_id = p.reseller_id and c.payment_id = p.id and c.kind = 'state' and c.code = 20
                       order by c.id desc limit 1),
                     (select max(c.attempt) from payment_changes c
                       where c.reseller_id = p.reseller_id and c.payment_id = p.id and c.kind = 'attempt'),
                     1) as attempt
          ) s
           left join lateral (
             select c.at from payment_changes c
              where c.reseller_id = p.reseller_id and c.payment_id = p.id and c.kind = 'attempt'
                and c.attempt = s.attempt
              order by c.id desc limit 1
           ) b on true
           left join payment_supplier_references n
             on n.reseller_id = p.reseller_id and n.payment_id = p.id and n.attempt = s.attempt
          where p.reseller_id = $1 and p.id = $2`,
}

export async function findFulfilled(
  connection: Queryable,
  resellerId: bigint,
  id: bigint,
): Promise<FulfilledRow | undefined> {
  const { rows } = await connection.query<FulfilledRow>(FIND_FULFILLED, [resellerId, id])
  return rows[0]
}
