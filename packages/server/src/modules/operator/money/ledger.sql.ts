import type { Queryable, Tx } from '../../../db/database.ts'

export type ProofRow = {
  id: bigint
  requested_by: string
  started_at: Date
  finished_at: Date | null
  report: unknown
  trouble: string | null
}

const COLUMNS = 'id, requested_by, started_at, finished_at, report, trouble'

/** Ends verifications whose node has not reported for this time: the node is gone. */
export async function endAbandonedVerifications(tx: Tx, forgottenMs: number): Promise<void> {
  await tx.query(
    `update ledger_proofs set finished_at = statement_timestamp(), trouble = 'the node that was at it is gone'
      where finished_at is null and seen_at < statement_timestamp() - $1 * interval '1 millisecond'`,
    [forgottenMs],
  )
}

/** undefined: a verification is already running. */
export async function insertProof(tx: Tx, requestedBy: string): Promise<ProofRow | undefined> {
  const { rows } = await tx.query<ProofRow>(
    `insert into ledger_proofs (requested_by) values ($1) on conflict do nothing returning ${COLUMNS}`,
    [requestedBy],
  )
  return rows[0]
}

/** Records that the node of this verification is still at work. */
export async function touchProof(connection: Queryable, id: bigint): Promise<void> {
  await connection.query(
    'update ledger_proofs set seen_at = statement_timestamp() where id = $1 and finished_at is null',
    [id],
  )
}

export async function finishProof(
  connection: Queryable,
  id: bigint,
  { report, trouble }: { report: object | null; trouble: string | null },
): Promise<void> {
  await connection.query(
    `update ledger_proofs set finished_at = statement_timestamp(), report = $2, trouble = $3
      where id = $1 and finished_at is null`,
    [id, report === null ? null : JSON.stringify(report), trouble],
  )
}

/** Lists the newest first. */
export async function listProofs(connection: Queryable, limit: number): Promise<ProofRow[]> {
  const { rows } = await connection.query<ProofRow>(
    `select ${COLUMNS} from ledger_proofs order by started_at desc, id desc limit $1`,
    [limit],
  )
  return rows
}
