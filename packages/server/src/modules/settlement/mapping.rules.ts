import { minutesAhead } from '../../lib/dates.ts'
import { CURRENCY_CODE } from '../../lib/input/codes.ts'
import { LOCAL_CURRENCY } from '../../lib/money.ts'
import type { Column, LineState, Mapping } from './types.ts'
import { AMOUNTS_OF, LINE_STATES } from './types.ts'
import { parseTimeFormat } from './values.rules.ts'

export type MappingProblem = { readonly path: string; readonly message: string }

type Fields = Readonly<Record<string, unknown>>

const MEMBERS = [
  'encoding',
  'separator',
  'header_lines',
  'skip_first_cells',
  'reference',
  'amount',
  'currency',
  'state',
  'time',
  'serial_number',
]

/** Reads a mapping from its JSON, or reports every mistake in it with its path. */
export function parseMapping(input: unknown): { mapping?: Mapping; problems: readonly MappingProblem[] } {
  const problems: MappingProblem[] = []
  const report = (path: string, message: string) => problems.push({ path, message })
  const root = fieldsOf(input, '$', MEMBERS, report)
  if (root === undefined) return { problems }
  const mapping: Mapping = {
    encoding: choice(root, 'encoding', '$', ['utf-8', 'latin1'], report, 'utf-8'),
    separator: readSeparator(root.separator, report),
    headerLines: readHeaderLines(root.header_lines, report),
    skipFirstCells: readTexts(root.skip_first_cells, '$.skip_first_cells', report),
    reference: readReference(root.reference, report),
    amount: readAmount(root.amount, report),
    currency: readCurrency(root.currency, report),
    state: readState(root.state, report),
    time: root.time === undefined ? null : readTime(root.time, report),
    serialNumber: root.serial_number === undefined ? null : readSerial(root.serial_number, report),
  }
  if (mapping.amount.of === 'payment' && mapping.currency.is !== LOCAL_CURRENCY) {
    report('$.amount.of', `must be "cost" for ${mapping.currency.is}: payments are in ${LOCAL_CURRENCY}`)
  }
  if (mapping.headerLines === 0) refuseHeadings(mapping, report)
  return problems.length === 0 ? { mapping, problems } : { problems }
}

type Report = (path: string, message: string) => void

function fieldsOf(
  value: unknown,
  path: string,
  members: readonly string[],
  report: Report,
): Fields | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    report(path, value === undefined ? 'is missing' : 'must be an object')
    return undefined
  }
  for (const name of Object.keys(value)) {
    if (!members.includes(name)) report(`${path}.${name}`, `is not known; there is: ${members.join(', ')}`)
  }
  return value as Fields
}

function choice<T extends string>(
  fields: Fields,
  name: string,
  path: string,
  values: readonly T[],
  report: Report,
  usual?: T,
): T {
  const value = fields[name]
  const found = value === undefined ? usual : values.find((each) => each === value)
  if (found !== undefined) return found
  report(`${path}.${name}`, `must be one of ${values.map((each) => JSON.stringify(each)).join(', ')}`)
  return values[0] as T
}

function readColumn(fields: Fields, path: string, report: Report): Column {
  const { column } = fields
  if (typeof column === 'string' && column.trim() !== '') return column.trim()
  if (typeof column === 'number' && Number.isInteger(column) && column >= 1 && column <= 1_000) return column
  report(`${path}.column`, 'must be the heading of a column, or its number from 1')
  return 1
}

function readSeparator(value: unknown, report: Report): string {
  if (value === undefined) return ','
  if (typeof value === 'string' && value.length === 1 && !'"\r\n'.includes(value)) return value
  report('$.separator', 'must be one character, such as "," or ";" or "\\t"')
  return ','
}

const HEADER_LINES_MAX = 100

function readHeaderLines(value: unknown, report: Report): number {
  if (value === undefined) return 1
  if (typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= HEADER_LINES_MAX) {
    return value
  }
  report('$.header_lines', `must be a whole number from 0 to ${HEADER_LINES_MAX}`)
  return 1
}

function readTexts(value: unknown, path: string, report: Report): string[] {
  if (value === undefined) return []
  if (Array.isArray(value) && value.every((each) => typeof each === 'string')) return value
  report(path, 'must be a list of texts')
  return []
}

function readReference(value: unknown, report: Report): Mapping['reference'] {
  const path = '$.reference'
  const fields = fieldsOf(value, path, ['column', 'of'], report)
  if (fields === undefined) return { column: 1, of: 'ours' }
  return {
    column: readColumn(fields, path, report),
    of: choice(fields, 'of', path, ['ours', 'theirs'], report, 'ours'),
  }
}

function readAmount(value: unknown, report: Report): Mapping['amount'] {
  const path = '$.amount'
  const fields = fieldsOf(value, path, ['column', 'of', 'unit', 'decimal', 'thousands'], report)
  if (fields === undefined) return { column: 1, of: 'payment', unit: 'ringgit', decimal: '.', thousands: '' }
  const amount: Mapping['amount'] = {
    column: readColumn(fields, path, report),
    of: choice(fields, 'of', path, AMOUNTS_OF, report, 'payment'),
    unit: choice(fields, 'unit', path, ['ringgit', 'unit', 'sen', 'hundredth'], report, 'ringgit'),
    decimal: choice(fields, 'decimal', path, ['.', ','], report, '.'),
    thousands: choice(fields, 'thousands', path, ['', ',', '.', ' '], report, ''),
  }
  if (amount.thousands === amount.decimal) report(`${path}.thousands`, 'must not be the decimal sign too')
  return amount
}

function readCurrency(value: unknown, report: Report): Mapping['currency'] {
  const usual = { is: LOCAL_CURRENCY, column: null }
  if (value === undefined) return usual
  const path = '$.currency'
  const fields = fieldsOf(value, path, ['is', 'column'], report)
  if (fields === undefined) return usual
  const is = CURRENCY_CODE.read(fields.is)
  if (is === undefined) report(`${path}.is`, CURRENCY_CODE.message)
  const column = fields.column === undefined ? null : readColumn(fields, path, report)
  return { is: is ?? LOCAL_CURRENCY, column }
}

const STATES = [...LINE_STATES, 'skip'] as const

function readState(value: unknown, report: Report): Mapping['state'] {
  const path = '$.state'
  const fields = fieldsOf(value, path, ['column', 'values'], report)
  const values = new Map<string, LineState | 'skip'>()
  if (fields === undefined) return { column: 1, values }
  const table = fields.values
  if (
    typeof table !== 'object' ||
    table === null ||
    Array.isArray(table) ||
    Object.keys(table).length === 0
  ) {
    report(`${path}.values`, 'must say for each word of the file what it means')
  } else {
    for (const [word, meaning] of Object.entries(table)) {
      const state = STATES.find((each) => each === meaning)
      if (state === undefined) report(`${path}.values.${word}`, `must be one of ${STATES.join(', ')}`)
      else values.set(word.trim(), state)
    }
  }
  return { column: readColumn(fields, path, report), values }
}

function readTime(value: unknown, report: Report): Mapping['time'] {
  const path = '$.time'
  const fields = fieldsOf(value, path, ['column', 'format', 'zone'], report)
  if (fields === undefined) return null
  const { format = 'iso', zone = '+08:00' } = fields
  if (typeof format !== 'string' || (format !== 'iso' && parseTimeFormat(format) === undefined)) {
    report(
      `${path}.format`,
      'must be "iso", or made of yyyy, MM, dd, HH, mm, ss and fff, such as "dd/MM/yyyy HH:mm"',
    )
  }
  const offset = typeof zone === 'string' ? minutesAhead(zone) : undefined
  if (offset === undefined) report(`${path}.zone`, 'must be Z, or an offset such as "+08:00"')
  return {
    column: readColumn(fields, path, report),
    format: String(format),
    offsetMinutes: offset ?? 0,
  }
}

function readSerial(value: unknown, report: Report): Mapping['serialNumber'] {
  const path = '$.serial_number'
  const fields = fieldsOf(value, path, ['column'], report)
  return fields === undefined ? null : { column: readColumn(fields, path, report) }
}

function refuseHeadings(mapping: Mapping, report: Report): void {
  const { reference, amount, currency, state, time, serialNumber } = mapping
  for (const [name, part] of Object.entries({
    reference,
    amount,
    currency,
    state,
    time,
    serial_number: serialNumber,
  })) {
    if (part !== null && typeof part.column === 'string') {
      report(`$.${name}.column`, 'must be a number: with header_lines 0 there are no headings')
    }
  }
}
