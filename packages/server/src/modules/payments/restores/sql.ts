import { plainArray, textArray } from '../../../db/arrays.ts'
import type { Queryable, Tx } from '../../../db/database.ts'
import type { LostPayment, Restore } from './types.ts'

/** Marks the database as returned to an earlier moment; returns the number of the restore. */
export async function markRestored(
  tx: Tx,
  restoredTo: Date,
  logReadTo: Date | null,
  resellerIds: readonly bigint[],
): Promise<bigint> {
  const { rows } = await tx.query<{ id: bigint }>('select mark_restored($1, $2, $3::bigint[]) as id', [
    restoredTo,
    logReadTo,
    plainArray(resellerIds),
  ])
  return (rows[0] as { id: bigint }).id
}

const PAYMENT_COLUMNS = `reseller_id as "resellerId", refid, id as "paymentId", provider,
  product_code as "productCode", account, amount, cost, code`

/** Lists payments with an id after `after`, over all resellers and in the order of their ids. */
export async function listPaymentsAfter(
  connection: Queryable,
  after: bigint,
  limit: number,
): Promise<(LostPayment & { readonly paymentId: bigint })[]> {
  const { rows } = await connection.query<LostPayment & { readonly paymentId: bigint }>(
    `select ${PAYMENT_COLUMNS},
            greatest(1, (select max(c.attempt) from payment_changes c
                          where c.reseller_id = p.reseller_id and c.payment_id = p.id))::integer as attempts
       from payments p where (id + 0) > $1 order by (id + 0) limit $2`,
    [after, limit],
  )
  return rows
}

/** Keeps payments as lost, unless the database has them. Returns how many were kept. */
export async function insertLost(
  connection: Queryable,
  restoreId: bigint,
  payments: readonly LostPayment[],
): Promise<number> {
  const { rowCount } = await connection.query(
    `with lost as (
     select l.* from unnest($2::bigint[], $3::text[], $4::bigint[], $5::text[], $6::smallint[], $7::text[], $8::text[],
                   $9::bigint[], $10::bigint[], $11::smallint[])
         as l (reseller_id, refid, payment_id, provider, attempts, product_code, account, amount, cost, code)
      where not exists (
        select from payments p
         where p.reseller_id::text || '/' || p.refid = l.reseller_id::text || '/' || l.refid)
     )
     insert into lost_payments (reseller_id, refid, restore_id, payment_id, provider, attempts, product_code, account,
                                amount, cost, code)
     select reseller_id, refid, $1, payment_id, provider, attempts, product_code, account, amount, cost, code from lost
     on conflict (reseller_id, refid) do update
        set restore_id = excluded.restore_id, payment_id = excluded.payment_id, provider = excluded.provider,
            attempts = excluded.attempts, product_code = excluded.product_code, account = excluded.account,
            amount = excluded.amount, cost = excluded.cost, code = excluded.code, released_at = null,
            released_by = null, release_reason = null`,
    [
      restoreId,
      plainArray(payments.map(({ resellerId }) => resellerId)),
      textArray(payments.map(({ refid }) => refid)),
      plainArray(payments.map(({ paymentId }) => paymentId)),
      textArray(payments.map(({ provider }) => provider)),
      plainArray(payments.map(({ attempts }) => attempts)),
      textArray(payments.map(({ productCode }) => productCode)),
      textArray(payments.map(({ account }) => account)),
      plainArray(payments.map(({ amount }) => amount)),
      plainArray(payments.map(({ cost }) => cost)),
      plainArray(payments.map(({ code }) => code)),
    ],
  )
  return rowCount
}

/**
 * Keeps a refid as lost, unless the database has its payment. What is known about a payment that was lost before stays.
 * Returns false when the database has the payment.
 */
export async function holdLost(
  tx: Tx,
  restoreId: bigint,
  { resellerId, refid }: Pick<LostPayment, 'resellerId' | 'refid'>,
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `with known as (
       select count(*) as payments from payments p
        where p.reseller_id::text || '/' || p.refid = $1::bigint::text || '/' || $2
     )
     insert into lost_payments (reseller_id, refid, restore_id)
     select $1, $2, $3 from known where payments = 0
     on conflict (reseller_id, refid) do update set released_at = null, released_by = null, release_reason = null`,
    [resellerId, refid, restoreId],
  )
  return rowCount === 1
}

/** Lists restores, newest first. */
export async function listRestoreRows(connection: Queryable, limit: number): Promise<Restore[]> {
  const { rows } = await connection.query<Restore>(
    `select r.id, r.restored_to as "restoredTo", r.restored_at as "restoredAt", r.log_read_to as "logReadTo",
            r.accepted_at as "acceptedAt", r.accepted_by as "acceptedBy", r.reason,
            (select count(*) from lost_payments l where l.restore_id = r.id and l.released_at is null)::integer as lost
       from restores r order by r.restored_at desc, r.id desc limit $1`,
    [limit],
  )
  return rows
}

export type LostRow = LostPayment & { readonly restoreId: bigint; readonly releasedAt: Date | null }

/** Place in the list of lost payments. */
export type LostPosition = Pick<LostPayment, 'resellerId' | 'refid'>

/** Lists lost payments behind a position that are not released, in the order of resellers and refids. */
export async function listLostAfter(
  connection: Queryable,
  { resellerId, refid }: LostPosition,
  limit: number,
): Promise<LostRow[]> {
  const { rows } = await connection.query<LostRow>(
    `select restore_id as "restoreId", reseller_id as "resellerId", refid, payment_id as "paymentId", provider,
            attempts, product_code as "productCode", account, amount, cost, code, released_at as "releasedAt"
       from lost_payments where (reseller_id, refid) > ($1, $2) and released_at is null
      order by reseller_id, refid limit $3`,
    [resellerId, refid, limit],
  )
  return rows
}

/** Releases a lost payment's refid. False: there is no such lost payment, or it was released before. */
export async function releaseLost(
  tx: Tx,
  { resellerId, refid }: Pick<LostPayment, 'resellerId' | 'refid'>,
  { by, reason }: { readonly by: string; readonly reason: string },
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update lost_payments set released_at = statement_timestamp(), released_by = $3, release_reason = $4
      where reseller_id = $1 and refid = $2 and released_at is null`,
    [resellerId, refid, by, reason],
  )
  return rowCount === 1
}

/** Accepts every restore that is not accepted yet; returns their numbers. */
export async function acceptRestores(
  tx: Tx,
  { by, reason }: { readonly by: string; readonly reason: string },
): Promise<bigint[]> {
  const { rows } = await tx.query<{ id: bigint }>(
    `update restores set accepted_at = statement_timestamp(), accepted_by = $1, reason = $2
      where accepted_at is null returning id`,
    [by, reason],
  )
  return rows.map(({ id }) => id)
}

export async function countPayments(connection: Queryable): Promise<bigint> {
  const { rows } = await connection.query<{ count: bigint }>('select count(*) as count from payments')
  return rows[0]?.count ?? 0n
}
