import type { FieldErrors } from '../../lib/errors.ts'
import { invalidFields } from '../../lib/errors.ts'
import type { Rule } from '../../lib/input/fields.ts'
import { mayBeEmpty } from '../../lib/input/fields.ts'
import { idRule } from '../../lib/input/ids.ts'
import { REASON } from '../../lib/input/records.ts'
import { distinctAddresses, MAIL_ADDRESS } from '../../lib/mail-addresses.ts'
import { REFID } from '../payments/core/fields.rules.ts'
import type { CaseKind, CaseState, PaymentRef, RefundType, SupportRequest } from './types.ts'

// ── States ──

/** Allowed changes of state. The database's own guard in change_case has the same table. */
const MOVES: Readonly<Record<CaseState, readonly CaseState[]>> = {
  open: ['in_progress', 'resolved', 'refused'],
  in_progress: ['resolved', 'refused'],
  resolved: [],
  refused: [],
}

export function mayMove(from: CaseState, to: CaseState): boolean {
  return MOVES[from].includes(to)
}

export function isClosed(state: CaseState): boolean {
  return MOVES[state].length === 0
}

// ── Requests ──

const EMAILS_MAX = 20

type Problems = Record<string, string[]>

/**
 * Reads the body of a dispute or of a void; throws with all problems. `trxid` names every problem as well: clients look
 * there.
 */
export function readSupportRequest(kind: CaseKind, body: unknown): SupportRequest {
  const given: Record<string, unknown> =
    typeof body === 'object' && body !== null && !Array.isArray(body) ? { ...body } : {}
  const problems: Problems = {}
  const payment = readPaymentRef(given.trxid, given.refid, problems)
  const emails = readEmails(given.user_email, problems)
  const refund = kind === 'void' ? readRefund(given, problems) : null
  const texts = Object.entries(problems).flatMap(([field, words]) => (field === 'trxid' ? [] : words))
  if (texts.length > 0) problems.trxid = [...(problems.trxid ?? []), ...texts]
  if (problems.trxid !== undefined) throw invalidFields(problems)
  return { payment, emails, refund }
}

/** Builds the error for a body that is not JSON, under `trxid` like all other problems. */
export function unreadableRequest(publicText: string): Error {
  return invalidFields({ trxid: [publicText] }, publicText)
}

const TRXID = idRule('must be a transaction id')

/** Schemas of the same fields for the API documents. */
export const SUPPORT_FIELDS = {
  refid: mayBeEmpty(REFID),
  trxid: TRXID,
  emails: {
    schema: { type: 'array', maxItems: EMAILS_MAX, items: MAIL_ADDRESS.schema },
  },
  refundType: { schema: { type: 'integer', minimum: 1, maximum: 3 } },
  refundReason: mayBeEmpty(REASON),
} as const

/**
 * Reads which payment is meant; trxid has priority. A value that no payment can have is not a format error: the payment
 * is unknown.
 */
function readPaymentRef(trxid: unknown, refid: unknown, problems: Problems): PaymentRef | undefined {
  if (!isAbsent(trxid)) {
    if (typeof trxid !== 'string') problems.trxid = ['The trxid field must be a string.']
    const id = TRXID.read(trxid)
    return id === undefined ? undefined : { id }
  }
  if (isAbsent(refid)) problems.trxid = ['The trxid or the refid of a transaction is required.']
  else if (typeof refid !== 'string') problems.trxid = ['The refid field must be a string.']
  else if (REFID.read(refid) !== undefined) return { refid }
  return undefined
}

function isAbsent(value: unknown): boolean {
  return value === undefined || value === null || value === ''
}

function readEmails(value: unknown, problems: Problems): string[] {
  if (isAbsent(value)) return []
  const words = `The user_email field must be a list of at most ${EMAILS_MAX} e-mail addresses.`
  if (!Array.isArray(value) || value.length > EMAILS_MAX) {
    problems.user_email = [words]
    return []
  }
  const emails = value.map((each) => EMAIL.read(each))
  const isRead = (email: string | undefined): email is string => email !== undefined
  if (emails.every(isRead)) return emails
  problems.user_email = emails.flatMap((email, index) =>
    email === undefined ? [`The user_email.${index} field ${EMAIL.message}.`] : [],
  )
  return []
}

/** Reads an address from outside: a domain without a dot could be a host on an operator's own network. */
const EMAIL: Rule<string> = {
  ...MAIL_ADDRESS,
  read(value) {
    const address = MAIL_ADDRESS.read(value)
    return address?.slice(address.indexOf('@')).includes('.') ? address : undefined
  },
}

function readRefund(given: Readonly<Record<string, unknown>>, problems: Problems): SupportRequest['refund'] {
  const type = given.refund_type
  if (type !== 1 && type !== 2 && type !== 3) {
    problems.refund_type = [
      'The refund_type field is required and must be 1 (incorrect amount or wrong account), 2 (duplicate ' +
        'transaction) or 3 (other).',
    ]
    return null
  }
  if (type !== 3) return { type, reason: null }
  const reason = readReason(given.refund_reason)
  if (reason === undefined) {
    problems.refund_reason = [
      `The refund_reason field is required when refund_type is 3, with at most ${REASON.schema.maxLength} characters.`,
    ]
    return null
  }
  return { type, reason }
}

/** Reads a reason and joins its lines into one. */
function readReason(value: unknown): string | undefined {
  return typeof value === 'string' ? REASON.read(value.replaceAll(/\s+/g, ' ')) : undefined
}

// ── Refusals ──

function refused(publicText: string): Error {
  const fields: FieldErrors = { trxid: [publicText] }
  return invalidFields(fields, publicText)
}

/** Refuses a transaction. The answer is the same for an unknown one and for one of another account. */
export function unknownTransaction(): Error {
  return refused('The transaction was not found.')
}

export function notFinalYet(): Error {
  return refused('The transaction is not final yet. Only a successful transaction can be reported or voided.')
}

export function notRefundable(): Error {
  return refused('Transactions of this product cannot be voided.')
}

// ── Work ──

const DAY_SECONDS = 86_400
/** Seconds until a case is due. Billers take up to three days for bill payments, and the same for taking one back. */
export const DUE_AFTER_SECONDS = 3 * DAY_SECONDS
/** Seconds until operators are told again of a late case, even if somebody has cleared the alert. */
export const OVERDUE_AGAIN_SECONDS = DAY_SECONDS

/** Accounts for which staging's simulation decides a void. */
const VOID_TEST_ACCOUNTS: ReadonlySet<string> = new Set(['60123454001', '60123454002'])

/** Tells whether the provider is asked; in production always, if it can be. */
export function asksProvider(kind: CaseKind, account: string, isStaging: boolean): boolean {
  return kind === 'void' && (!isStaging || VOID_TEST_ACCOUNTS.has(account))
}

const MINUTE_MS = 60_000

/** Milliseconds to wait before each further question about a void; the last one repeats. */
const QUESTION_AFTER_MS = [5_000, 15_000, 30_000, ...[1, 2, 5, 10, 30, 60].map((each) => each * MINUTE_MS)]

export function nextQuestionMs(questionsAsked: number): number {
  return QUESTION_AFTER_MS[Math.min(questionsAsked, QUESTION_AFTER_MS.length - 1)] as number
}

/** Lists the account's own address as it is now, then the given ones; each once, whatever its letter case. */
export function copiesOf(registered: string, given: readonly string[]): string[] {
  return distinctAddresses([registered, ...given])
}

// ── Texts ──

const REFUND_TEXTS: Readonly<Record<RefundType, string>> = {
  1: 'incorrect amount or wrong account',
  2: 'duplicate transaction',
  3: 'other',
}

/** Builds a case's first message. */
export function firstNote(refund: SupportRequest['refund']): string {
  if (refund === null) return 'A check of the transaction is requested.'
  const why = refund.reason ?? REFUND_TEXTS[refund.type]
  return `A void of the transaction is requested: ${why}`
}

export const APPROVED_TEXT = 'The biller approved the void. The transaction was refunded to the wallet.'
export const TAKEN_TEXT = 'An operator is looking into it.'

export function refusedText(reason: string): string {
  return `The biller refused the void: ${plain(reason)}`
}

const REASON_SHOWN_MAX = 300

/** Makes a text from outside one line of limited length. */
function plain(reason: string): string {
  return [...reason.replaceAll(/[\p{Cc}\p{Cs}\s]+/gu, ' ').trim()].slice(0, REASON_SHOWN_MAX).join('')
}
