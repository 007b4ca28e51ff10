import type { FieldErrors } from '../../../lib/errors.ts'
import type { Rule } from '../../../lib/input/fields.ts'
import { isPlainAscii } from '../../../lib/input/fields.ts'
import type { Amount } from '../../../lib/money.ts'
import { parseMoney } from '../../../lib/money.ts'
import { CUSTOMER_ACCOUNT, EXTRA, PRODUCT, REFID } from './fields.rules.ts'
import { findNumberText } from './number-text.rules.ts'
import type { PaymentExtras, PaymentRequest, PaymentTerms } from './types.ts'

/** Number of characters of the remarks that are kept. A longer note is cut: it is no reason to refuse a payment. */
export const REMARKS_LENGTH_MAX = 2_000

/**
 * Length limit of an echoed string. A string that is too long to be accepted is still echoed, but megabytes are not.
 */
const ECHO_LENGTH_MAX = 500

/** Length of a UUID. A longer text is no id of a quote. */
export const QUOTE_ID_LENGTH_MAX = 36

/** Form of an amount below 10^11 ringgit. JSON numbers show every amount up to there exactly. */
export const AMOUNT_FORM = /^\d{1,11}(?:\.\d{1,4})?$/
export const AMOUNT_END = 1e11

/** Names of the extras in the code and on the wire. */
export const EXTRA_NAMES: readonly (readonly [name: keyof PaymentExtras, wireName: string])[] = [
  ['subproductCode', 'subproduct_code'],
  ['billerCode', 'biller_code'],
  ['ref2', 'ref2'],
  ['icNumber', 'ic_number'],
]

/** Fields of a request that an answer repeats. */
export type Echo = Pick<PaymentRequest, 'refid' | 'product' | 'account' | 'amount' | 'remarks'>

export type ReadRequest =
  | { readonly kind: 'request'; readonly request: PaymentRequest }
  /** A request without a refid: there is no payment to find and none to create. */
  | { readonly kind: 'unreadable'; readonly echo: Echo; readonly problems: FieldErrors }

/**
 * Reads a parsed JSON body. `text` is the body before parsing: it shows what parsing hides. A problem in any field
 * except the refid is noted and does not stop the reading: a refid that exists is answered before anything else is
 * judged.
 */
export function readPaymentRequest(value: unknown, text = ''): ReadRequest {
  if (!isObject(value)) {
    return { kind: 'unreadable', echo: NOTHING, problems: { body: ['must be a JSON object'] } }
  }
  const problems: Problems = {}
  const hasRefid = REFID.read(value.refid) !== undefined
  if (!hasRefid) problems.refid = [REFID.message]
  const echo = {
    refid: echoOf(value.refid),
    product: readText(problems, 'product', value.product, PRODUCT),
    account: readText(problems, 'account', value.account, CUSTOMER_ACCOUNT),
    amount: readAmount(problems, value.amount, text),
    remarks: readRemarks(problems, value.remarks),
  }
  const extras = readExtras(problems, value.extras)
  const terms = readTerms(problems, value, text)
  if (!hasRefid) return { kind: 'unreadable', echo, problems }
  const { refid, product, account, amount, remarks } = echo
  return { kind: 'request', request: { refid, product, account, amount, remarks, extras, terms, problems } }
}

type Problems = Record<string, string[]>

const NOTHING: Echo = { refid: '', product: '', account: '', amount: null, remarks: '' }

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function echoOf(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, ECHO_LENGTH_MAX) : ''
}

const LONE_SURROGATES = /\p{Cs}/gu
const REPLACEMENT = '\u{fffd}'
function readText(problems: Problems, name: string, value: unknown, rule: Rule<string>): string {
  if (rule.read(value) === undefined) problems[name] = [rule.message]
  return echoOf(value)
}

function readRemarks(problems: Problems, value: unknown): string {
  if (value === undefined || value === null) return ''
  if (typeof value !== 'string') {
    problems.remarks = ['must be a string']
    return ''
  }
  if (value.length <= REMARKS_LENGTH_MAX && isPlainAscii(value)) return value
  // PostgreSQL holds neither NUL nor half a surrogate pair.
  const kept = value.replaceAll('\0', '').slice(0, 2 * REMARKS_LENGTH_MAX)
  return [...kept].slice(0, REMARKS_LENGTH_MAX).join('').replace(LONE_SURROGATES, REPLACEMENT)
}

/**
 * Finds any `amount` with an exponent anywhere in a body; hardly any body has one. A later check tells whether it is
 * the payment's own amount, and not a member of another object or part of a text.
 */
const MAYBE_EXPONENT = /"amount"\s*:\s*-?[\d.]+[eE]/

/**
 * Reads a JSON number by its shortest decimal: 10 and 10.0 are the same number to every JSON parser. A result of binary
 * arithmetic (0.1 + 0.2) has more decimals than an amount may have.
 */
function readAmount(problems: Problems, value: unknown, body: string): Amount | null {
  // Exponents are refused in numbers as in strings. Only the text of the body still shows them.
  const hasExponent =
    typeof value === 'number' && MAYBE_EXPONENT.test(body) && /e/i.test(findNumberText(body, 'amount') ?? '')
  const amount = hasExponent ? undefined : readMoney(value)
  if (amount !== undefined && amount > 0n) return amount
  problems.amount = [
    'must be a plain decimal greater than 0, with at most 4 decimals and 11 digits before them',
  ]
  return null
}

function readMoney(value: unknown): Amount | undefined {
  const text = typeof value === 'number' ? String(value) : value
  return typeof text === 'string' && AMOUNT_FORM.test(text) ? parseMoney(text) : undefined
}

/** Reads the conditions of the payment. Hardly any request has one. An empty one counts as left out. */
function readTerms(
  problems: Problems,
  { quote_id: quote, max_cost: max, allow_duplicate: allow }: Readonly<Record<string, unknown>>,
  body: string,
): PaymentTerms | undefined {
  const quoteId = isAbsent(quote) ? null : quote
  const costMax = isAbsent(max) ? null : max
  const allowsDuplicate = isAbsent(allow) ? false : allow
  if (quoteId === null && costMax === null && allowsDuplicate === false) return undefined
  if (typeof allowsDuplicate !== 'boolean') problems.allow_duplicate = ['must be true or false']
  if (quoteId !== null && typeof quoteId !== 'string') problems.quote_id = ['must be a string']
  const hasExponent = typeof costMax === 'number' && /e/i.test(findNumberText(body, 'max_cost') ?? '')
  const cost = costMax === null || hasExponent ? null : (readMoney(costMax) ?? null)
  if (costMax !== null && cost === null) {
    problems.max_cost = ['must be a plain decimal, with at most 4 decimals and 11 digits before them']
  }
  const id = typeof quoteId === 'string' ? quoteId.slice(0, QUOTE_ID_LENGTH_MAX + 1) : null
  return { quoteId: id, costMax: cost, allowsDuplicate: allowsDuplicate === true }
}

function isAbsent(value: unknown): value is undefined | null | '' {
  return value === undefined || value === null || value === ''
}

const NO_EXTRAS: PaymentExtras = { subproductCode: null, billerCode: null, ref2: null, icNumber: null }

function readExtras(problems: Problems, value: unknown): PaymentExtras {
  if (value === undefined || value === null) return NO_EXTRAS
  if (!isObject(value)) {
    problems.extras = ['must be an object']
    return NO_EXTRAS
  }
  return {
    subproductCode: readExtra(problems, 'subproduct_code', value),
    billerCode: readExtra(problems, 'biller_code', value),
    ref2: readExtra(problems, 'ref2', value),
    icNumber: readExtra(problems, 'ic_number', value),
  }
}

function readExtra(
  problems: Problems,
  wireName: string,
  extras: Readonly<Record<string, unknown>>,
): string | null {
  const value = extras[wireName]
  if (isAbsent(value)) return null
  const extra = EXTRA.read(value)
  if (extra === undefined) problems[`extras.${wireName}`] = [EXTRA.message]
  return extra ?? null
}
