import type { Tx } from '../../db/database.ts'
import type { Notice, NoticeKind } from './mail.types.ts'

type NoticeRow = {
  id: bigint
  reseller_id: bigint
  kind: NoticeKind
  data: Record<string, unknown>
  created_at: Date
}

const LOCK = {
  name: 'notices_lock',
  text: `select id, reseller_id, kind, data, created_at from mail_notices where kind = any ($1)
          order by id limit $2 for update skip locked`,
}

/** The oldest that nobody else is at. Kinds that this version does not know wait for one that does. */
export async function lockNotices(tx: Tx, kinds: readonly NoticeKind[], limit: number): Promise<Notice[]> {
  const { rows } = await tx.query<NoticeRow>(LOCK, [kinds, limit])
  return rows.map((row) => ({
    id: row.id,
    resellerId: row.reseller_id,
    kind: row.kind,
    data: row.data,
    createdAt: row.created_at,
  }))
}

export async function deleteNotices(tx: Tx, ids: readonly bigint[]): Promise<void> {
  await tx.query('delete from mail_notices where id = any ($1::bigint[])', [ids])
}
