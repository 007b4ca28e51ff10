import type { Queryable } from '../../../db/database.ts'
import type { ClaimTerms } from '../../../db/leases.ts'
import { defineLease } from '../../../db/leases.ts'
import { USEFUL_DAYS } from './mail.rules.ts'
import type { ClaimedMail, Mail, MailStatus, NewMail } from './mail.types.ts'

type MailRow = {
  id: bigint
  reseller_id: bigint | null
  kind: string
  recipient: string
  subject: string
  body: string
  message_key: string
  status: MailStatus
  attempts: number
  error: string
  created_at: Date
  finished_at: Date | null
  sealed_body: Buffer | null
}

const COLUMNS =
  'id, reseller_id, kind, recipient, subject, body, message_key, status, attempts, error, created_at, finished_at, sealed_body'

/** Inserts mails that are due at once. */
export async function insertMails(connection: Queryable, mails: readonly NewMail[]): Promise<void> {
  if (mails.length === 0) return
  await connection.query(
    `insert into mails (reseller_id, kind, recipient, subject, body, status, next_at, created_at)
     select u.reseller_id, u.kind, u.recipient, u.subject, u.body, 'waiting', clock_timestamp(), clock_timestamp()
       from unnest($1::bigint[], $2::text[], $3::text[], $4::text[], $5::text[])
         as u (reseller_id, kind, recipient, subject, body)`,
    [
      mails.map(({ resellerId }) => resellerId),
      mails.map(({ kind }) => kind),
      mails.map(({ recipient }) => recipient),
      mails.map(({ subject }) => subject),
      mails.map(({ body }) => body),
    ],
  )
}

/** Inserts a mail that is due at once, with a body that only the vault can open. */
export async function insertSealedMail(
  connection: Queryable,
  mail: NewMail,
  { key, body }: { key: string; body: Buffer },
): Promise<void> {
  await connection.query(
    `insert into mails (reseller_id, kind, recipient, subject, body, sealed_body, message_key, status, next_at, created_at)
     values ($1, $2, $3, $4, '', $5, $6, 'waiting', clock_timestamp(), clock_timestamp())`,
    [mail.resellerId, mail.kind, mail.recipient, mail.subject, body, key],
  )
}

/** Inserts a mail that was sent outside the queue. */
export async function insertSentMail(connection: Queryable, mail: NewMail): Promise<void> {
  await connection.query(
    `insert into mails (reseller_id, kind, recipient, subject, body, status, attempts, created_at, finished_at)
     values ($1, $2, $3, $4, $5, 'sent', 1, clock_timestamp(), clock_timestamp())`,
    [mail.resellerId, mail.kind, mail.recipient, mail.subject, mail.body],
  )
}

const LEASE = defineLease({
  table: 'mails',
  key: ['id'],
  nextAt: 'next_at',
  mark: { kind: 'holder', column: 'holder' },
  attempts: 'attempts',
})

// The query jumps through the index from one owner of waiting mails to the next, so that it does not read all mails of
// an owner. It takes the first few of each owner, and orders them: those of operators, then the first of every account,
// the second of every account, and so on. It picks some more than are wanted, because other nodes pick at the same
// time.
const TURNS = `recursive owners as (
    (select coalesce(reseller_id, 0) as owner from mails where status = 'waiting'
      order by coalesce(reseller_id, 0) limit 1)
    union all
    select (select coalesce(m.reseller_id, 0) from mails m
             where m.status = 'waiting' and coalesce(m.reseller_id, 0) > o.owner
             order by coalesce(m.reseller_id, 0) limit 1)
      from owners o where o.owner is not null
  ), turns as (
    select d.id, row_number() over (order by o.owner <> 0, d.place, d.next_at) as turn
      from owners o
     cross join lateral (
       select w.id, w.next_at, row_number() over (order by w.next_at) as place
         from (select m.id, m.next_at from mails m
                where m.status = 'waiting' and coalesce(m.reseller_id, 0) = o.owner
                  and m.next_at <= now() and m.created_at > now() - interval '${USEFUL_DAYS} days'
                order by m.next_at limit 4 * $1) w
     ) d
     where o.owner is not null
     order by turn limit 4 * $1
  )`

const claim = LEASE.claim<MailRow>({
  name: 'mails_claim',
  columns: COLUMNS,
  where: `w.status = 'waiting'`,
  chosenBy: { queries: TURNS, join: 'join turns t on t.id = w.id' },
  order: 't.turn',
})

/**
 * Claims mails that are due and not claimed by another node, until the lease ends. Those of operators come first. No
 * account gets a second mail before every other account has its first.
 */
export async function claimMails(connection: Queryable, terms: ClaimTerms): Promise<ClaimedMail[]> {
  const { rows, holder } = await claim(connection, terms)
  return rows.map((row) => ({ ...toMail(row), holder }))
}

const FINISH = `
  update mails set status = $3, error = $4, finished_at = statement_timestamp(), next_at = null, ${LEASE.freed}
   where ${LEASE.held}`

/** False: the holder has lost its claim. */
export async function finishMail(
  connection: Queryable,
  { id, holder }: ClaimedMail,
  status: 'sent' | 'failed',
  error: string,
): Promise<boolean> {
  const { rowCount } = await connection.query(FINISH, [id, holder, status, error])
  return rowCount === 1
}

const POSTPONE = LEASE.postpone('error = $4')

/** Sets the time of the next attempt. */
export async function postponeMail(
  connection: Queryable,
  { id, holder }: ClaimedMail,
  afterMs: number,
  error: string,
): Promise<void> {
  await connection.query(POSTPONE, [id, holder, afterMs, error])
}

/** Undoes the claim and its attempt, because this node broke the attempt off. */
export async function releaseMail(connection: Queryable, { id, holder }: ClaimedMail): Promise<void> {
  await connection.query(LEASE.release, [id, holder])
}

/** Drops mails that could not be sent for so long that they are of no use any more. */
export async function dropMails(connection: Queryable): Promise<number> {
  const { rowCount } = await connection.query(
    `update mails set status = 'dropped', finished_at = statement_timestamp(), holder = null, next_at = null
      where status = 'waiting' and next_at <= statement_timestamp()
        and created_at <= statement_timestamp() - interval '${USEFUL_DAYS} days'`,
  )
  return rowCount
}

export async function countWaiting(connection: Queryable): Promise<number> {
  const { rows } = await connection.query<{ waiting: bigint }>(
    `select count(*) as waiting from mails where status = 'waiting'`,
  )
  return Number(rows[0]?.waiting ?? 0n)
}

/** Limit of the count: beyond it nobody needs the exact number, and counting would be slow. */
const COUNTED_MAX = 100_000

/** Counts the waiting mails, and gives the age of the oldest one. */
export async function readMailBacklog(
  connection: Queryable,
): Promise<{ readonly waiting: number; readonly oldestSeconds: number }> {
  const { rows } = await connection.query<{ waiting: number; oldest: number | null }>(
    `select count(*)::integer as waiting,
            extract(epoch from clock_timestamp() - min(created_at))::float8 as oldest
       from (select created_at from mails where status = 'waiting' limit ${COUNTED_MAX}) w`,
  )
  return { waiting: rows[0]?.waiting ?? 0, oldestSeconds: Math.max(0, rows[0]?.oldest ?? 0) }
}

// The index holds finished mails only, and is used only by a query with its condition.
export const DELETE_FINISHED = `delete from mails where id = any (array (
  select id from mails where status <> 'waiting' and finished_at < now() - make_interval(days => $1)
   order by finished_at limit $2))`

/** Deletes at most `limit` mails that were finished at least `days` days ago. */
export async function deleteFinished(connection: Queryable, days: number, limit: number): Promise<number> {
  const { rowCount } = await connection.query(DELETE_FINISHED, [days, limit])
  return rowCount
}

/** Lists the newest first; with a status, only the mails that have it. */
export async function listMailRows(
  connection: Queryable,
  page: { limit: number; status: MailStatus | undefined },
): Promise<Mail[]> {
  const { rows } = await connection.query<MailRow>(
    `select ${COLUMNS} from mails where $2::text is null or status = $2 order by id desc limit $1`,
    [page.limit, page.status ?? null],
  )
  return rows.map(toMail)
}

export async function findMail(connection: Queryable, id: bigint): Promise<Mail | undefined> {
  const { rows } = await connection.query<MailRow>(`select ${COLUMNS} from mails where id = $1`, [id])
  return rows[0] && toMail(rows[0])
}

function toMail(row: MailRow): Mail {
  return {
    id: row.id,
    resellerId: row.reseller_id,
    kind: row.kind,
    recipient: row.recipient,
    subject: row.subject,
    body: row.body,
    key: row.message_key,
    status: row.status,
    attempts: row.attempts,
    error: row.error,
    createdAt: row.created_at,
    finishedAt: row.finished_at,
    sealedBody: row.sealed_body,
  }
}
