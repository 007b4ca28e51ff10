import type { BulkPreviewRequest, Product } from '../../api/portal.generated.ts'
import type { CsvRow } from '../../text/csv.ts'
import { csvText, parseCsv, plainCell } from '../../text/csv.ts'

export type Line = BulkPreviewRequest['lines'][number]

export const LINES_MAX = 20_000
export const PART_LINES_MAX = 1_000
export const FILE_BYTES_MAX = 8 * 1024 * 1024
const CELL_LENGTH_MAX = 500

/** Columns of a file. The first three must be there. */
const COLUMNS = [
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
  | { readonly kind: 'empty' }
  | { readonly kind: 'columns'; readonly missing: readonly string[] }
  | { readonly kind: 'lines' }
  | { readonly kind: 'cell'; readonly line: number }
  | { readonly kind: 'equal'; readonly line: number }

type FileLines =
  | { readonly kind: 'lines'; readonly lines: readonly Line[] }
  | { readonly kind: 'problem'; readonly problem: FileProblem }

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

function refuse(problem: FileProblem): FileLines {
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
 * refid of its own. Undefined if more lines are equal than one request takes.
 */
export function partsOf(lines: readonly Line[]): readonly (readonly Line[])[] | undefined {
  const groups = new Map<string, Line[]>()
  for (const line of lines) {
    const key = contentOf(line)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [line])
    else group.push(line)
  }
  const parts: Line[][] = []
  let part: Line[] = []
  for (const group of groups.values()) {
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

/** Content that the refid is made of; it may hold lines for equal that are not, never the other way round. */
function contentOf({ product, account, amount, extras = {}, reference = '' }: Line): string {
  const { subproduct_code: plan, biller_code: biller, ref2 } = extras
  const plainAmount = /^[0-9.]+$/.test(amount) ? String(Number(amount)) : amount
  const parts = [product, account, plainAmount, plan ?? '', biller ?? '', ref2 ?? '', reference]
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
