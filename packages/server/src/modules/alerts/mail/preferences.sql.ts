import type { Queryable, Tx } from '../../../db/database.ts'
import type { MailKind } from './mail.types.ts'

/** userId 0: the account's registered address. */
export type PreferenceRow = { readonly userId: bigint; readonly kind: string; readonly isOn: boolean }

/** Keeps other changes of the account's preferences waiting until the transaction ends. */
export async function lockPreferences(tx: Tx, resellerId: bigint): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock(hashtextextended('mail_preferences', $1) # lock_mark())`, [
    resellerId,
  ])
}

export async function listPreferenceRows(
  connection: Queryable,
  resellerId: bigint,
): Promise<PreferenceRow[]> {
  const { rows } = await connection.query<{ user_id: bigint; kind: string; is_on: boolean }>(
    'select user_id, kind, is_on from mail_preferences where reseller_id = $1',
    [resellerId],
  )
  return rows.map((row) => ({ userId: row.user_id, kind: row.kind, isOn: row.is_on }))
}

export async function upsertPreference(
  connection: Queryable,
  resellerId: bigint,
  { userId, kind, isOn }: { userId: bigint; kind: MailKind; isOn: boolean },
): Promise<void> {
  await connection.query(
    `insert into mail_preferences (reseller_id, user_id, kind, is_on, updated_at) values ($1, $2, $3, $4, now())
     on conflict (reseller_id, user_id, kind) do update set is_on = excluded.is_on, updated_at = excluded.updated_at`,
    [resellerId, userId, kind, isOn],
  )
}
