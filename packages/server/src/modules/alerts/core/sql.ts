import { defineCall } from '../../../db/calls.ts'
import type { Queryable, Tx } from '../../../db/database.ts'
import { ALERT_KIND_RULES } from '../generated/kinds.types.ts'
import type { Alert, AlertReport, Severity } from './types.ts'

const RAISE = defineCall(
  { name: 'operator_alerts_raise', text: 'select raise_alert(...) as is_new' },
  { p_kind: 'text', p_subject: 'text', p_text: 'text', p_severity: 'text' },
)

/** True: the alert is new. */
export async function raise(connection: Queryable, report: AlertReport): Promise<boolean> {
  const { kind, subject, text } = report
  const { severity } = ALERT_KIND_RULES[kind]
  const { rows } = await connection.query<{ is_new: boolean }>(
    RAISE.statement,
    RAISE.valuesOf({ p_kind: kind, p_subject: subject, p_text: text, p_severity: severity }),
  )
  return rows[0]?.is_new === true
}

const CLEAR = {
  name: 'operator_alerts_clear',
  text: `update operator_alerts set cleared_at = statement_timestamp()
          where kind = $1 and subject = $2 and cleared_at is null`,
}

/** True: there was such an alert. */
export async function clear(connection: Queryable, kind: string, subject: string): Promise<boolean> {
  return (await connection.query(CLEAR, [kind, subject])).rowCount > 0
}

export type AlertRow = {
  id: bigint
  kind: string
  subject: string
  text: string
  severity: Severity
  raised_at: Date
  last_seen_at: Date
  times: bigint
  cleared_at: Date | null
}

export const COLUMNS = 'id, kind, subject, text, severity, raised_at, last_seen_at, times, cleared_at'

/** Finds an alert, and keeps others from clearing it until the transaction ends. */
export async function lockById(tx: Tx, id: bigint): Promise<Alert | undefined> {
  const { rows } = await tx.query<AlertRow>(
    `select ${COLUMNS} from operator_alerts where id = $1 for update`,
    [id],
  )
  return rows[0] && toAlert(rows[0])
}

export async function clearById(connection: Queryable, id: bigint): Promise<Alert | undefined> {
  const { rows } = await connection.query<AlertRow>(
    `update operator_alerts set cleared_at = least(cleared_at, statement_timestamp()) where id = $1
     returning ${COLUMNS}`,
    [id],
  )
  return rows[0] && toAlert(rows[0])
}

/** Lists the newest first. Cleared ones are included only with `withCleared`. */
export async function list(
  connection: Queryable,
  page: { limit: number; withCleared: boolean },
): Promise<Alert[]> {
  const { rows } = await connection.query<AlertRow>(
    `select ${COLUMNS} from operator_alerts where $2 or cleared_at is null order by id desc limit $1`,
    [page.limit, page.withCleared],
  )
  return rows.map(toAlert)
}

/** Lists open alerts, critical ones first, and then the newest first. */
export async function listMostSevere(connection: Queryable, limit: number): Promise<Alert[]> {
  const { rows } = await connection.query<AlertRow>(
    `select ${COLUMNS} from operator_alerts where cleared_at is null
      order by severity = 'critical' desc, id desc limit $1`,
    [limit],
  )
  return rows.map(toAlert)
}

export async function countOpen(connection: Queryable): Promise<ReadonlyMap<Severity, number>> {
  const { rows } = await connection.query<{ severity: Severity; open: number }>(
    'select severity, count(*)::integer as open from operator_alerts where cleared_at is null group by severity',
  )
  return new Map(rows.map(({ severity, open }) => [severity, open]))
}

export async function deleteCleared(connection: Queryable, days: number): Promise<void> {
  await connection.query('delete from operator_alerts where cleared_at < now() - make_interval(days => $1)', [
    days,
  ])
}

export function toAlert(row: AlertRow): Alert {
  return {
    id: row.id,
    kind: row.kind,
    subject: row.subject,
    text: row.text,
    severity: row.severity,
    raisedAt: row.raised_at,
    lastSeenAt: row.last_seen_at,
    times: row.times,
    clearedAt: row.cleared_at,
  }
}
