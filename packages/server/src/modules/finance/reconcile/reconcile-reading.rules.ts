import { FAILURE_CODES } from '../../../lib/failure-codes.ts'
import { unguardFormula } from '../../../lib/input/csv.ts'
import type { Amount } from '../../../lib/money.ts'
import { parseMoney } from '../../../lib/money.ts'
import { REFID } from '../../payments/core/fields.rules.ts'
import type { ResellerLine, TheirState, Unreadable } from './reconcile.types.ts'
import { readTheirTime, TIME_WORDS } from './reconcile-times.rules.ts'

export const COLUMNS = ['refid', 'amount', 'status', 'date'] as const
export type ColumnName = (typeof COLUMNS)[number]

/** Position of each column; undefined: the column is not there. */
export type ColumnPositions = Readonly<Record<ColumnName, number | undefined>> & { readonly refid: number }

/**
 * Finds the columns in any order and any case, with other columns between them. Returns the problem if the headings
 * cannot be used.
 */
export function findColumns(
  headings: readonly string[],
): { positions: ColumnPositions } | { problem: string } {
  const names = headings.map((heading) => heading.trim().toLowerCase())
  const twice = COLUMNS.find((name) => names.indexOf(name) !== names.lastIndexOf(name))
  if (twice !== undefined) return { problem: `the column ${twice} is there twice` }
  const place = (name: ColumnName) => (names.includes(name) ? names.indexOf(name) : undefined)
  const refid = place('refid')
  if (refid === undefined) {
    const seen = names.filter((name) => name !== '').slice(0, 20)
    return { problem: `there is no column refid; there is: ${seen.join(', ').slice(0, 200)}` }
  }
  return { positions: { refid, amount: place('amount'), status: place('status'), date: place('date') } }
}

const SEPARATORS = [',', ';', '\t', '|'] as const
const SEPARATOR_DIRECTIVE = /^sep=(.)\s*$/i

/** Finds the separator of the first line. `sep=;` is a spreadsheet's own directive, and is not a record. */
export function findSeparator(firstLine: string): { separator: string; isDirective: boolean } {
  const directive = SEPARATOR_DIRECTIVE.exec(firstLine)?.[1]
  if (directive !== undefined) return { separator: directive, isDirective: true }
  const bare = firstLine.replace(/"[^"]*"/g, '')
  const counts = SEPARATORS.map((separator) => bare.split(separator).length)
  const separator = SEPARATORS[counts.indexOf(Math.max(...counts))] ?? ','
  return { separator, isDirective: false }
}

const STATES: Readonly<Record<string, TheirState>> = {
  // Spelling of the contract first, then other common spellings.
  succesful: 'succeeded',
  successful: 'succeeded',
  success: 'succeeded',
  succeeded: 'succeeded',
  completed: 'succeeded',
  paid: 'succeeded',
  ok: 'succeeded',
  '20': 'succeeded',
  accepted: 'pending',
  processing: 'pending',
  pending: 'pending',
  '0': 'pending',
  '1': 'pending',
  failed: 'failed',
  fail: 'failed',
  failure: 'failed',
  rejected: 'failed',
  cancelled: 'failed',
  canceled: 'failed',
  refund: 'refunded',
  refunded: 'refunded',
  void: 'refunded',
  voided: 'refunded',
  reversed: 'refunded',
  '53': 'refunded',
}

const REFID_LENGTH_MAX = Number(REFID.schema.maxLength)
/** Characters that a refid must not contain: NUL cannot be stored, U+FFFD stands for bytes that are not UTF-8. */
const BROKEN = ['\u0000', '\ufffd']
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for.
const UNPRINTABLE = /[\u0000-\u001f\ufffd]/g

export function readTheirLine(
  positions: ColumnPositions,
  { line, cells }: { readonly line: number; readonly cells: readonly string[] },
): ResellerLine | Unreadable {
  const cell = (name: ColumnName) => {
    const place = positions[name]
    return place === undefined ? '' : unguardFormula((cells[place] ?? '').trim())
  }
  const refid = readRefid(cells[positions.refid] ?? '')
  const amount = readAmount(cell('amount'))
  const state = readState(cell('status'))
  const time = cell('date') === '' ? null : readTheirTime(cell('date'))
  const problems = [
    refid === '' ? 'refid: is empty' : undefined,
    [...refid].length > REFID_LENGTH_MAX ? `refid: has more than ${REFID_LENGTH_MAX} characters` : undefined,
    BROKEN.some((character) => refid.includes(character))
      ? 'refid: has characters that cannot be read; is the file UTF-8?'
      : undefined,
    amount === undefined ? `amount: must be a plain decimal, not ${quote(cell('amount'))}` : undefined,
    state === undefined ? `status: ${quote(cell('status'))} is not known` : undefined,
    time === undefined ? `date: ${TIME_WORDS}, not ${quote(cell('date'))}` : undefined,
  ].filter((problem) => problem !== undefined)
  if (amount === undefined || state === undefined || time === undefined || problems.length > 0) {
    return { line, problem: problems.join('; ') }
  }
  return { line, refid, amount, state, time }
}

/**
 * Reads a refid unchanged, because it may begin or end with a space. Spaces are removed if it is too long with them.
 */
function readRefid(cell: string): string {
  const refid = unguardFormula(cell)
  return refid.trim() === '' || [...refid].length > REFID_LENGTH_MAX ? bareRefid(refid) : refid
}

/** Returns the refid without the spaces around it, used where no payment has the refid with them. */
export function bareRefid(refid: string): string {
  const bare = refid.trim()
  return bare === refid ? refid : unguardFormula(bare)
}

function quote(text: string): string {
  return `"${text.slice(0, 60).replace(UNPRINTABLE, '?')}"`
}

/** Amount of a payment. The sign is ignored: it only says on which side of the books the amount is. */
const AMOUNT = /^(?:(?:RM|MYR)\s*)?[+-]?(\d[\d,]*(?:\.\d+)?)$/i
const GROUPED = /^\d{1,3}(,\d{3})+(\.\d+)?$/
/** Comma followed by one or two digits: it cannot separate thousands. */
const DECIMAL_COMMA = /^\d+,\d{1,2}$/

const AMOUNT_LENGTH_MAX = 60

function readAmount(text: string): Amount | null | undefined {
  if (text === '') return null
  return text.length > AMOUNT_LENGTH_MAX ? undefined : readDecimal(text)
}

function readDecimal(text: string): Amount | undefined {
  const digits = AMOUNT.exec(text)?.[1]
  if (digits === undefined) return undefined
  if (DECIMAL_COMMA.test(digits)) return parseMoney(digits.replace(',', '.'))
  if (digits.includes(',') && !GROUPED.test(digits)) return undefined
  return parseMoney(digits.replaceAll(',', ''))
}

function readState(text: string): TheirState | null | undefined {
  if (text === '') return null
  const word = text.toLowerCase()
  if (Object.hasOwn(STATES, word)) return STATES[word]
  return FAILURE_CODES.some((code) => String(code) === word) ? 'failed' : undefined
}
