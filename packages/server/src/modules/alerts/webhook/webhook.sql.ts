import type { Queryable } from '../../../db/database.ts'
import type { ClaimTerms } from '../../../db/leases.ts'
import { defineLease } from '../../../db/leases.ts'
import type { AlertRow } from '../core/sql.ts'
import { COLUMNS, toAlert } from '../core/sql.ts'
import type { Alert } from '../core/types.ts'

/** Alert that one node has claimed, to send it. */
export type ClaimedAlert = Alert & { readonly holder: string; readonly attempts: number }

const LEASE = defineLease({
  table: 'operator_alerts',
  key: ['id'],
  nextAt: 'post_next_at',
  mark: { kind: 'holder', column: 'post_holder' },
  attempts: 'post_attempts',
})

const claim = LEASE.claim<AlertRow & { post_attempts: number }>({
  name: 'operator_alerts_claim',
  columns: `${COLUMNS}, post_attempts`,
  where: 'w.cleared_at is null and w.posted_at is null',
  order: `w.severity = 'warning', w.id`,
})

/** Claims open alerts that the webhook has not accepted and no other node is sending, critical ones first. */
export async function claimAlerts(connection: Queryable, terms: ClaimTerms): Promise<ClaimedAlert[]> {
  const { rows, holder } = await claim(connection, terms)
  return rows.map((row) => ({ ...toAlert(row), holder, attempts: row.post_attempts }))
}

const MARK_POSTED = `update operator_alerts set posted_at = statement_timestamp(), ${LEASE.freed} where ${LEASE.held}`

export async function markPosted(connection: Queryable, { id, holder }: ClaimedAlert): Promise<void> {
  await connection.query(MARK_POSTED, [id, holder])
}

const POSTPONE = LEASE.postpone()

/** Sets the time of the next attempt. undefined: there is none. */
export async function postponePost(
  connection: Queryable,
  { id, holder }: ClaimedAlert,
  afterMs: number | undefined,
): Promise<void> {
  await connection.query(POSTPONE, [id, holder, afterMs ?? null])
}

/** Undoes the claim and its attempt, because the node stops. */
export async function releasePost(connection: Queryable, { id, holder }: ClaimedAlert): Promise<void> {
  await connection.query(LEASE.release, [id, holder])
}
