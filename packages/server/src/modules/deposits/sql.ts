import type { Queryable, Tx } from '../../db/database.ts'
import { formatDay, parseDay } from '../../lib/dates.ts'
import { assert } from '../../lib/errors.ts'
import { ALERT_KIND } from './rules.ts'
import type { DepositFilter, DepositRequest, DepositState, ReportedTransfer, SlipKind } from './types.ts'

// A request that was accepted is reported again once its approval can no longer be given.
const IS_LAPSED = `(d.state = 'accepted' and approval_state(d.approval_id) <> 'pending')`
const STATE = `case when ${IS_LAPSED} then 'reported' else d.state end`

const SAME_SHOWN_MAX = 10

const COLUMNS = `d.id, d.reseller_id, d.amount, d.transferred_on::text, d.bank_reference, d.note, d.reporter,
  d.reported_at, d.changed_at, d.slip_kind, d.slip_bytes, ${STATE} as state,
  case when ${IS_LAPSED} then null else d.approval_id end as approval_id,
  case when ${IS_LAPSED} then null else d.decided_by end as decided_by, d.refusal, d.entry_sequence,
  array (select row_to_json(o)::text from (
           select s.id::text, s.reseller_id::text from deposit_requests s
            where lower(s.bank_reference) = lower(d.bank_reference) and s.id <> d.id
              and s.state not in ('refused', 'withdrawn')
            order by s.id limit ${SAME_SHOWN_MAX}) o) as same_reference`

type Row = {
  id: bigint
  reseller_id: bigint
  amount: bigint
  transferred_on: string
  bank_reference: string
  note: string
  reporter: string
  reported_at: Date
  changed_at: Date
  slip_kind: SlipKind
  slip_bytes: number
  state: DepositState
  approval_id: bigint | null
  decided_by: bigint | null
  refusal: string
  entry_sequence: bigint | null
  same_reference: string[]
}

function requestOf(row: Row): DepositRequest {
  const transferredOn = parseDay(row.transferred_on)
  assert(transferredOn !== undefined, 'a date of the database is a day')
  return {
    id: row.id,
    resellerId: row.reseller_id,
    amount: row.amount,
    transferredOn,
    bankReference: row.bank_reference,
    note: row.note,
    state: row.state,
    reporter: row.reporter,
    reportedAt: row.reported_at,
    changedAt: row.changed_at,
    slip: { kind: row.slip_kind, size: row.slip_bytes },
    approvalId: row.approval_id,
    decidedBy: row.decided_by,
    refusal: row.refusal,
    entrySequence: row.entry_sequence,
    sameReference: row.same_reference.map(sameOf),
  }
}

function sameOf(text: string): { id: bigint; resellerId: bigint } {
  const { id, reseller_id } = JSON.parse(text) as { id: string; reseller_id: string }
  return { id: BigInt(id), resellerId: BigInt(reseller_id) }
}

/** Takes the id before the row is inserted, because the slip is sealed to it. */
export async function takeId(tx: Tx): Promise<bigint> {
  const { rows } = await tx.query<{ id: bigint }>(
    `select nextval(pg_get_serial_sequence('deposit_requests', 'id')) as id`,
  )
  assert(rows[0] !== undefined, 'a sequence gives a number')
  return rows[0].id
}

/** Puts the reports of one reseller in sequence, so that two equal ones at once are one. */
export async function lockReports(tx: Tx, resellerId: bigint): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock(hashtextextended('deposit requests', $1) # lock_mark())`, [
    resellerId,
  ])
}

export type NewRequest = ReportedTransfer & {
  readonly id: bigint
  readonly resellerId: bigint
  readonly reportedBy: bigint
  readonly reporter: string
  readonly slipKind: SlipKind
  readonly slipBytes: number
  readonly slipDigest: Buffer
  readonly sealedSlip: Buffer
}

export async function insertRequest(tx: Tx, row: NewRequest): Promise<void> {
  await tx.query(
    `insert into deposit_requests
       (reseller_id, id, amount, transferred_on, bank_reference, note, reported_by, reporter, slip_kind, slip_bytes,
        slip_digest, sealed_slip)
     values ($1, $2, $3, $4::date, $5, $6, $7, $8, $9, $10, $11, $12)`,
    [
      row.resellerId,
      row.id,
      row.amount,
      formatDay(row.transferredOn),
      row.bankReference,
      row.note,
      row.reportedBy,
      row.reporter,
      row.slipKind,
      row.slipBytes,
      row.slipDigest,
      row.sealedSlip,
    ],
  )
}

export type Counts = { readonly open: number; readonly today: number }

export async function countReports(tx: Tx, resellerId: bigint): Promise<Counts> {
  const { rows } = await tx.query<Counts>(
    `select count(*) filter (where state in ('reported', 'accepted'))::integer as open,
            count(*) filter (where reported_at > clock_timestamp() - interval '1 day')::integer as today
       from deposit_requests where reseller_id = $1`,
    [resellerId],
  )
  assert(rows[0] !== undefined, 'a count gives a row')
  return rows[0]
}

/** Finds the same report, with the same slip, that is open or credited. */
export async function findSameReport(
  tx: Tx,
  resellerId: bigint,
  { amount, transferredOn, bankReference }: ReportedTransfer,
  slipDigest: Buffer,
): Promise<bigint | undefined> {
  const { rows } = await tx.query<{ id: bigint }>(
    `select id from deposit_requests
      where reseller_id = $1 and amount = $2 and transferred_on = $3::date and bank_reference = $4
        and slip_digest = $5 and state not in ('refused', 'withdrawn')
      order by id limit 1`,
    [resellerId, amount, formatDay(transferredOn), bankReference, slipDigest],
  )
  return rows[0]?.id
}

/** Finds a request; with a reseller only one of that reseller. */
export async function findRequest(
  connection: Queryable,
  id: bigint,
  resellerId: bigint | null,
): Promise<DepositRequest | undefined> {
  const { rows } = await connection.query<Row>(
    `select ${COLUMNS} from deposit_requests d where d.id = $1 and ($2::bigint is null or d.reseller_id = $2)`,
    [id, resellerId],
  )
  return rows[0] && requestOf(rows[0])
}

/**
 * Locks a request, so that those who change it wait for each other. It is read by a second statement, which sees what
 * they committed.
 */
export async function lockRequest(
  tx: Tx,
  id: bigint,
  resellerId: bigint | null,
): Promise<DepositRequest | undefined> {
  const { rowCount } = await tx.query(
    'select from deposit_requests where id = $1 and ($2::bigint is null or reseller_id = $2) for update',
    [id, resellerId],
  )
  return rowCount === 0 ? undefined : findRequest(tx, id, resellerId)
}

export type Move = {
  readonly state: DepositState
  readonly approvalId?: bigint | undefined
  readonly decidedBy?: bigint | undefined
  readonly refusal?: string | undefined
  readonly entrySequence?: bigint | undefined
}

/** Changes the state of a locked request. What the move does not name becomes empty, except who decided. */
export async function moveRequest(tx: Tx, { id, resellerId }: DepositRequest, move: Move): Promise<void> {
  const { rowCount } = await tx.query(
    `update deposit_requests
        set state = $3, approval_id = $4, decided_by = coalesce($5, decided_by), refusal = $6, entry_sequence = $7,
            changed_at = statement_timestamp()
      where reseller_id = $1 and id = $2`,
    [
      resellerId,
      id,
      move.state,
      move.approvalId ?? null,
      move.decidedBy ?? null,
      move.refusal ?? '',
      move.entrySequence ?? null,
    ],
  )
  assert(rowCount === 1, 'the row is locked')
}

/** Lists the newest first. */
export async function listRequests(connection: Queryable, filter: DepositFilter): Promise<DepositRequest[]> {
  const { rows } = await connection.query<Row>(
    `select ${COLUMNS} from deposit_requests d
      where ($1::bigint is null or d.reseller_id = $1) and ($2::bigint is null or d.id < $2)
        and ($3::text is null or ${STATE} = $3)
      order by d.id desc limit $4`,
    [filter.resellerId, filter.beforeId, filter.state, filter.limit],
  )
  return rows.map(requestOf)
}

export async function findSealedSlip(
  connection: Queryable,
  id: bigint,
  resellerId: bigint | null,
): Promise<{ readonly resellerId: bigint; readonly sealed: Buffer } | undefined> {
  const { rows } = await connection.query<{ reseller_id: bigint; sealed_slip: Buffer }>(
    `select reseller_id, sealed_slip from deposit_requests
      where id = $1 and ($2::bigint is null or reseller_id = $2)`,
    [id, resellerId],
  )
  return rows[0] && { resellerId: rows[0].reseller_id, sealed: rows[0].sealed_slip }
}

/** Clears the alert about a request that needs nobody any more. */
export async function clearReportAlert(tx: Tx, id: bigint): Promise<void> {
  await tx.query('select clear_alert($1, $2)', [ALERT_KIND, String(id)])
}
