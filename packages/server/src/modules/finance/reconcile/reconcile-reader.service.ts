import { setImmediate } from 'node:timers/promises'
import { invalidFields } from '../../../lib/errors.ts'
import { createCsvStream } from '../../../lib/input/csv-stream.ts'
import type { ResellerLine, Unreadable } from './reconcile.types.ts'
import type { ColumnPositions } from './reconcile-reading.rules.ts'
import { findColumns, findSeparator, readTheirLine } from './reconcile-reading.rules.ts'

type Line = ResellerLine | Unreadable
type CsvStream = ReturnType<typeof createCsvStream>

/** Limit of the first line: longer than any row of headings. A file without line ends is refused. */
const FIRST_LINE_CHARS_MAX = 64 * 1024
/** Bytes read in one go. The shortest lines take about 10 ms per piece. Other work runs between two pieces. */
const PIECE_BYTES = 8 * 1024
/** Limit of lines: the line's number is an integer in the database. */
const LINES_MAX = 50_000_000

/**
 * Turns the bytes of a reseller's file into lines, piece by piece. Other work runs between two pieces, because an
 * upload is read beside payments. A line that cannot be read becomes an unreadable line. A file without a column refid
 * is refused with a message. Bytes that are not UTF-8 spoil only the refids that contain them: a customer's name in
 * another column may be in any encoding.
 */
export async function* readResellerFile(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Line[]> {
  // TextDecoder removes a byte order mark by itself.
  const decoder = new TextDecoder('utf-8')
  const reader = createReader()
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length; at += PIECE_BYTES) {
      reader.push(decoder.decode(chunk.subarray(at, at + PIECE_BYTES), { stream: true }))
      await setImmediate()
    }
    // An empty list is yielded too, so that the reader can check whether to go on.
    yield reader.take()
  }
  reader.push(decoder.decode())
  reader.end()
  const lines = reader.take()
  if (lines.length > 0) yield lines
}

function createReader() {
  let head = ''
  let stream: CsvStream | undefined
  let positions: ColumnPositions | undefined
  let lines: Line[] = []
  let addedLines = 0

  function open(firstLine: string): CsvStream {
    const { separator, isDirective } = findSeparator(firstLine)
    if (isDirective) {
      addedLines = 1
      head = head.slice(firstLine.length).replace(/^(\r\n|\n|\r)/, '')
    }
    return createCsvStream({
      separator,
      onProblem(line, problem) {
        if (positions === undefined) throw refused(`its headings cannot be read: ${problem}`)
        lines.push({ line: line + addedLines, problem })
      },
      onRecord({ line, cells }) {
        if (positions === undefined) {
          const found = findColumns(cells)
          if ('problem' in found) throw refused(found.problem)
          positions = found.positions
          return
        }
        if (line > LINES_MAX) throw refused(`it has more than ${LINES_MAX} lines`)
        // A spreadsheet leaves rows of separators alone under a table.
        if (cells.some((cell) => cell.trim() !== '')) {
          lines.push(readTheirLine(positions, { line: line + addedLines, cells }))
        }
      },
    })
  }

  function begin(isEnd: boolean): void {
    const end = /\r|\n/.exec(head)?.index
    if (end === undefined && head.length > FIRST_LINE_CHARS_MAX) throw refused('its first line has no end')
    if (end === undefined && !isEnd) return
    stream = open(head.slice(0, end))
    stream.push(head)
    head = ''
  }

  return {
    push(text: string): void {
      if (stream !== undefined) {
        stream.push(text)
        return
      }
      head += text
      begin(false)
    },
    end(): void {
      if (stream === undefined) begin(true)
      stream?.end()
      if (positions === undefined) throw refused('it is empty: there is no column refid')
    },
    take(): Line[] {
      const taken = lines
      lines = []
      return taken
    },
  }
}

function refused(reason: string) {
  return invalidFields({ file: [reason] }, `The file cannot be compared: ${reason}.`)
}
