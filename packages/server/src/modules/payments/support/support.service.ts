import type { Database, Queryable } from '../../../db/database.ts'
import type { Vault } from '../../../db/vault.ts'
import { RequestError } from '../../../lib/errors.ts'
import { LIST_LIMIT, readFields } from '../../../lib/input/fields.ts'
import { REASON } from '../../../lib/input/records.ts'
import type { Amount } from '../../../lib/money.ts'
import { createAccountNumbers } from '../../accounts/numbers.service.ts'
import type { ResellerNames } from '../../accounts/public.sql.ts'
import { listResellerNames } from '../../accounts/public.sql.ts'
import type { Entry } from '../../wallet/balance/types.ts'
import { readEntriesOfPayment } from '../../wallet/statement/entries.service.ts'
import { DECISION_FIELDS } from '../core/fields.rules.ts'
import { maskLink, maskSecret } from '../core/masking.rules.ts'
import { findPayment, findPaymentById } from '../core/records.service.ts'
import { referenceOf } from '../core/schedule.rules.ts'
import type { StuckRow } from '../core/sql.ts'
import { countStuckRows, listChanges, listStuckRows } from '../core/sql.ts'
import { ACCEPTED, isFinal, SUCCEEDED } from '../core/states.rules.ts'
import type { Payment, PaymentCode } from '../core/types.ts'
import { resolveByEvidence } from './settled.service.ts'
import { findWorkState } from './settled.sql.ts'

/** Payment for support staff who help a reseller: its secrets are masked. */
export type PaymentReport = {
  readonly payment: Payment
  readonly timeline: readonly PaymentStep[]
  /** Entries of the wallet that the payment made: its debit, and its refund if there was one. */
  readonly entries: readonly Entry[]
}

export type PaymentStep = {
  /** Kind of the line: `state`, or another note such as `attempt`. */
  readonly kind: string
  readonly code: PaymentCode
  readonly detail: string
  readonly at: Date
  /** Balance of the wallet right after the money that this step moved; null: it moved none. */
  readonly balance: Amount | null
}

export type PaymentName = { readonly refid: string } | { readonly id: bigint }

/** Limit of the timeline. Questions are not noted, so a payment's timeline stays short. */
const STEPS_MAX = 200

export async function getPaymentReport(
  { database, vault }: { database: Database; vault: Vault },
  resellerId: bigint,
  name: PaymentName,
): Promise<PaymentReport> {
  const payment =
    'refid' in name
      ? await findPayment(database, vault, resellerId, name.refid)
      : await findPaymentById(database, vault, resellerId, name.id)
  if (payment === undefined) throw notFound()
  const changes = await listChanges(database, resellerId, payment.id, STEPS_MAX)
  const entries = await readEntriesOfPayment(database, payment)
  const taken = { kind: 'state', code: ACCEPTED, detail: '', at: payment.createdAt } as const
  return { payment: masked(payment), timeline: withBalances([taken, ...changes], entries), entries }
}

/** Adds to each step the balance of the entry that it made: the payment's own balance is that of its latest entry alone. */
function withBalances(
  steps: readonly Omit<PaymentStep, 'balance'>[],
  entries: readonly Entry[],
): PaymentStep[] {
  const balanceOf = (kind: Entry['kind']) =>
    entries.find((entry) => entry.kind === kind)?.balanceAfter ?? null
  const [taken, returned] = [balanceOf('payment'), balanceOf('refund')]
  return steps.map((step) => {
    if (step.kind !== 'state') return { ...step, balance: null }
    if (step.code === ACCEPTED) return { ...step, balance: taken }
    return { ...step, balance: isFinal(step.code) && step.code !== SUCCEEDED ? returned : null }
  })
}

export type StuckDecision = {
  readonly as: 'succeeded' | 'failed'
  /** Serial number and PIN from the provider, if the operator has them. */
  readonly serialNumber: string
  readonly pin: string
  /** Source of the operator's knowledge; for the timeline. */
  readonly reason: string
}

const DECISION_RULES = { ...DECISION_FIELDS, reason: REASON }

/**
 * Ends a payment that could not end by itself: an operator's decision counts like the provider's, and is on the
 * timeline. A failure is that of every attempt: attempts that are undecided are closed. Allowed only past the due time,
 * because before it the provider is still expected to answer. Refused while a node holds the payment.
 */
export async function resolveStuckPayment(
  settings: { database: Database; vault: Vault },
  resellerId: bigint,
  name: PaymentName,
  decision: StuckDecision,
): Promise<PaymentReport> {
  const { as, serialNumber, pin, reason } = readFields(DECISION_RULES, decision)
  const { payment } = await getPaymentReport(settings, resellerId, name)
  const work = await findWorkState(settings.database, resellerId, payment.id)
  if (work === undefined) throw conflict('already_final', 'This payment is final already.')
  if (!work.is_overdue) throw conflict('not_stuck', 'This payment is not past its due time.')
  const output = { serialNumber, pin, expiry: '', voucherLink: '', note: '' }
  const isMoved = await resolveByEvidence(settings, {
    resellerId,
    paymentId: payment.id,
    attempt: work.attempt,
    outcome:
      as === 'succeeded'
        ? { kind: 'succeeded', output }
        : { kind: 'failed', code: 47, reason: 'Service_Unavailable' },
    text: `operator: ${reason}`,
    isAboutAll: as === 'failed',
  })
  if (!isMoved) throw conflict('changed_meanwhile', 'The payment changed a moment ago; look at it again.')
  return getPaymentReport(settings, resellerId, { id: payment.id })
}

function conflict(code: string, publicText: string): RequestError {
  return new RequestError({ status: 409, code, publicText })
}

function masked(payment: Payment): Payment {
  const { extras, output } = payment
  const icNumber = extras.icNumber === null ? null : maskSecret(extras.icNumber)
  return {
    ...payment,
    extras: { ...extras, icNumber },
    output: { ...output, pin: maskSecret(output.pin), voucherLink: maskLink(output.voucherLink) },
  }
}

function notFound(): RequestError {
  return new RequestError({
    status: 404,
    code: 'not_found',
    publicText: 'This reseller has no such payment.',
  })
}

/** Payment past its due time, which an operator should look at. */
export type StuckPayment = {
  readonly account: string
  readonly resellerName: string
  readonly id: bigint
  readonly refid: string
  readonly productCode: string
  readonly cost: Amount
  readonly code: PaymentCode
  readonly provider: string
  /** Reference by which the provider knows the present attempt. */
  readonly reference: string
  readonly attempt: number
  readonly questions: number
  readonly createdAt: Date
  readonly dueAt: Date
  /** Time of the next question; while a node holds the payment, the end of its lease. */
  readonly nextAt: Date
}

const STUCK_RULES = { limit: LIST_LIMIT }

/** Lists payments past their due time, longest overdue first. */
export async function listStuckPayments(
  database: Queryable,
  page: { limit: number },
): Promise<StuckPayment[]> {
  const rows = await listStuckRows(database, readFields(STUCK_RULES, page).limit)
  const names = await listResellerNames(
    database,
    rows.map((row) => row.reseller_id),
  )
  return rows.map((row) => toStuck(row, names.get(row.reseller_id)))
}

export type StuckCount = {
  readonly payments: number
  /** Time since which the first one is past its due time; null: there is none. */
  readonly oldestDueAt: Date | null
  /** Sum of what the resellers paid for them. */
  readonly cost: Amount
}

/** Counts all payments past their due time. */
export function countStuckPayments(connection: Queryable): Promise<StuckCount> {
  return countStuckRows(connection)
}

/** Lists the account numbers by which people know resellers. */
export function listAccounts(
  database: Queryable,
  resellerIds: readonly bigint[],
): Promise<ReadonlyMap<bigint, string>> {
  return createAccountNumbers(database).of(resellerIds)
}

function toStuck(row: StuckRow, names: ResellerNames | undefined): StuckPayment {
  return {
    account: names?.account ?? '',
    resellerName: names?.name ?? '',
    id: row.payment_id,
    refid: row.refid,
    productCode: row.product_code,
    cost: row.cost,
    code: row.code,
    provider: row.provider,
    reference: referenceOf(row.payment_id, row.attempt),
    attempt: row.attempt,
    questions: row.questions,
    createdAt: row.created_at,
    dueAt: row.due_at,
    nextAt: row.next_at,
  }
}
