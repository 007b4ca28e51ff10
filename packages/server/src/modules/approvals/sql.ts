import type { Queryable, Tx } from '../../db/database.ts'
import { assert } from '../../lib/errors.ts'
import type { ApprovalFilter, ApprovalState, DeciderName } from './types.ts'

export type ApprovalRow = {
  id: bigint
  kind: string
  state: ApprovalState
  requested_by: bigint
  requested_at: Date
  expires_at: Date
  sealed_request: Buffer
  reseller_id: bigint | null
  decided_by: bigint | null
  decided_by_user: bigint | null
  decided_by_link: string | null
  decided_at: Date | null
  decision_reason: string | null
  outcome: unknown
}

// clock_timestamp gives the time after the wait for the row's lock, not the time when the transaction began.
const STATE = `case when state = 'pending' and expires_at <= clock_timestamp() then 'expired' else state end`

const COLUMNS = `id, kind, ${STATE} as state, requested_by, requested_at, expires_at, sealed_request, reseller_id,
  decided_by, decided_by_user, decided_by_link, decided_at, decision_reason, outcome`

/** Takes the id before the row is inserted, because the sealed data is bound to the id. */
export async function takeId(tx: Tx): Promise<bigint> {
  const { rows } = await tx.query<{ id: bigint }>(
    `select nextval(pg_get_serial_sequence('approvals', 'id')) as id`,
  )
  assert(rows[0] !== undefined, 'a sequence gives a number')
  return rows[0].id
}

export type NewRow = {
  readonly id: bigint
  readonly kind: string
  readonly targetKind: string
  readonly target: string
  readonly requestedBy: bigint
  readonly sealedRequest: Buffer
  readonly resellerId: bigint | null
  readonly ttlMs: number
}

export async function insertApproval(tx: Tx, row: NewRow): Promise<ApprovalRow> {
  const { rows } = await tx.query<ApprovalRow>(
    `with made as (
       insert into approvals (id, kind, target_kind, target, requested_by, sealed_request, expires_at, reseller_id)
       values ($1, $2, $3, $4, $5, $6, clock_timestamp() + $7 * interval '1 millisecond', $8) returning *
     )
     select ${COLUMNS} from made`,
    [
      row.id,
      row.kind,
      row.targetKind,
      row.target,
      row.requestedBy,
      row.sealedRequest,
      row.ttlMs,
      row.resellerId,
    ],
  )
  assert(rows[0] !== undefined, 'an insert with returning gives a row')
  return rows[0]
}

/** Puts the requests of one operator in sequence: if two equal ones arrive at once, the second sees the first. */
export async function lockRequests(tx: Tx, operatorId: bigint): Promise<void> {
  await tx.query(
    `select pg_advisory_xact_lock(hashtextextended('approvals of an operator', $1) # lock_mark())`,
    [operatorId],
  )
}

const PENDING_MAX = 100

/** Lists an operator's undecided requests about the same target. */
export async function listPendingOf(
  tx: Tx,
  request: { readonly kind: string; readonly target: string; readonly requestedBy: bigint },
): Promise<ApprovalRow[]> {
  const { rows } = await tx.query<ApprovalRow>(
    `select ${COLUMNS} from approvals
      where requested_by = $1 and kind = $2 and target = $3 and state = 'pending' and ${STATE} = 'pending'
      order by id desc limit ${PENDING_MAX}`,
    [request.requestedBy, request.kind, request.target],
  )
  return rows
}

export async function findApproval(connection: Queryable, id: bigint): Promise<ApprovalRow | undefined> {
  const { rows } = await connection.query<ApprovalRow>(`select ${COLUMNS} from approvals where id = $1`, [id])
  return rows[0]
}

/** Locks the request, so that deciders wait for each other. */
export async function lockApproval(tx: Tx, id: bigint): Promise<ApprovalRow | undefined> {
  const { rows } = await tx.query('select from approvals where id = $1 for update', [id])
  return rows.length === 0 ? undefined : findApproval(tx, id)
}

export async function updateDecision(
  tx: Tx,
  id: bigint,
  decision: { state: string; by: DeciderName; reason: string; outcome: unknown },
): Promise<ApprovalRow> {
  const { kind, id: by, name } = decision.by
  const { rows } = await tx.query<ApprovalRow>(
    `with decided as (
       update approvals set state = $2, decided_by = $3, decided_by_user = $6, decided_by_link = $7,
                            decided_at = statement_timestamp(), decision_reason = $4, outcome = $5
        where id = $1 returning *
     )
     select ${COLUMNS} from decided`,
    [
      id,
      decision.state,
      kind === 'operator' ? by : null,
      decision.reason,
      decision.outcome === null ? null : JSON.stringify(decision.outcome),
      kind === 'member' ? by : null,
      kind === 'link' ? name : null,
    ],
  )
  assert(rows[0] !== undefined, 'the row is locked')
  return rows[0]
}

/** Lists the newest first. */
export async function listApprovals(connection: Queryable, filter: ApprovalFilter): Promise<ApprovalRow[]> {
  const { rows } = await connection.query<ApprovalRow>(
    `select ${COLUMNS} from approvals
      where ($1::text is null or ${STATE} = $1) and ($2::text is null or kind = $2)
        and ($3::bigint is null or id < $3)
        and ($5::text[] is null or kind = any($5) or requested_by = $6)
      order by id desc limit $4`,
    [
      filter.state,
      filter.kind,
      filter.beforeId,
      filter.limit,
      filter.scope?.kinds ?? null,
      filter.scope?.operatorId ?? null,
    ],
  )
  return rows
}

/** Lists the requests that concern a reseller, newest first. */
export async function listApprovalsOfReseller(
  connection: Queryable,
  resellerId: bigint,
  limit: number,
): Promise<ApprovalRow[]> {
  const { rows } = await connection.query<ApprovalRow>(
    `select ${COLUMNS} from approvals where reseller_id = $1 order by id desc limit $2`,
    [resellerId, limit],
  )
  return rows
}

/** Lists requests that are pending for the given minutes and have not expired, oldest first. */
export async function listWaiting(
  connection: Queryable,
  minutes: number,
  limit: number,
): Promise<{ readonly id: bigint; readonly kind: string; readonly expiresAt: Date }[]> {
  const { rows } = await connection.query<Pick<ApprovalRow, 'id' | 'kind' | 'expires_at'>>(
    `select id, kind, expires_at from approvals
      where state = 'pending' and expires_at > clock_timestamp()
        and requested_at <= clock_timestamp() - make_interval(mins => $1)
      order by id limit $2`,
    [minutes, limit],
  )
  return rows.map(({ id, kind, expires_at }) => ({ id, kind, expiresAt: expires_at }))
}
