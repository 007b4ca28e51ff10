import type { Queryable, Tx } from '../../../db/database.ts'
import type { AlertRow } from '../core/sql.ts'
import { COLUMNS, toAlert } from '../core/sql.ts'
import type { Alert } from '../core/types.ts'

/** False: another node is at work. */
export async function lockOperatorMail(tx: Tx): Promise<boolean> {
  const { rows } = await tx.query<{ locked: boolean }>(
    `select pg_try_advisory_xact_lock(hashtextextended('operator_mail', 0) # lock_mark()) as locked`,
  )
  return rows[0]?.locked === true
}

const UNTOLD = {
  name: 'operator_alerts_untold',
  text: `
    with last as (
      select max(created_at) as at from mails
       where reseller_id is null and kind = 'alert'
         and created_at > clock_timestamp() - make_interval(secs => greatest($1::float8, $2::float8) / 1000)
    ), due as (
      select a.* from operator_alerts a
        left join unnest($4::text[], $5::integer[]) as w (kind, minutes) on w.kind = a.kind
       where a.cleared_at is null and a.mailed_at is null
         and (a.severity = 'critical' or a.raised_at <= clock_timestamp() - make_interval(mins => w.minutes))
    )
    select ${COLUMNS} from due
     where coalesce((select at from last) <= clock_timestamp() - make_interval(secs => (
             case when exists (select from due where severity = 'critical') then $1::float8 else $2::float8 end) / 1000), true)
     order by severity = 'warning', id limit $3`,
}

export type MailBounds = {
  /** Milliseconds after a mail before the next one with a critical alert. */
  readonly pauseMs: number
  /** Milliseconds after a mail before the next one with warnings only. */
  readonly warningPauseMs: number
  readonly limit: number
  readonly warnings: readonly { readonly kind: string; readonly minutes: number }[]
}

/** Lists open alerts that must be mailed to operators now, critical ones first; none before the pause is over. */
export async function listUnmailed(connection: Queryable, bounds: MailBounds): Promise<Alert[]> {
  const { pauseMs, warningPauseMs, limit, warnings } = bounds
  const { rows } = await connection.query<AlertRow>(UNTOLD, [
    pauseMs,
    warningPauseMs,
    limit,
    warnings.map(({ kind }) => kind),
    warnings.map(({ minutes }) => minutes),
  ])
  return rows.map(toAlert)
}

export async function markMailed(tx: Tx, ids: readonly bigint[]): Promise<void> {
  await tx.query(
    'update operator_alerts set mailed_at = statement_timestamp() where id = any ($1::bigint[])',
    [ids],
  )
}
