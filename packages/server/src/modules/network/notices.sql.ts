import type { Queryable } from '../../db/database.ts'
import type { NewNotice, Notice, NoticeTarget } from './types.ts'

export const NETWORK_CHANNEL = 'warung_network'

type Row = {
  id: bigint
  target_kind: NoticeTarget['kind']
  target_code: string
  message: string
  starts_at: Date
  ends_at: Date | null
  stops_payments: boolean
  created_by: string
  created_at: Date
  ended_at: Date | null
}

const COLUMNS = `id, target_kind, target_code, message, starts_at, ends_at, stops_payments, created_by, created_at,
  ended_at`

function noticeOf(row: Row): Notice {
  return {
    id: row.id,
    target: { kind: row.target_kind, code: row.target_code },
    message: row.message,
    startsAt: row.starts_at,
    endsAt: row.ends_at,
    stopsPayments: row.stops_payments,
    createdBy: row.created_by,
    createdAt: row.created_at,
    endedAt: row.ended_at,
  }
}

const FOLLOWED = {
  name: 'network_notices_followed',
  text: `select ${COLUMNS} from network_notices where over_at > now() - make_interval(days => $1)
          order by over_at desc, id limit $2`,
}

/** Lists the notices that are scheduled, in force or recently over; the first two kinds come before the third. */
export async function listBoardNotices(
  connection: Queryable,
  pastDays: number,
  limit: number,
): Promise<readonly Notice[]> {
  const { rows } = await connection.query<Row>(FOLLOWED, [pastDays, limit])
  return rows.map(noticeOf)
}

/** Lists the newest first; without `includeOver`, only those scheduled or in force. */
export async function listNoticeRows(
  connection: Queryable,
  { includeOver, limit }: { includeOver: boolean; limit: number },
): Promise<readonly Notice[]> {
  const { rows } = await connection.query<Row>(
    `select ${COLUMNS} from network_notices where $1 or over_at > now() order by created_at desc, id desc limit $2`,
    [includeOver, limit],
  )
  return rows.map(noticeOf)
}

/** Returns undefined when the limit of open notices is reached. */
export async function insertNotice(
  connection: Queryable,
  notice: NewNotice,
  openMax: number,
): Promise<Notice | undefined> {
  const { rows } = await connection.query<Row>(
    `with open as (select count(*) as notices from network_notices where over_at > now())
     insert into network_notices
       (target_kind, target_code, message, starts_at, ends_at, stops_payments, created_by)
     select $1, $2, $3, coalesce($4::timestamptz, now()), $5, $6, $7 from open where notices < $8
     returning ${COLUMNS}`,
    [
      notice.target.kind,
      notice.target.code,
      notice.message,
      notice.startsAt,
      notice.endsAt,
      notice.stopsPayments,
      notice.createdBy,
      openMax,
    ],
  )
  const [row] = rows
  return row && noticeOf(row)
}

/** Returns undefined when the notice does not exist or is over already. */
export async function endOpenNotice(connection: Queryable, id: bigint): Promise<Notice | undefined> {
  const { rows } = await connection.query<Row>(
    `update network_notices set ended_at = now() where id = $1 and over_at > now() returning ${COLUMNS}`,
    [id],
  )
  const [row] = rows
  return row && noticeOf(row)
}

/** Notifies every node when, and only when, the transaction commits. */
export async function announceNotices(connection: Queryable): Promise<void> {
  await connection.query('select pg_notify(channel_prefix() || $1, $2)', [NETWORK_CHANNEL, ''])
}
