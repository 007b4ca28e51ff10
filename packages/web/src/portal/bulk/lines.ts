import type { BulkPreviewRequest, Product } from '../../api/portal.generated.ts'
import type { CsvRow } from '../../text/csv.ts'
import { csvText, parseCsv, plainCell } from '../../text/csv.ts'
import type { XlsxProblem } from '../../text/xlsx.ts'

export type Line = BulkPreviewRequest['lines'][number]

export const LINES_MAX = 20_000
export const PART_LINES_MAX = 1_000
export const FILE_BYTES_MAX = 8 * 1024 * 1024
const CELL_LENGTH_MAX = 500

/** Columns of a file. The first three must be there. */
export const COLUMNS = [
  'product',
  'account',
  'amount',
  'subproduct_code',
  'biller_code',
  'ref2',
  'ic_number',
  'remarks',
  'reference',
] as const
type ColumnName = (typeof COLUMNS)[number]

const REQUIRED: readonly ColumnName[] = ['product', 'account', 'amount']

export type FileProblem =
  | XlsxProblem
  | { readonly kind: 'empty' }
  | { readonly kind: 'columns'; readonly missing: readonly string[] }
  | { readonly kind: 'cell'; readonly line: number }
  | { readonly kind: 'equal'; readonly line: number }

type Problem = { readonly kind: 'problem'; readonly problem: FileProblem }
type FileLines = { readonly kind: 'lines'; readonly lines: readonly Line[] } | Problem

/** Bytes that the sheet of an uploaded file may unpack to. */
const SHEET_BYTES_MAX = 48 * 1024 * 1024
const ZIP_BEGINS = [0x50, 0x4b]
/** Beginning of the older XLS, and of an encrypted XLSX. */
const OLE_BEGINS = [0xd0, 0xcf, 0x11, 0xe0]

/** Reads an uploaded file as CSV. Of a spreadsheet it is the first sheet, each line where it stood. */
export async function fileText(
  bytes: Uint8Array,
): Promise<{ readonly kind: 'text'; readonly text: string } | Problem> {
  const begins = (with_: readonly number[]) => with_.every((byte, at) => bytes[at] === byte)
  if (begins(OLE_BEGINS)) return refuse({ kind: 'format' })
  if (!begins(ZIP_BEGINS)) return { kind: 'text', text: new TextDecoder().decode(bytes) }
  const { readXlsx } = await import('../../text/xlsx.ts')
  const read = readXlsx(bytes, { bytesMax: SHEET_BYTES_MAX, rowsMax: LINES_MAX + 1 })
  if (read.kind !== 'rows') return refuse(read)
  // A line break within a cell would move the lines below it.
  const rows = read.rows.map((row) => row.map((cell) => cell.replaceAll(/\s+/g, ' ')))
  return { kind: 'text', text: csvText(rows) }
}

/** Reads a file of payments. Whether a line can be paid is the service's to say. */
export function readFile(text: string): FileLines {
  const [header, ...rows] = parseCsv(text)
  if (header === undefined || rows.length === 0) return refuse({ kind: 'empty' })
  if (rows.length > LINES_MAX) return refuse({ kind: 'lines' })
  const names = header.cells.map((cell) => cell.trim().toLowerCase())
  const missing = REQUIRED.filter((name) => !names.includes(name))
  if (missing.length > 0) return refuse({ kind: 'columns', missing })
  const tooLong = rows.find(({ cells }) => cells.some((cell) => cell.length > CELL_LENGTH_MAX))
  if (tooLong !== undefined) return refuse({ kind: 'cell', line: tooLong.line })
  return { kind: 'lines', lines: rows.map((row) => lineOf(row, names)) }
}

function refuse(problem: FileProblem): Problem {
  return { kind: 'problem', problem }
}

function lineOf({ line, cells }: CsvRow, names: readonly string[]): Line {
  const read = (name: ColumnName) => {
    const at = names.indexOf(name)
    return at === -1 ? '' : plainCell(cells[at] ?? '')
  }
  const extras = {
    ...named('subproduct_code'),
    ...named('biller_code'),
    ...named('ref2'),
    ...named('ic_number'),
  }
  function named(name: ColumnName): Record<string, string> {
    const value = read(name)
    return value === '' ? {} : { [name]: value }
  }
  return {
    line,
    product: read('product'),
    account: read('account'),
    amount: read('amount'),
    ...(Object.keys(extras).length === 0 ? {} : { extras }),
    ...named('remarks'),
    ...named('reference'),
  }
}

/**
 * Divides the lines into requests. Equal lines stay in one request: the service numbers them there, and gives each a
 * refid of its own. So do lines that may be one payment written twice, which the service then marks, as far as one
 * request takes them. Undefined if more lines are equal than that.
 */
export function partsOf(lines: readonly Line[]): readonly (readonly Line[])[] | undefined {
  const alike = [...groupsOf(lines, likenessOf).values()]
  const groups = alike.flatMap((group) =>
    group.length > PART_LINES_MAX ? [...groupsOf(group, contentOf).values()] : [group],
  )
  const parts: Line[][] = []
  let part: Line[] = []
  for (const group of groups) {
    if (group.length > PART_LINES_MAX) return undefined
    if (part.length + group.length > PART_LINES_MAX) {
      parts.push(part)
      part = []
    }
    part.push(...group)
  }
  if (part.length > 0) parts.push(part)
  return parts
}

function groupsOf(lines: readonly Line[], keyOf: (line: Line) => string): Map<string, Line[]> {
  const groups = new Map<string, Line[]>()
  for (const line of lines) {
    const key = keyOf(line)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [line])
    else group.push(line)
  }
  return groups
}

/** Digits at the end of a number, which every spelling of it has. */
const SPELT_ALIKE = 7

/** Key that lines of one payment share, however its number is spelt; lines of several payments may share it too. */
function likenessOf({ product, account, amount }: Line): string {
  const digits = account.replaceAll(/\D/g, '')
  const end = digits.length < SPELT_ALIKE ? account.trim() : digits.slice(-SPELT_ALIKE)
  return JSON.stringify([product.trim(), end.normalize('NFC'), plainAmount(amount)])
}

function plainAmount(amount: string): string {
  return /^[0-9.]+$/.test(amount) ? String(Number(amount)) : amount
}

/** Content that the refid is made of; it may hold lines for equal that are not, never the other way round. */
function contentOf({ product, account, amount, extras = {}, reference = '' }: Line): string {
  const { subproduct_code: plan, biller_code: biller, ref2 } = extras
  const parts = [product, account, plainAmount(amount), plan ?? '', biller ?? '', ref2 ?? '', reference]
  return JSON.stringify(parts.map((part) => part.normalize('NFC')))
}

const SAMPLE_LINES = 5

/** File to begin with, of products that the reseller can sell. */
export function sampleFile(products: readonly Product[]): string {
  const samples = products.flatMap((product, index) => {
    const { fulfillment, fields, denomination } = product
    const account = fields.find(({ id }) => id === fulfillment.account.from_field)?.placeholder
    const [amount] = denomination?.split(/[,-]/) ?? []
    const isPlain = fulfillment.extras === undefined && account !== undefined && account !== ''
    if (!isPlain || amount === undefined) return []
    return [[product.code, account, amount, '', '', '', '', '', `INV-${1001 + index}`]]
  })
  return csvText([COLUMNS, ...samples.slice(0, SAMPLE_LINES)])
}
