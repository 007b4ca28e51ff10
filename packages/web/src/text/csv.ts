// CSV as spreadsheets read and write it.

/** Beginnings that a spreadsheet takes for a formula. */
const FORMULA = /^[=+\-@\t\r]/

/** Makes a CSV file of cells. Text that a spreadsheet would run gets an apostrophe in front of it. */
export function csvText(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => `${row.map(csvCell).join(',')}\r\n`).join('')
}

function csvCell(value: string): string {
  const harmless = FORMULA.test(value) ? `'${value}` : value
  return /[",\r\n\t;]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}

/** Returns a cell as it was before `csvText` made it safe, so that a file that was downloaded can be uploaded. */
export function plainCell(text: string): string {
  const trimmed = text.trim()
  return /^'[=+\-@]/.test(trimmed) ? trimmed.slice(1) : trimmed
}

// ── Reading: a header row, cells in quotes where needed, commas, semicolons or tabs between them ──

export type CsvRow = {
  /** Number of the row's first line in the file, from 1. */
  readonly line: number
  readonly cells: readonly string[]
}

/** Reads all rows that are not empty. */
export function parseCsv(text: string): CsvRow[] {
  const source = text.replace(/^\uFEFF/, '').replace(/\r\n?/g, '\n')
  const separator = separatorOf(source)
  const rows: CsvRow[] = []
  let row: { line: number; cells: string[] } = { line: 1, cells: [] }
  let line = 1
  let at = 0
  while (at <= source.length) {
    const { cell, end } = readCell(source, at, separator)
    row.cells.push(cell)
    line += countLines(source.slice(at, end))
    at = end + 1
    if (source[end] === separator) continue
    if (row.cells.some((each) => each.trim() !== '')) rows.push(row)
    line += 1
    row = { line, cells: [] }
  }
  return rows
}

function countLines(text: string): number {
  return text.split('\n').length - 1
}

/** Reads the cell that begins at a place; `end` is the place of the separator or line end behind it. */
function readCell(source: string, from: number, separator: string): { cell: string; end: number } {
  let cell = ''
  let isQuoted = false
  let at = from
  for (; at < source.length; at += 1) {
    const char = source[at]
    if (isQuoted) {
      if (char !== '"') cell += char
      else if (source[at + 1] !== '"') isQuoted = false
      else {
        cell += char
        at += 1
      }
    } else if (char === separator || char === '\n') break
    else if (char === '"' && cell.trim() === '') {
      cell = ''
      isQuoted = true
    } else cell += char
  }
  return { cell, end: at }
}

/** Separator that the header row uses most. */
function separatorOf(text: string): string {
  const header = text.slice(0, text.search(/\n|$/))
  const counted = [',', ';', '\t'].map((each) => ({ each, count: header.split(each).length }))
  return counted.toSorted((a, b) => b.count - a.count)[0]?.each ?? ','
}
