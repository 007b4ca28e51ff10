import type { Queryable } from '../../../db/database.ts'
import type { Amount } from '../../../lib/money.ts'

// The newest payments of a reseller, one after the other: the primary key begins with the reseller and the ids follow
// time. Another index would cost every payment more than a search now and then; so the rows that are looked through are
// few, and the end of a month at a busy shop may lie before them.

export type Recent = {
  readonly resellerId: bigint
  readonly fromId: bigint
  /** Payments that are looked through at most. */
  readonly scanned: number
  readonly limit: number
}

const BY_END = {
  name: 'payments_find_by_end',
  text: `select id from (
           select id, account, canonical_account, serial_number from payments
            where reseller_id = $1 and id >= $2 order by id desc limit $3) recent
          where right(coalesce(canonical_account, account), length($5)) = $5
             or right(upper(serial_number), length($6)) = $6
          order by id desc limit $4`,
}

/** Lists payments whose number, or serial, ends with the text; null: it cannot. */
export async function listByEnd(
  connection: Queryable,
  { resellerId, fromId, scanned, limit }: Recent,
  numberEnd: string | null,
  serialEnd: string | null,
): Promise<bigint[]> {
  const { rows } = await connection.query<{ id: bigint }>(BY_END, [
    resellerId,
    fromId,
    scanned,
    limit,
    numberEnd,
    serialEnd,
  ])
  return rows.map(({ id }) => id)
}

const BY_AMOUNT = {
  name: 'payments_find_by_amount',
  text: `select id from (
           select id, amount, face_value from payments
            where reseller_id = $1 and id >= $2 order by id desc limit $3) recent
          where amount = $5 or face_value = $5
          order by id desc limit $4`,
}

export async function listByAmount(
  connection: Queryable,
  { resellerId, fromId, scanned, limit }: Recent,
  amount: Amount,
): Promise<bigint[]> {
  const { rows } = await connection.query<{ id: bigint }>(BY_AMOUNT, [
    resellerId,
    fromId,
    scanned,
    limit,
    amount,
  ])
  return rows.map(({ id }) => id)
}

const SEALED = {
  name: 'payments_find_sealed',
  text: `select id, sealed_output from (
           select id, sealed_output from payments
            where reseller_id = $1 and id >= $2 order by id desc limit $3) recent
          where sealed_output is not null
          order by id desc limit $4`,
}

export type SealedRow = { readonly id: bigint; readonly sealed_output: Buffer }

/** Lists payments that delivered a PIN or a link. */
export async function listSealed(
  connection: Queryable,
  { resellerId, fromId, scanned, limit }: Recent,
): Promise<SealedRow[]> {
  const { rows } = await connection.query<SealedRow>(SEALED, [resellerId, fromId, scanned, limit])
  return rows
}
