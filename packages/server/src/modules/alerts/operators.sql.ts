import type { Tx } from '../../db/database.ts'
import type { AlertRow } from './sql.ts'
import { COLUMNS, toAlert } from './sql.ts'
import type { Alert } from './types.ts'

/** False: somebody else is at it. */
export async function lockOperatorMail(tx: Tx): Promise<boolean> {
  const { rows } = await tx.query<{ locked: boolean }>(
    `select pg_try_advisory_xact_lock(hashtextextended('operator_mail', 0)) as locked`,
  )
  return rows[0]?.locked === true
}

const UNTOLD = {
  name: 'operator_alerts_untold',
  text: `
    select ${COLUMNS} from operator_alerts
     where severity = 'critical' and cleared_at is null and mailed_at is null
       and not exists (select from mails where reseller_id is null and kind = 'alert'
                        and created_at > clock_timestamp() - make_interval(secs => $1 / 1000.0))
     order by id limit $2`,
}

/** Open critical alerts that operators were not mailed yet; none while the last such mail is younger than the pause. */
export async function listUntold(tx: Tx, pauseMs: number, limit: number): Promise<Alert[]> {
  const { rows } = await tx.query<AlertRow>(UNTOLD, [pauseMs, limit])
  return rows.map(toAlert)
}

export async function markTold(tx: Tx, ids: readonly bigint[]): Promise<void> {
  await tx.query('update operator_alerts set mailed_at = clock_timestamp() where id = any ($1::bigint[])', [
    ids,
  ])
}
