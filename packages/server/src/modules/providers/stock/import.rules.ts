import { formatDay, parseDay } from '../../../lib/dates.ts'
import type { CsvRecord } from '../../../lib/input/csv.ts'
import { scanCsv } from '../../../lib/input/csv.ts'
import type { Rule } from '../../../lib/input/fields.ts'
import { readText, text } from '../../../lib/input/fields.ts'
import { WEB_URL } from '../../../lib/input/urls.ts'
import type { Amount } from '../../../lib/money.ts'
import { isEnterable } from '../../../lib/money.ts'
import { POSTED_AMOUNT } from '../../../lib/posted-amounts.ts'
import type { StockLine } from './types.ts'

const COLUMNS = ['pin', 'serial', 'expiry', 'link', 'denomination'] as const
type Column = (typeof COLUMNS)[number]
type Header = ReadonlyMap<Column, number>

/** Reports the problem of a line, never its content: a line is a PIN. */
export type Complain = (line: number, message: string) => void

export type ImportTerms = {
  /** Denomination of every line; null: a column of the file has it. */
  readonly denomination: Amount | null
  /** Today's day number; an item that expired before it cannot be sold. */
  readonly today: number
}

/** Yields the valid lines one by one; complains about the others and continues. */
export function* readStockLines(
  content: string,
  terms: ImportTerms,
  complain: Complain,
): Generator<StockLine> {
  const records = scanCsv(content, complain)
  const first = records.next()
  if (first.done === true) {
    complain(1, 'is empty; the first line must name the columns')
    return
  }
  const names = first.value.cells.map((cell) => cell.trim())
  const header = readHeader(first.value.line, names, terms, complain)
  if (header === undefined) return
  for (const record of records) {
    const line = readLine(record, header, names.length, terms, complain)
    if (line !== undefined) yield line
  }
}

function readHeader(
  line: number,
  names: readonly string[],
  { denomination }: ImportTerms,
  complain: Complain,
): Header | undefined {
  const problems: string[] = []
  const header = new Map<Column, number>()
  for (const [index, name] of names.entries()) {
    const column = COLUMNS.find((each) => each === name)
    // A first line that names no columns is already a PIN, so its cells are not shown.
    if (column === undefined) problems.push(`column ${index + 1} is none of ${COLUMNS.join(', ')}`)
    else if (header.has(column)) problems.push(`the column ${name} stands twice`)
    else header.set(column, index)
  }
  if (!header.has('pin') && !header.has('link')) problems.push('a column pin or link is missing')
  if (denomination === null && !header.has('denomination')) {
    problems.push('the denomination is not given, and there is no column denomination')
  }
  if (denomination !== null && header.has('denomination')) {
    problems.push('the denomination is given, and there is a column denomination too')
  }
  for (const problem of problems) complain(line, problem)
  return problems.length === 0 ? header : undefined
}

function readLine(
  { line, cells }: CsvRecord,
  header: Header,
  width: number,
  terms: ImportTerms,
  complain: Complain,
): StockLine | undefined {
  if (cells.length !== width) {
    complain(line, `has ${cells.length} cells, and the first line names ${width} columns`)
    return undefined
  }
  const cell = (column: Column) => cells[header.get(column) ?? -1]?.trim() ?? ''
  const content = { pin: cell('pin'), serialNumber: cell('serial'), link: cell('link') }
  const denomination = header.has('denomination')
    ? DENOMINATION.read(cell('denomination'))
    : (terms.denomination ?? undefined)
  const expiryDay = cell('expiry') === '' ? null : parseExpiry(cell('expiry'))
  const problems = [
    pinTrouble(content.pin, content.link),
    troubleWith('serial', SERIAL, content.serialNumber),
    content.link === '' ? undefined : troubleWith('link', WEB_URL, content.link),
    denomination !== undefined && isEnterable(denomination)
      ? undefined
      : `denomination: ${DENOMINATION.message}`,
    expiryTrouble(expiryDay, terms.today),
  ].filter((problem) => problem !== undefined)
  for (const problem of problems) complain(line, problem)
  if (problems.length > 0 || denomination === undefined || expiryDay === undefined) return undefined
  return { line, content, denomination, expiryDay }
}

const PIN = text(1, 100)
const SERIAL = text(0, 100)

/** Quantity that one item is sold as, as payments name it. */
export const DENOMINATION: Rule<Amount> = {
  ...POSTED_AMOUNT,
  message: 'must be a plain decimal greater than 0 and at most 1000000000, such as 10 or 12.50',
}

const ROUNDED = /^\d(?:[.,]\d+)?E\+?\d+$/i

/** Names the column and its rule, never the value. */
function troubleWith(column: Column, rule: Rule<unknown>, value: string): string | undefined {
  return readText(rule, value) === undefined ? `${column}: ${rule.message}` : undefined
}

function pinTrouble(pin: string, link: string): string | undefined {
  if (pin === '') return link === '' ? 'has neither pin nor link' : undefined
  if (ROUNDED.test(pin)) return 'pin: a spreadsheet has rounded this number; export the column as text'
  return troubleWith('pin', PIN, pin)
}

/** Reads yyyyMMdd or yyyy-MM-dd; undefined when it is neither or not a day. */
function parseExpiry(text: string): number | undefined {
  return parseDay(text.replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3'))
}

function expiryTrouble(day: number | null | undefined, today: number): string | undefined {
  if (day === undefined) return 'expiry: must be a day, yyyyMMdd or yyyy-MM-dd'
  return day === null || day >= today ? undefined : `expiry: was on ${formatDay(day)}`
}
