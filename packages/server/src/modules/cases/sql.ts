import { defineCall } from '../../db/calls.ts'
import type { Queryable, Tx } from '../../db/database.ts'
import { assert } from '../../lib/errors.ts'
import { isClosed } from './rules.ts'
import type { Case, CaseAuthor, CaseFilter, CaseKind, CaseMessage, CaseState, RefundType } from './types.ts'

type CaseRow = {
  reseller_id: bigint
  id: bigint
  number: string
  kind: CaseKind
  state: CaseState
  payment_id: bigint
  refid: string
  cc: string[]
  refund_type: RefundType | null
  refund_reason: string | null
  opened_at: Date
  changed_at: Date
  due_at: Date
  closed_at: Date | null
}

const COLUMNS = `reseller_id, id, number, kind, state, payment_id, refid, cc, refund_type, refund_reason, opened_at,
  changed_at, due_at, closed_at`

function toCase(row: CaseRow): Case {
  return {
    resellerId: row.reseller_id,
    id: row.id,
    number: row.number,
    kind: row.kind,
    state: row.state,
    paymentId: row.payment_id,
    refid: row.refid,
    cc: row.cc,
    refund: row.refund_type === null ? null : { type: row.refund_type, reason: row.refund_reason },
    openedAt: row.opened_at,
    changedAt: row.changed_at,
    dueAt: row.due_at,
    closedAt: row.closed_at,
  }
}

// ── Changes, each a commit of its own ──

export type NewCase = Pick<Case, 'resellerId' | 'paymentId' | 'kind' | 'refid' | 'cc' | 'refund'> & {
  readonly memberId: string
  readonly requestId: string
  readonly text: string
  readonly dueAfterSeconds: number
  /** True: the case must be handled by its due time. */
  readonly isWorked: boolean
  /** True: the provider is asked. */
  readonly asks: boolean
}

export type OpenResult = { verdict: 'opened'; number: string } | { verdict: 'already_open' | 'moved' }

const OPEN = defineCall(
  { name: 'cases_open', text: 'select verdict, number from open_case(...)' },
  {
    p_reseller: 'bigint',
    p_payment: 'bigint',
    p_kind: 'text',
    p_refid: 'text',
    p_cc: 'text[]',
    p_refund_type: 'smallint',
    p_reason: 'text',
    p_member: 'text',
    p_request: 'uuid',
    p_text: 'text',
    p_due_seconds: 'integer',
    p_is_worked: 'boolean',
    p_asks: 'boolean',
  },
)

export async function openCase(connection: Queryable, given: NewCase): Promise<OpenResult> {
  const values = OPEN.valuesOf({
    p_reseller: given.resellerId,
    p_payment: given.paymentId,
    p_kind: given.kind,
    p_refid: given.refid,
    p_cc: given.cc,
    p_refund_type: given.refund?.type ?? null,
    p_reason: given.refund?.reason ?? null,
    p_member: given.memberId,
    p_request: given.requestId,
    p_text: given.text,
    p_due_seconds: given.dueAfterSeconds,
    p_is_worked: given.isWorked,
    p_asks: given.asks,
  })
  const { rows } = await connection.query<OpenResult>(OPEN.statement, values)
  assert(rows[0] !== undefined, 'open_case gives one row')
  return rows[0]
}

export type CaseKey = Pick<Case, 'resellerId' | 'id'>

export type CaseStep = {
  /** State to move to; null: it stays in its state. */
  readonly state: CaseState | null
  readonly author: CaseAuthor
  readonly text: string
}

const CHANGE = defineCall(
  { name: 'cases_change', text: 'select change_case(...) as is_changed' },
  { p_reseller: 'bigint', p_case: 'bigint', p_state: 'text', p_author: 'text', p_text: 'text' },
)

/** Changes a case; false when it is closed, or in that state already. */
export async function changeCase(
  connection: Queryable,
  { resellerId, id }: CaseKey,
  { state, author, text }: CaseStep,
): Promise<boolean> {
  const values = CHANGE.valuesOf({
    p_reseller: resellerId,
    p_case: id,
    p_state: state,
    p_author: author,
    p_text: text,
  })
  const { rows } = await connection.query<{ is_changed: boolean }>(CHANGE.statement, values)
  return rows[0]?.is_changed === true
}

export type ApprovalVerdict = 'approved' | 'resolved_before' | 'refused_before'

const APPROVE = defineCall(
  { name: 'cases_approve_void', text: 'select approve_void(...) as verdict' },
  { p_reseller: 'bigint', p_case: 'bigint', p_author: 'text', p_text: 'text', p_evidence: 'text' },
)

/** Approves a void: refund, payment and case in one commit. It is harmless to run it again. */
export async function approveVoid(
  connection: Queryable,
  { resellerId, id }: CaseKey,
  approval: { readonly author: CaseAuthor; readonly text: string; readonly evidence: string },
): Promise<ApprovalVerdict> {
  const values = APPROVE.valuesOf({
    p_reseller: resellerId,
    p_case: id,
    p_author: approval.author,
    p_text: approval.text,
    p_evidence: approval.evidence,
  })
  const { rows } = await connection.query<{ verdict: ApprovalVerdict }>(APPROVE.statement, values)
  assert(rows[0] !== undefined, 'approve_void gives a verdict')
  return rows[0].verdict
}

/**
 * Raises alerts about cases past their due time; returns how many. The same case is reported again after
 * `againAfterSeconds`.
 */
export async function watchCases(
  connection: Queryable,
  limit: number,
  againAfterSeconds: number,
): Promise<number> {
  const { rows } = await connection.query<{ count: number }>('select watch_cases($1, $2) as count', [
    limit,
    againAfterSeconds,
  ])
  return rows[0]?.count ?? 0
}

// ── Reads ──

export async function findCase(
  connection: Queryable,
  resellerId: bigint,
  number: string,
): Promise<Case | undefined> {
  const { rows } = await connection.query<CaseRow>(
    `select ${COLUMNS} from cases where reseller_id = $1 and number = $2`,
    [resellerId, number],
  )
  return rows[0] && toCase(rows[0])
}

/** Finds a case of any reseller. */
export async function findAnyCase(connection: Queryable, number: string): Promise<Case | undefined> {
  const { rows } = await connection.query<CaseRow>(`select ${COLUMNS} from cases where number = $1`, [number])
  return rows[0] && toCase(rows[0])
}

/** Locks a case as a change of it does. A void's approval locks the wallet before. */
export async function lockCase(tx: Tx, number: string): Promise<void> {
  await tx.query('select 1 as one from cases where number = $1 for no key update', [number])
}

export async function hasOpenCase(
  connection: Queryable,
  payment: { readonly resellerId: bigint; readonly id: bigint },
): Promise<boolean> {
  const { rows } = await connection.query(
    'select 1 as one from cases where reseller_id = $1 and payment_id = $2 and closed_at is null',
    [payment.resellerId, payment.id],
  )
  return rows.length > 0
}

/** Lists cases, newest first; `resellerId` null: those of all resellers. */
export async function listCases(
  connection: Queryable,
  resellerId: bigint | null,
  filter: CaseFilter,
): Promise<Case[]> {
  const { rows } = await connection.query<CaseRow>(
    `select ${COLUMNS} from cases
      where ($1::bigint is null or reseller_id = $1) and ($2::text is null or state = $2)
        and ($3::text is null or kind = $3)
        and ($4::float8 is null or opened_at >= to_timestamp($4 / 1000))
        and ($5::float8 is null or opened_at < to_timestamp($5 / 1000))
        and ($6::bigint is null or id < $6) ${isLeft(filter) ? 'and closed_at is null' : ''}
      order by id desc limit $7`,
    [resellerId, filter.state, filter.kind, filter.fromMs, filter.untilMs, filter.beforeId, filter.limit],
  )
  return rows.map(toCase)
}

export type DueFilter = Pick<CaseFilter, 'state' | 'kind' | 'limit'> & {
  readonly resellerId: bigint | null
  /** Last case of the page before; null: the first page. */
  readonly afterId: bigint | null
}

/** Lists open cases, the one that is due first in front. Open cases are few, and have an index of their own. */
export async function listDueCases(connection: Queryable, filter: DueFilter): Promise<Case[]> {
  const { rows } = await connection.query<CaseRow>(
    `select ${COLUMNS} from cases
      where closed_at is null and ($1::bigint is null or reseller_id = $1) and ($2::text is null or state = $2)
        and ($3::text is null or kind = $3)
        and ($4::bigint is null or (due_at, id) > (select c.due_at, c.id from cases c where c.id = $4))
      order by due_at, id limit $5`,
    [filter.resellerId, filter.state, filter.kind, filter.afterId, filter.limit],
  )
  return rows.map(toCase)
}

export async function countOpenCases(
  connection: Queryable,
): Promise<{ readonly open: number; readonly overdue: number }> {
  const { rows } = await connection.query<{ open: number; overdue: number }>(
    `select count(*)::integer as open, count(*) filter (where due_at < now())::integer as overdue
       from cases where closed_at is null`,
  )
  return rows[0] ?? { open: 0, overdue: 0 }
}

/** Lists the cases of a payment, newest first. */
export async function listCasesOfPayment(
  connection: Queryable,
  resellerId: bigint,
  paymentId: bigint,
  limit: number,
): Promise<Case[]> {
  const { rows } = await connection.query<CaseRow>(
    `select ${COLUMNS} from cases where reseller_id = $1 and payment_id = $2 order by id desc limit $3`,
    [resellerId, paymentId, limit],
  )
  return rows.map(toCase)
}

/** Tells whether only open cases match. They have an index of their own, which the query must name by its condition. */
function isLeft({ state }: CaseFilter): boolean {
  return state !== null && !isClosed(state)
}

/** Lists messages, oldest first; if there are more than the limit, the newest ones. */
export async function listMessages(
  connection: Queryable,
  { resellerId, id }: CaseKey,
  limit: number,
): Promise<CaseMessage[]> {
  const { rows } = await connection.query<CaseMessage>(
    `select author, text, at from case_messages where reseller_id = $1 and case_id = $2
      order by at desc, id desc limit $3`,
    [resellerId, id, limit],
  )
  return rows.reverse()
}
