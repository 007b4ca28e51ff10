/** Record of a CSV file and the line on which it begins, counted from 1. */
export type CsvRecord = { readonly line: number; readonly cells: readonly string[] }

export type CsvStream = {
  push(text: string): void
  end(): void
}

const QUOTE = 0x22
const LF = 0x0a
const CR = 0x0d
/**
 * Limit of a record's characters, quotes and separators included. A quote that never closes must not swallow the rest
 * of a large file, and a line of only quotes or separators must not become millions of cells.
 */
export const RECORD_CHARS_MAX = 64 * 1024

type Mode = 'start' | 'plain' | 'quoted' | 'after_quote' | 'spoilt'

/**
 * Reads a file of any size in pieces, record by record: `csv.ts` reads a whole file at once. Lines may end in CRLF, LF
 * or CR; empty lines are no records. Broken quoting is reported with its line, and reading goes on.
 */
export function createCsvStream(options: {
  readonly separator: string
  readonly onRecord: (record: CsvRecord) => void
  readonly onProblem: (line: number, message: string) => void
}): CsvStream {
  const separator = options.separator.charCodeAt(0)
  let mode: Mode = 'start'
  let cells: string[] = []
  let cell = ''
  let recordLine = 1
  let line = 1
  let recordChars = 0
  let wasCr = false
  let isQuoted = false

  function endCell(): void {
    if (mode === 'spoilt') return
    cells.push(cell)
    cell = ''
    mode = 'start'
  }

  function endRecord(): void {
    endCell()
    const isEmpty = cells.length === 1 && cells[0] === '' && !isQuoted
    if (mode !== 'spoilt' && !isEmpty) options.onRecord({ line: recordLine, cells })
    mode = 'start'
    cells = []
    cell = ''
    recordChars = 0
    isQuoted = false
  }

  function spoil(message: string): void {
    options.onProblem(recordLine, message)
    mode = 'spoilt'
  }

  /** Returns the end of the run of characters that need no check. */
  function endOfRun(text: string, from: number): number {
    let at = from
    for (; at < text.length; at += 1) {
      const unit = text.charCodeAt(at)
      if (unit === QUOTE || unit === CR || unit === LF) break
      if (unit === separator && mode !== 'quoted') break
    }
    return at
  }

  function count(chars: number): void {
    recordChars += chars
    if (recordChars <= RECORD_CHARS_MAX || mode === 'spoilt') return
    cell = ''
    cells = []
    spoil(`a record of more than ${RECORD_CHARS_MAX} characters: is a quote never closed?`)
  }

  function take(run: string): void {
    count(run.length)
    if (mode === 'after_quote') spoil('text after a closing quote')
    else if (mode !== 'spoilt') {
      cell += run
      if (mode === 'start') mode = 'plain'
    }
  }

  function takeQuote(): void {
    count(1)
    if (mode === 'start') {
      mode = 'quoted'
      isQuoted = true
    } else if (mode === 'quoted') mode = 'after_quote'
    else if (mode === 'after_quote') {
      cell += '"'
      mode = 'quoted'
    } else if (mode === 'plain') {
      spoil('a quote inside a cell: put the whole cell in quotes, and double those inside')
    }
  }

  function takeLineEnd(unit: number): void {
    const isSecondHalf = unit === LF && wasCr
    if (!isSecondHalf) line += 1
    if (mode === 'quoted') {
      cell += unit === LF ? '\n' : '\r'
      count(1)
      return
    }
    if (!isSecondHalf) endRecord()
    recordLine = line
  }

  return {
    push(text) {
      for (let at = 0; at < text.length; ) {
        const end = endOfRun(text, at)
        if (end > at) {
          take(text.slice(at, end))
          wasCr = false
          at = end
          continue
        }
        const unit = text.charCodeAt(at)
        if (unit === QUOTE) takeQuote()
        else if (unit === CR || unit === LF) takeLineEnd(unit)
        else {
          count(1)
          endCell()
        }
        wasCr = unit === CR
        at += 1
      }
    },
    end() {
      if (mode === 'quoted') {
        spoil('a quoted cell begins in this record and never ends: the file is cut off')
      }
      if (cells.length > 0 || cell !== '' || mode !== 'start') endRecord()
    },
  }
}
