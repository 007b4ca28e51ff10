import type { Queryable, Tx } from '../../../db/database.ts'
import type { MailLanguage } from '../words/types.ts'
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

/** Languages that members chose for their mails. */
export async function listLanguageRows(
  connection: Queryable,
  resellerId: bigint,
): Promise<ReadonlyMap<bigint, MailLanguage>> {
  const { rows } = await connection.query<{ user_id: bigint; language: MailLanguage }>(
    'select user_id, language from mail_languages where reseller_id = $1',
    [resellerId],
  )
  return new Map(rows.map((row) => [row.user_id, row.language]))
}

export async function upsertLanguage(
  connection: Queryable,
  resellerId: bigint,
  { userId, language }: { readonly userId: bigint; readonly language: MailLanguage },
): Promise<void> {
  await connection.query(
    `insert into mail_languages (reseller_id, user_id, language) values ($1, $2, $3)
     on conflict (reseller_id, user_id) do update set language = excluded.language, updated_at = excluded.updated_at`,
    [resellerId, userId, language],
  )
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
