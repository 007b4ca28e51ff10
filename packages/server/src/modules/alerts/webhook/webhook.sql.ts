import type { Queryable } from '../../../db/database.ts'
import type { AlertRow } from '../alert/sql.ts'
import { COLUMNS, toAlert } from '../alert/sql.ts'
import type { Alert } from '../alert/types.ts'

/** Alert that one node has claimed, to send it. */
export type ClaimedAlert = Alert & { readonly holder: string; readonly attempts: number }

const CLAIM = {
  name: 'operator_alerts_claim',
  text: `
    update operator_alerts
       set post_holder = $1, post_attempts = post_attempts + 1,
           post_next_at = clock_timestamp() + make_interval(secs => $2 / 1000.0)
     where id = any (array (
       select id from operator_alerts
        where cleared_at is null and posted_at is null and post_next_at <= clock_timestamp()
          and (post_holder is null or post_next_at <= $4)
        order by severity = 'warning', id limit $3 for update skip locked))
    returning ${COLUMNS}, post_attempts`,
}

/** Claims open alerts that the webhook has not accepted and no other node is sending, critical ones first. */
export async function claimAlerts(
  connection: Queryable,
  claim: { holder: string; leaseMs: number; limit: number; believedUntil: Date },
): Promise<ClaimedAlert[]> {
  const { holder, leaseMs, limit, believedUntil } = claim
  const { rows } = await connection.query<AlertRow & { post_attempts: number }>(CLAIM, [
    holder,
    leaseMs,
    limit,
    believedUntil,
  ])
  return rows.map((row) => ({ ...toAlert(row), holder, attempts: row.post_attempts }))
}

export async function markPosted(connection: Queryable, { id, holder }: ClaimedAlert): Promise<void> {
  await connection.query(
    `update operator_alerts set posted_at = clock_timestamp(), post_holder = null
      where id = $1 and post_holder = $2`,
    [id, holder],
  )
}

/** Sets the time of the next attempt. undefined: there is none. */
export async function postponePost(
  connection: Queryable,
  { id, holder }: ClaimedAlert,
  afterMs: number | undefined,
): Promise<void> {
  await connection.query(
    `update operator_alerts
        set post_holder = null,
            post_next_at = coalesce(clock_timestamp() + make_interval(secs => $3 / 1000.0), 'infinity')
      where id = $1 and post_holder = $2`,
    [id, holder, afterMs ?? null],
  )
}

/** Undoes the claim and its attempt, because the node stops. */
export async function releasePost(connection: Queryable, { id, holder }: ClaimedAlert): Promise<void> {
  await connection.query(
    `update operator_alerts
        set post_holder = null, post_attempts = post_attempts - 1, post_next_at = clock_timestamp()
      where id = $1 and post_holder = $2`,
    [id, holder],
  )
}
