import { strFromU8, unzipSync } from 'fflate'

// XLSX as spreadsheets write it, read as text: the first sheet's cells, and nothing else of the file. Nothing is
// evaluated. Every limit holds before the memory is taken.

/** Limits of a file that somebody uploads. */
export type XlsxLimits = {
  /** Bytes that the parts that are read unpack to, together. */
  readonly bytesMax: number
  readonly rowsMax: number
}

export type XlsxProblem =
  /** Not an XLSX file, or one that cannot be read. */
  | { readonly kind: 'format' }
  | { readonly kind: 'size' }
  | { readonly kind: 'lines' }
  /** A formula: its value is not ours to compute, and the one that the file carries may be old. */
  | { readonly kind: 'formula'; readonly line: number }
  /** Number of more digits than a spreadsheet keeps. */
  | { readonly kind: 'digits'; readonly line: number }

export type XlsxRead =
  /** Rows of the sheet from the first one on; empty rows are empty lists, so that the index tells the line. */
  { readonly kind: 'rows'; readonly rows: readonly (readonly string[])[] } | XlsxProblem

/** Columns behind these are not read. */
const COLUMNS_MAX = 64

/** Problem of the file, thrown through the readers and returned at the top. */
class Refused extends Error {
  readonly problem: XlsxProblem
  constructor(problem: XlsxProblem) {
    super(problem.kind)
    this.problem = problem
  }
}

export function readXlsx(bytes: Uint8Array, limits: XlsxLimits): XlsxRead {
  try {
    const outer = unpack(bytes, ['xl/workbook.xml', 'xl/_rels/workbook.xml.rels'], limits.bytesMax)
    const sheet = firstSheet(outer)
    const parts = unpack(bytes, [sheet, 'xl/sharedStrings.xml'], limits.bytesMax)
    const xml = parts.get(sheet)
    if (xml === undefined) return { kind: 'format' }
    return { kind: 'rows', rows: readRows(xml, readShared(parts.get('xl/sharedStrings.xml') ?? ''), limits) }
  } catch (error) {
    // Anything else that goes wrong in there: it is no file that we can read.
    return error instanceof Refused ? error.problem : { kind: 'format' }
  }
}

/**
 * Unpacks some files of the archive. The directory says how large each gets; the memory of that size is all that
 * unpacking can fill, so a file that says less than it is breaks instead of growing.
 */
function unpack(bytes: Uint8Array, names: readonly string[], bytesMax: number): Map<string, string> {
  let left = bytesMax
  const files = unzipSync(bytes, {
    filter({ name, originalSize }) {
      if (!names.includes(name)) return false
      left -= originalSize
      if (left < 0) throw new Refused({ kind: 'size' })
      return true
    },
  })
  return new Map(
    Object.entries(files).map(([name, content]) => {
      const xml = strFromU8(content)
      // Entities of a document's own can grow without end. Spreadsheets write none.
      if (xml.includes('<!DOCTYPE')) throw new Refused({ kind: 'format' })
      return [name, xml]
    }),
  )
}

/** Path of the first sheet in the workbook's order. */
function firstSheet(outer: ReadonlyMap<string, string>): string {
  const [sheet] = tagsOf(outer.get('xl/workbook.xml') ?? '', 'sheet')
  const target = tagsOf(outer.get('xl/_rels/workbook.xml.rels') ?? '', 'Relationship').find(
    ({ Id: id }) => id === sheet?.id,
  )?.Target
  if (target === undefined) throw new Refused({ kind: 'format' })
  return target.startsWith('/') ? target.slice(1) : `xl/${target}`
}

/** Texts that cells refer to by number. Their phonetic hints are left out. */
function readShared(xml: string): readonly string[] {
  const texts: string[] = []
  let text = ''
  const path: string[] = []
  for (const token of tokens(xml)) {
    if (token.kind === 'text') {
      if (path.at(-1) === 't' && !path.includes('rPh')) text += token.text
      continue
    }
    follow(path, token)
    if (token.name !== 'si') continue
    if (token.kind === 'open') text = ''
    if (token.kind !== 'open' || token.isEmpty) texts.push(text)
  }
  return texts
}

type Cell = { readonly line: number; readonly column: number; readonly type: string; text: string }

function readRows(xml: string, shared: readonly string[], { rowsMax }: XlsxLimits): string[][] {
  const rows: string[][] = []
  for (const cell of cells(xml)) {
    const value = textOf(cell, shared)
    if (value === '' || cell.column >= COLUMNS_MAX) continue
    if (cell.line > rowsMax) throw new Refused({ kind: 'lines' })
    while (rows.length < cell.line) rows.push([])
    const row = rows[cell.line - 1] ?? []
    while (row.length < cell.column) row.push('')
    row[cell.column] = value
  }
  return rows
}

/** Cells in the order of the sheet, each when it has ended. */
function* cells(xml: string): Generator<Cell> {
  const path: string[] = []
  let line = 0
  let cell: Cell | undefined
  for (const token of tokens(xml)) {
    if (token.kind === 'text') {
      if (cell !== undefined && (path.at(-1) === 'v' || path.at(-1) === 't')) cell.text += token.text
      continue
    }
    follow(path, token)
    if (token.kind === 'open') [line, cell] = enter(token, line, cell)
    if (token.name === 'c' && cell !== undefined && (token.kind === 'close' || token.isEmpty)) yield cell
  }
}

/** Line and cell behind an opening tag. */
function enter(tag: Tag, line: number, cell: Cell | undefined): readonly [number, Cell | undefined] {
  switch (tag.name) {
    case 'row':
      return [lineOf(tag, line), undefined]
    case 'c':
      return [line, cellOf(tag, line, cell)]
    case 'f':
      throw new Refused({ kind: 'formula', line })
    default:
      return [line, cell]
  }
}

function lineOf({ attributes }: Tag, before: number): number {
  const line = Number(attributes.r ?? before + 1)
  if (!Number.isInteger(line) || line <= before) throw new Refused({ kind: 'format' })
  return line
}

function cellOf(
  { attributes: { r: place, t: type = 'n' } }: Tag,
  line: number,
  before: Cell | undefined,
): Cell {
  return { line, column: columnOf(place) ?? (before?.column ?? -1) + 1, type, text: '' }
}

/** Column of a place such as B2, from 0; undefined: the cell does not say it. */
function columnOf(place: string | undefined): number | undefined {
  const letters = /^[A-Z]{1,3}/.exec(place ?? '')?.[0]
  if (letters === undefined) return undefined
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
}

/** A spreadsheet keeps 15 digits of a number. */
const DIGITS_MAX = 15

function textOf({ type, text, line }: Cell, shared: readonly string[]): string {
  if (type === 's') return shared[Number(text)] ?? ''
  if (type !== 'n' || text === '') return text
  const number = Number(text)
  if (!Number.isFinite(number)) throw new Refused({ kind: 'format' })
  // The shortest form is what the cell shows: 0.1 for 0.10000000000000001.
  const shortest = String(Number(number.toPrecision(DIGITS_MAX)))
  if (Math.abs(number) >= 10 ** DIGITS_MAX || shortest.includes('e'))
    throw new Refused({ kind: 'digits', line })
  return shortest
}

// ── XML, as far as spreadsheets use it ──

type Tag = {
  readonly kind: 'open' | 'close'
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly isEmpty: boolean
}
type Token = Tag | { readonly kind: 'text'; readonly text: string }

const TOKEN =
  /<!\[CDATA\[([\s\S]*?)\]\]>|<!--[\s\S]*?-->|<\?[\s\S]*?\?>|<(\/?)([^\s/>]+)([^>]*?)(\/?)>|([^<]+)/g
const ATTRIBUTE = /([^\s=]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g

/** Reads tags and texts. Names come without the prefix of their namespace. */
function* tokens(xml: string): Generator<Token> {
  for (const [, data, close, name, rest = '', empty, text] of xml.matchAll(TOKEN)) {
    const found = data ?? (text === undefined ? undefined : plain(text))
    if (found !== undefined) yield { kind: 'text', text: found }
    if (name === undefined) continue
    const attributes: Record<string, string> = {}
    for (const [, key = '', double, single] of rest.matchAll(ATTRIBUTE)) {
      attributes[localName(key)] = plain(double ?? single ?? '')
    }
    yield {
      kind: close === '/' ? 'close' : 'open',
      name: localName(name),
      attributes,
      isEmpty: empty === '/',
    }
  }
}

/** Attributes of all tags of a name. */
function tagsOf(xml: string, name: string): readonly Tag['attributes'][] {
  return [...tokens(xml)].flatMap((token) =>
    token.kind === 'open' && token.name === name ? [token.attributes] : [],
  )
}

/** Keeps the names of the open tags. */
function follow(path: string[], { kind, name, isEmpty }: Tag): void {
  if (kind === 'close') path.pop()
  else if (!isEmpty) path.push(name)
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}

const NAMED: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }

function plain(text: string): string {
  return text.replaceAll(
    /&(?:#x([\da-f]{1,6})|#(\d{1,7})|(lt|gt|amp|quot|apos));/gi,
    (whole, hex, decimal, name) => {
      if (name !== undefined) return NAMED[String(name).toLowerCase()] ?? whole
      const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
      return code > 0x10ffff ? '' : String.fromCodePoint(code)
    },
  )
}
