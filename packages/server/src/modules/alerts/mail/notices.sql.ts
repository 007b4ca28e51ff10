import type { Queryable, Tx } from '../../../db/database.ts'
import type { Notice, NoticeKind } from './mail.types.ts'

export async function insertNotice(
  tx: Tx,
  { resellerId, kind, data, at }: Pick<Notice, 'resellerId' | 'kind' | 'data'> & { readonly at: Date },
): Promise<void> {
  await tx.query('insert into mail_notices (reseller_id, kind, data, created_at) values ($1, $2, $3, $4)', [
    resellerId,
    kind,
    JSON.stringify(data),
    at,
  ])
}

type NoticeRow = {
  id: bigint
  reseller_id: bigint
  kind: NoticeKind
  data: Record<string, unknown>
  created_at: Date
  is_held: boolean
}

const COLUMNS = 'id, reseller_id, kind, data, created_at, held_until is not null as is_held'

const DUE = {
  name: 'notices_due',
  text: `select exists (select from mail_notices
          where kind = any ($1) and (held_until is null or held_until <= clock_timestamp())) as found`,
}

/** True: some notice is not held back. Every node asks each second, so it takes one statement and no lock. */
export async function hasDueNotices(connection: Queryable, kinds: readonly NoticeKind[]): Promise<boolean> {
  const { rows } = await connection.query<{ found: boolean }>(DUE, [kinds])
  return rows[0]?.found === true
}

/** False: another node is making mails. Only one may do so at a time, so that the counts are right. */
export async function lockNoticeMails(tx: Tx): Promise<boolean> {
  const { rows } = await tx.query<{ locked: boolean }>(
    `select pg_try_advisory_xact_lock(hashtextextended('notice_mails', 0) # lock_mark()) as locked`,
  )
  return rows[0]?.locked === true
}

const LOCK = {
  name: 'notices_lock',
  text: `select ${COLUMNS} from mail_notices
          where kind = any ($1) and (held_until is null or held_until <= clock_timestamp())
          order by id limit $2 for update`,
}

/**
 * Locks the oldest notices that are not held back. Kinds that this version does not know wait for a version that does.
 */
export async function lockNotices(tx: Tx, kinds: readonly NoticeKind[], limit: number): Promise<Notice[]> {
  const { rows } = await tx.query<NoticeRow>(LOCK, [kinds, limit])
  return rows.map(toNotice)
}

/** Locks all notices of an account and kind whose hold has ended, oldest first. */
export async function lockHeld(
  tx: Tx,
  resellerId: bigint,
  kind: NoticeKind,
  limit: number,
): Promise<Notice[]> {
  const { rows } = await tx.query<NoticeRow>(
    `select ${COLUMNS} from mail_notices
      where reseller_id = $1 and kind = $2 and held_until <= clock_timestamp() order by id limit $3 for update`,
    [resellerId, kind, limit],
  )
  return rows.map(toNotice)
}

export async function holdNotices(tx: Tx, ids: readonly bigint[], until: Date): Promise<void> {
  await tx.query('update mail_notices set held_until = $2 where id = any ($1::bigint[])', [ids, until])
}

export async function deleteNotices(tx: Tx, ids: readonly bigint[]): Promise<void> {
  await tx.query('delete from mail_notices where id = any ($1::bigint[])', [ids])
}

function toNotice(row: NoticeRow): Notice {
  return {
    id: row.id,
    resellerId: row.reseller_id,
    kind: row.kind,
    data: row.data,
    createdAt: row.created_at,
    isHeld: row.is_held,
  }
}

// ── Counts ──

export type Tally = { readonly made: number; readonly endsAt: Date }

/** Counts the letters of the present period. A period that is over starts again. */
export async function openTally(
  tx: Tx,
  resellerId: bigint,
  kind: string,
  periodSeconds: number,
): Promise<Tally> {
  const { rows } = await tx.query<{ made: number; ends_at: Date }>(
    `insert into mail_tallies as t (reseller_id, kind, began_at, made) values ($1, $2, clock_timestamp(), 0)
     on conflict (reseller_id, kind) do update
       set began_at = case when t.began_at <= later(excluded.began_at, -make_interval(secs => $3))
                           then excluded.began_at else t.began_at end,
           made = case when t.began_at <= later(excluded.began_at, -make_interval(secs => $3)) then 0 else t.made end
     returning made, later(began_at, make_interval(secs => $3)) as ends_at`,
    [resellerId, kind, periodSeconds],
  )
  return { made: rows[0]?.made ?? 0, endsAt: rows[0]?.ends_at ?? new Date() }
}

export async function addToTally(tx: Tx, resellerId: bigint, kind: string, made: number): Promise<void> {
  await tx.query('update mail_tallies set made = made + $3 where reseller_id = $1 and kind = $2', [
    resellerId,
    kind,
    made,
  ])
}
