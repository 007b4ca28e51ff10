import { plainArray, textArray } from '../../../db/arrays.ts'
import type { Tx } from '../../../db/database.ts'

export type WalkRow = { after_reseller: bigint; after_payment: bigint }

/** Takes the walk; undefined: it has ended, or another node goes a step. */
export async function takeWalk(tx: Tx): Promise<WalkRow | undefined> {
  const { rows } = await tx.query<WalkRow>(
    'select after_reseller, after_payment from number_walk where ended_at is null for update skip locked',
  )
  return rows[0]
}

export type WalkedRow = {
  reseller_id: bigint
  id: bigint
  product_code: string
  account: string
  canonical_account: string | null
}

export async function listNextPayments(tx: Tx, after: WalkRow, limit: number): Promise<WalkedRow[]> {
  const { rows } = await tx.query<WalkedRow>(
    `select reseller_id, id, product_code, account, canonical_account from payments
      where (reseller_id, id) > ($1, $2) order by reseller_id, id limit $3`,
    [after.after_reseller, after.after_payment, limit],
  )
  return rows
}

/** Moves the walk behind a payment; null: it is over. */
export async function moveWalk(tx: Tx, to: WalkedRow | undefined): Promise<void> {
  await (to === undefined
    ? tx.query('update number_walk set ended_at = now()')
    : tx.query('update number_walk set after_reseller = $1, after_payment = $2', [to.reseller_id, to.id]))
}

export type CanonicalAccount = { resellerId: bigint; id: bigint; canonical: string }

export async function writeCanonical(tx: Tx, found: readonly CanonicalAccount[]): Promise<void> {
  await tx.query(
    `update payments p set canonical_account = u.canonical
       from unnest($1::bigint[], $2::bigint[], $3::text[]) as u (reseller_id, id, canonical)
      where p.reseller_id = u.reseller_id and p.id = u.id and p.canonical_account is null`,
    [
      plainArray(found.map(({ resellerId }) => resellerId)),
      plainArray(found.map(({ id }) => id)),
      textArray(found.map(({ canonical }) => canonical)),
    ],
  )
}
