import type { CsvRecord } from '../../../lib/input/csv.ts'
import { parseCsv } from '../../../lib/input/csv.ts'
import type { CsvColumns } from './columns.rules.ts'
import {
  CATEGORY_COLUMNS,
  columnNames,
  GROUP_COLUMNS,
  LEVEL_COLUMNS,
  OPTION_COLUMNS,
  PRICE_COLUMNS,
  priceTrouble,
  readCsvRow,
  readObjectRow,
  refuseUnknown,
  requiredNames,
  TEXT_COLUMNS,
} from './columns.rules.ts'
import type { Report } from './forms.rules.ts'
import type { JsonNode } from './json.rules.ts'
import { parseJson } from './json.rules.ts'
import { PRODUCT_COLUMNS } from './products.rules.ts'
import type {
  CsvKind,
  DocumentKind,
  FileLocation,
  FileProblem,
  FileProblems,
  GivenRow,
  GivenRows,
  RowTypes,
  SourceFile,
} from './types.ts'
import { CSV_KINDS, DOCUMENT_KINDS } from './types.ts'

export const FORMAT = 'warung-catalog/1'
export const FILE_BYTES_MAX = 64 * 1024 * 1024
const PROBLEMS_MAX = 200
/** Limit of columns, far more than any kind has: a line of ten million commas is not a header. */
const COLUMNS_MAX = 200
const ROWS_PER_REPORT = 1_000

export const CSV_COLUMNS: { readonly [K in CsvKind]: CsvColumns<RowTypes[K]> } = {
  groups: GROUP_COLUMNS,
  categories: CATEGORY_COLUMNS,
  options: OPTION_COLUMNS,
  texts: TEXT_COLUMNS,
  prices: PRICE_COLUMNS,
}

export const ALL_COLUMNS = { ...CSV_COLUMNS, products: PRODUCT_COLUMNS, levels: LEVEL_COLUMNS }

export function collectProblems(filesInOrder: readonly string[] = []): FileProblems {
  const kept: FileProblem[] = []
  let count = 0
  return {
    add(location, message) {
      count += 1
      if (kept.length < PROBLEMS_MAX) kept.push({ ...location, message })
    },
    count: () => count,
    list: () =>
      [...kept].sort(
        (a, b) => filesInOrder.indexOf(a.file) - filesInOrder.indexOf(b.file) || a.line - b.line,
      ),
  }
}

/** Receives the number of rows read so far. */
export type OnRows = (count: number) => void

type Reading = {
  readonly rows: { readonly [K in DocumentKind]: GivenRow<RowTypes[K]>[] }
  readonly problems: FileProblems
  readonly onRows: OnRows
}

/** Reads every file to its end, even if it has problems, so that all problems are reported together. */
export function readFiles(
  files: readonly SourceFile[],
  problems: FileProblems,
  onRows: OnRows = () => {},
): GivenRows {
  const rows = { groups: [], categories: [], products: [], options: [], levels: [], texts: [], prices: [] }
  const reading: Reading = { rows, problems, onRows }
  for (const file of files) {
    const text = decode(file, problems)
    if (text === undefined) continue
    if (/\.json$/i.test(file.name)) readJsonFile(file.name, text, reading)
    else if (/\.csv$/i.test(file.name)) readCsvFile(file.name, text, reading)
    else problems.add(headOf(file.name), 'the name must end in .json or .csv')
  }
  refuseDuplicates(reading)
  return rows
}

/** Reads a row; `read` adds the row's problems to the collection. */
function readRow<K extends DocumentKind>(
  { rows, onRows, problems }: Reading,
  kind: K,
  location: FileLocation,
  read: () => Partial<RowTypes[K]>,
  { node, isFlawed: isFlawedAnyway = false }: { node?: JsonNode; isFlawed?: boolean } = {},
): void {
  const countBefore = problems.count()
  const values = read()
  const trouble = kind === 'prices' ? priceTrouble(values) : undefined
  if (trouble !== undefined) problems.add({ ...location, path: within(location.path, 'value') }, trouble)
  const list: GivenRow<RowTypes[K]>[] = rows[kind]
  const isFlawed = isFlawedAnyway || problems.count() > countBefore
  list.push({ values, location, isFlawed, ...(node === undefined ? {} : { node }) })
  if (list.length % ROWS_PER_REPORT === 0) onRows(countRows(rows))
}

export function countRows(rows: GivenRows): number {
  return DOCUMENT_KINDS.reduce((sum, kind) => sum + rows[kind].length, 0)
}

/** Joins a path and a name; a column of a CSV row has no path before it. */
export function within(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`
}

function headOf(file: string): FileLocation {
  return { file, line: 1, path: '' }
}

// ── Bytes ──

const LF = 0x0a

function decode({ name, bytes }: SourceFile, problems: FileProblems): string | undefined {
  if (bytes.length > FILE_BYTES_MAX) {
    problems.add(headOf(name), `is larger than ${FILE_BYTES_MAX / 1024 / 1024} MB`)
    return undefined
  }
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)) {
    problems.add(headOf(name), 'is UTF-16; save it as UTF-8')
    return undefined
  }
  const whole = decodeUtf8(bytes)
  if (whole === undefined) reportBrokenLines(name, bytes, problems)
  return whole
}

/** Decodes UTF-8 and removes the byte order mark; undefined when it is not UTF-8. */
function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

function reportBrokenLines(name: string, bytes: Uint8Array, problems: FileProblems): void {
  let from = 0
  for (let line = 1; from < bytes.length; line += 1) {
    const end = bytes.indexOf(LF, from)
    const until = end < 0 ? bytes.length : end
    if (decodeUtf8(bytes.subarray(from, until)) === undefined) {
      problems.add({ file: name, line, path: '' }, 'is not valid UTF-8')
    }
    from = until + 1
  }
}

// ── JSON ──

function readJsonFile(file: string, text: string, reading: Reading): void {
  const { problems } = reading
  const document = parseJson(text, (line, message) => problems.add({ file, line, path: '' }, message))
  if (document === undefined) return
  const report: Report = (line, path, message) => problems.add({ file, line, path }, message)
  if (document.kind !== 'object') {
    report(document.line, '', 'must be an object')
    return
  }
  const format = document.members.get('format')
  if (format !== undefined && (format.kind !== 'scalar' || format.value !== FORMAT)) {
    report(format.line, 'format', `must be "${FORMAT}"`)
  }
  refuseUnknown(document.members, ['format', ...DOCUMENT_KINDS], '', report)
  for (const kind of DOCUMENT_KINDS) {
    const list = document.members.get(kind)
    if (list !== undefined) readJsonRows(file, kind, list, reading, report)
  }
}

function readJsonRows<K extends DocumentKind>(
  file: string,
  kind: K,
  list: JsonNode,
  reading: Reading,
  report: Report,
): void {
  if (list.kind !== 'array') {
    report(list.line, kind, 'must be an array')
    return
  }
  for (const [index, node] of list.items.entries()) {
    const path = `${kind}[${index}]`
    const read = () => readObjectRow<object>(ALL_COLUMNS[kind], node, path, report) as Partial<RowTypes[K]>
    readRow(reading, kind, { file, line: node.line, path }, read, { node })
  }
}

// ── CSV ──

function readCsvFile(file: string, text: string, reading: Reading): void {
  const { problems } = reading
  const records = parseCsv(text, (line, message) => problems.add({ file, line, path: '' }, message))
  const [head, ...body] = records
  if (head === undefined) {
    problems.add(headOf(file), 'is empty; the first line must name the columns')
    return
  }
  if (head.cells.length > COLUMNS_MAX) {
    problems.add({ file, line: head.line, path: '' }, `names more than ${COLUMNS_MAX} columns`)
    return
  }
  const names = head.cells.map((cell) => cell.trim())
  const kind = kindOf(file, names)
  if (kind === undefined) {
    problems.add({ file, line: head.line, path: '' }, describeUnknownKind(names))
    return
  }
  const report: Report = (line, path, message) => problems.add({ file, line, path }, message)
  readRecords(kind, readHeader(kind, head.line, names, report), { file, names, body }, reading, report)
}

function readRecords<K extends CsvKind>(
  kind: K,
  header: ReadonlyMap<string, number>,
  { file, names, body }: { file: string; names: readonly string[]; body: readonly CsvRecord[] },
  reading: Reading,
  report: Report,
): void {
  const isFlawed = requiredNames<object>(CSV_COLUMNS[kind]).some((name) => !header.has(name))
  for (const record of body) {
    if (record.cells.length !== names.length) {
      report(
        record.line,
        '',
        `has ${record.cells.length} cells, and the first line names ${names.length} columns`,
      )
      continue
    }
    const read = () => readCsvRow(CSV_COLUMNS[kind], header, record, report)
    readRow(reading, kind, { file, line: record.line, path: '' }, read, { isFlawed })
  }
}

function readHeader(
  kind: CsvKind,
  line: number,
  names: readonly string[],
  report: Report,
): ReadonlyMap<string, number> {
  const known = columnNames<object>(CSV_COLUMNS[kind])
  const header = new Map<string, number>()
  for (const [index, name] of names.entries()) {
    if (!known.includes(name)) {
      report(line, '', `${kind} have no column ${JSON.stringify(name)}; there is ${known.join(', ')}`)
    } else if (header.has(name)) report(line, '', `the column ${name} stands twice`)
    else header.set(name, index)
  }
  for (const name of requiredNames<object>(CSV_COLUMNS[kind])) {
    if (!header.has(name)) report(line, '', `the column ${name} is missing`)
  }
  return header
}

/** Finds the kind by the file's name (`options.csv`, `2026-11-options.csv`), or else by its columns. */
function kindOf(file: string, names: readonly string[]): CsvKind | undefined {
  const named = kindByName(file)
  if (named !== undefined) return named
  const fitting = CSV_KINDS.map((kind) => ({ kind, wanted: requiredNames<object>(CSV_COLUMNS[kind]) }))
    .filter(({ wanted }) => wanted.every((name) => names.includes(name)))
    .sort((a, b) => b.wanted.length - a.wanted.length)
  return fitting[0]?.kind
}

export function kindByName(file: string): CsvKind | undefined {
  return CSV_KINDS.find((kind) => new RegExp(`(^|[^a-z])${kind}\\.csv$`, 'i').test(file))
}

function describeUnknownKind(names: readonly string[]): string {
  const [only = ''] = names
  if (names.length === 1 && /[;\t]/.test(only)) return 'columns must be separated by commas'
  return `cannot tell what the file holds: name it ${CSV_KINDS.map((kind) => `${kind}.csv`).join(', ')}, or give it the columns that one of them needs`
}

// ── Duplicates ──

const KEYS: { readonly [K in DocumentKind]: readonly (keyof RowTypes[K] & string)[] } = {
  groups: ['code'],
  categories: ['code'],
  products: ['code'],
  options: ['productCode', 'fieldId', 'code'],
  levels: ['code'],
  texts: ['language', 'text'],
  prices: ['levelCode', 'productCode'],
}

/**
 * Returns the key that identifies a row, as in the ids of events; undefined when the file does not give all
 * parts.
 */
export function keyOf<K extends DocumentKind>(kind: K, values: Partial<RowTypes[K]>): string | undefined {
  const parts = KEYS[kind].map((name) => values[name])
  return parts.every((part) => part !== undefined) ? parts.join(':') : undefined
}

function refuseDuplicates({ rows, problems }: Reading): void {
  for (const kind of DOCUMENT_KINDS) refuseDuplicatesOf(kind, rows[kind], problems)
}

function refuseDuplicatesOf<K extends DocumentKind>(
  kind: K,
  rows: readonly GivenRow<RowTypes[K]>[],
  problems: FileProblems,
): void {
  const first = new Map<string, FileLocation>()
  for (const { values, location } of rows) {
    const key = keyOf(kind, values)
    if (key === undefined) continue
    const earlier = first.get(key)
    if (earlier === undefined) first.set(key, location)
    else problems.add(location, `${key} stands here again, after ${earlier.file}:${earlier.line}`)
  }
}
