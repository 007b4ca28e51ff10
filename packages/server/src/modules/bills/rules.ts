import type { QueryParameters } from '../../lib/input/forms.ts'
import { WEB_URL } from '../../lib/input/urls.ts'
import { CUSTOMER_ACCOUNT } from '../payments/core/fields.rules.ts'
import type { Bill, BillQuestion, Json } from './types.ts'

// ── The question ──

/** Reads the question; '' stands for a missing product, and for an account that is missing or longer than any payment's. */
export function readQuestion(query: QueryParameters): BillQuestion {
  return {
    product: textOf(query.product) ?? '',
    account: shortOf(query.account, Number(CUSTOMER_ACCOUNT.schema.maxLength)),
    billerCode: textOf(query.biller_code),
    ref2: textOf(query.ref2),
    amount: textOf(query.amount),
  }
}

function shortOf(value: string | readonly string[] | undefined, lengthMax: number): string {
  const text = textOf(value) ?? ''
  return [...text].length <= lengthMax ? text : ''
}

function textOf(value: string | readonly string[] | undefined): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

/**
 * Joins the values of a repeated parameter to a text of two lines. Such a text is not a product, account, code or
 * amount, so it is refused like any other wrong value.
 */
export function joinRepeated(query: QueryParameters): QueryParameters {
  return Object.fromEntries(
    Object.entries(query).map(([name, value]) => [name, Array.isArray(value) ? value.join('\n') : value]),
  )
}

// ── The answer ──

const TEXT_LENGTH_MAX = 1_000
const DATA_LENGTH_MAX = 4_000
/** Limit of 10^12: above any bill, and far below the numbers at which JSON loses sen. */
const OUTSTANDING_MAX = 1e12
const CUSTOM_DEPTH_MAX = 6
const CUSTOM_VALUES_MAX = 500
const CUSTOM_LENGTH_MAX = 16_000

/**
 * Returns the part of a provider's record that may be shown: the contract's fields, each in its own type and within
 * bounds. A field that breaks them counts as not returned. undefined: the value is not a record.
 */
export function readBill(record: unknown): Bill | undefined {
  if (!isRecord(record)) return undefined
  const bill = {
    BillerName: readText(record.BillerName, TEXT_LENGTH_MAX),
    CustomerName: readText(record.CustomerName, TEXT_LENGTH_MAX),
    Outstanding: readOutstanding(record.Outstanding),
    Balance: readText(record.Balance, TEXT_LENGTH_MAX),
    Data: readText(record.Data, DATA_LENGTH_MAX),
    Address: readText(record.Address, TEXT_LENGTH_MAX),
    'E-Bill': readLink(record['E-Bill']),
    CustomField: copyWithin(record.CustomField),
    DueDate: readText(record.DueDate, TEXT_LENGTH_MAX),
  }
  return Object.fromEntries(Object.entries(bill).filter(([, value]) => value !== undefined))
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const UNPRINTABLE = /[\p{Cc}\p{Cs}]+/gu

function readText(value: unknown, lengthMax: number): string | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : undefined
  if (typeof value !== 'string' || value.length > lengthMax) return undefined
  const text = value.replace(UNPRINTABLE, ' ').trim()
  return text === '' ? undefined : text
}

const DECIMAL = /^-?\d{1,12}(?:\.\d{1,4})?$/

/** Reads an amount owed, which may be negative. */
function readOutstanding(value: unknown): number | undefined {
  const number = typeof value === 'string' && DECIMAL.test(value) ? Number(value) : value
  return typeof number === 'number' && Math.abs(number) <= OUTSTANDING_MAX ? number : undefined
}

/** Reads a link. It is checked because people open it. */
function readLink(value: unknown): string | null | undefined {
  if (value === null) return null
  return WEB_URL.read(value)
}

type Budget = { values: number; length: number }

/** Copies JSON; undefined when the value is not JSON, or is too deep or too large to be passed on. */
function copyWithin(value: unknown): Json | undefined {
  return value === undefined
    ? undefined
    : copy(value, CUSTOM_DEPTH_MAX, { values: CUSTOM_VALUES_MAX, length: CUSTOM_LENGTH_MAX })
}

function copy(value: unknown, depth: number, budget: Budget): Json | undefined {
  budget.values -= 1
  if (budget.values < 0 || depth < 0) return undefined
  if (value === null || typeof value === 'boolean') return value
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined
  if (typeof value === 'string') return spend(budget, value) ? value : undefined
  if (Array.isArray(value)) return copyList(value, depth - 1, budget)
  return isRecord(value) ? copyMembers(value, depth - 1, budget) : undefined
}

function copyList(values: readonly unknown[], depth: number, budget: Budget): Json | undefined {
  const copied: Json[] = []
  for (const each of values) {
    const value = copy(each, depth, budget)
    if (value === undefined) return undefined
    copied.push(value)
  }
  return copied
}

function copyMembers(record: Readonly<Record<string, unknown>>, depth: number, budget: Budget) {
  const copied: [name: string, value: Json][] = []
  for (const [name, each] of Object.entries(record)) {
    const value = spend(budget, name) ? copy(each, depth, budget) : undefined
    if (value === undefined) return undefined
    copied.push([name, value])
  }
  return Object.fromEntries(copied)
}

function spend(budget: Budget, text: string): boolean {
  budget.length -= text.length
  return budget.length >= 0
}
