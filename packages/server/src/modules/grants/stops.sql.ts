import type { Queryable, Tx } from '../../db/database.ts'
import type { StopOutcome } from './types.ts'

export type NewStop = { readonly digest: Buffer; readonly approvalId: bigint; readonly recipient: string }

export async function insertStop(
  tx: Tx,
  { digest, approvalId, recipient }: NewStop,
  days: number,
): Promise<void> {
  await tx.query(
    `insert into approval_stops (digest, approval_id, recipient, expires_at)
     values ($1, $2, $3, clock_timestamp() + make_interval(days => $4))`,
    [digest, approvalId, recipient, days],
  )
}

export type Stop = {
  readonly approvalId: bigint
  readonly recipient: string
  /** null: it was not used yet. */
  readonly outcome: StopOutcome | null
}

/** Finds a link that works, or that was used. undefined: it is unknown or expired. */
export async function findStop(connection: Queryable, digest: Buffer): Promise<Stop | undefined> {
  const { rows } = await connection.query<{
    approval_id: bigint
    recipient: string
    outcome: StopOutcome | null
  }>(
    `select approval_id, recipient, outcome from approval_stops
      where digest = $1 and expires_at > clock_timestamp()`,
    [digest],
  )
  const row = rows[0]
  return row && { approvalId: row.approval_id, recipient: row.recipient, outcome: row.outcome }
}

export async function finishStop(tx: Tx, digest: Buffer, outcome: StopOutcome): Promise<void> {
  await tx.query('update approval_stops set outcome = $2 where digest = $1', [digest, outcome])
}

/** Deletes at most `limit` links that expired more than a day ago. */
export async function deleteOldStops(connection: Queryable, limit: number): Promise<number> {
  const { rowCount } = await connection.query(
    `delete from approval_stops where digest = any (array (
       select digest from approval_stops
        where expires_at < statement_timestamp() - interval '1 day' order by expires_at limit $1))`,
    [limit],
  )
  return rowCount
}
