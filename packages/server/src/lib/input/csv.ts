/** Record of a CSV file (RFC 4180) and the line on which it begins, counted from 1. */
export type CsvRecord = { readonly line: number; readonly cells: readonly string[] }

export type OnCsvProblem = (line: number, message: string) => void

const QUOTE = 0x22
const COMMA = 0x2c
const LF = 0x0a
const CR = 0x0d

type Scan = {
  readonly text: string
  readonly onProblem: OnCsvProblem
  at: number
  line: number
}

/**
 * Reads a whole file in one pass. Lines may end in CRLF, LF or CR; empty lines are no records. Broken quoting is
 * reported with its line, and reading goes on with the next cell where that is possible.
 */
export function parseCsv(text: string, onProblem: OnCsvProblem): CsvRecord[] {
  return [...scanCsv(text, onProblem)]
}

/** Reads the records one by one, for files whose records need not all be in memory together. */
export function* scanCsv(text: string, onProblem: OnCsvProblem): Generator<CsvRecord> {
  const scan: Scan = { text, onProblem, at: 0, line: 1 }
  while (scan.at < text.length) {
    if (skipLineEnd(scan)) continue
    yield readRecord(scan)
  }
}

function readRecord(scan: Scan): CsvRecord {
  const { line } = scan
  const cells: string[] = []
  for (;;) {
    cells.push(scan.text.charCodeAt(scan.at) === QUOTE ? readQuoted(scan) : readPlain(scan))
    if (scan.text.charCodeAt(scan.at) !== COMMA) break
    scan.at += 1
  }
  skipLineEnd(scan)
  return { line, cells }
}

function readPlain(scan: Scan): string {
  const from = scan.at
  let hasQuote = false
  for (; scan.at < scan.text.length; scan.at += 1) {
    const unit = scan.text.charCodeAt(scan.at)
    if (unit === COMMA || unit === LF || unit === CR) break
    if (unit === QUOTE) hasQuote = true
  }
  if (hasQuote) {
    scan.onProblem(scan.line, 'a quote inside a cell: put the whole cell in quotes, and double those inside')
  }
  return scan.text.slice(from, scan.at)
}

function readQuoted(scan: Scan): string {
  const { text, line: openedOn } = scan
  const from = scan.at + 1
  let isDoubled = false
  for (scan.at = from; ; scan.at += 1) {
    if (scan.at >= text.length) {
      scan.onProblem(openedOn, 'a quoted cell begins on this line and never ends: the file is cut off')
      return text.slice(from)
    }
    const unit = text.charCodeAt(scan.at)
    if (unit === LF || (unit === CR && text.charCodeAt(scan.at + 1) !== LF)) scan.line += 1
    if (unit !== QUOTE) continue
    if (text.charCodeAt(scan.at + 1) !== QUOTE) break
    isDoubled = true
    scan.at += 1
  }
  const cell = text.slice(from, scan.at)
  scan.at += 1
  refuseRest(scan)
  return isDoubled ? cell.replaceAll('""', '"') : cell
}

/** Reports text between the closing quote and the end of the cell, and skips it, so that reading goes on. */
function refuseRest(scan: Scan): void {
  const from = scan.at
  for (; scan.at < scan.text.length; scan.at += 1) {
    const unit = scan.text.charCodeAt(scan.at)
    if (unit === COMMA || unit === LF || unit === CR) break
  }
  if (scan.at > from) scan.onProblem(scan.line, 'text after a closing quote')
}

function skipLineEnd(scan: Scan): boolean {
  const unit = scan.text.charCodeAt(scan.at)
  if (unit !== LF && unit !== CR) return false
  scan.at += unit === CR && scan.text.charCodeAt(scan.at + 1) === LF ? 2 : 1
  scan.line += 1
  return true
}

const NEEDS_QUOTES = /[",\r\n]|^\s|\s$/

/** Prints records, each followed by CRLF as RFC 4180 requires. */
export function printCsv(records: readonly (readonly string[])[]): string {
  return records.map((cells) => `${cells.map(printCell).join(',')}\r\n`).join('')
}

function printCell(cell: string): string {
  return NEEDS_QUOTES.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}

// Matches text that a spreadsheet takes for a formula, full-width forms included, with any apostrophes in front of it.
const FORMULA = /^'*[=+\-@\t\r\n＝＋－＠]/u
const GUARDED = /^'+[=+\-@\t\r\n＝＋－＠]/u

/** Adds an apostrophe, so that a spreadsheet shows the text instead of running it as a formula. */
export function guardFormula(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text
}

/** Removes exactly the apostrophe that `guardFormula` added, so that every text comes back unchanged. */
export function unguardFormula(text: string): string {
  return GUARDED.test(text) ? text.slice(1) : text
}
