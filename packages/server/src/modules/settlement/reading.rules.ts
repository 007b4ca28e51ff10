import type { CsvRecord } from '../../lib/input/csv-stream.ts'
import { createCsvStream } from '../../lib/input/csv-stream.ts'
import type { ColumnPositions, NameOf } from './lines.rules.ts'
import { findColumns, readLine } from './lines.rules.ts'
import type { Mapping, Problem, SettlementLine } from './types.ts'

export type FileReader = {
  push(bytes: Uint8Array): void
  end(): void
  /** Takes the lines read so far when there are at least that many; the caller of `push` must take them. */
  take(atLeast: number): readonly SettlementLine[] | undefined
  report(line: number, message: string): void
  /** The first problems; `problemCount` counts all. */
  readonly problems: readonly Problem[]
  readonly problemCount: number
}

const PROBLEMS_KEPT = 1_000
/** Limit above any real file; the number of a line is an integer in the database. */
const LINES_MAX = 50_000_000

/** Turns the bytes of a file into orders, chunk by chunk. */
export function createLineReader(mapping: Mapping, nameOf: NameOf): FileReader {
  const found = createProblemList()
  const { report } = found
  let lines: SettlementLine[] = []
  let records = 0
  /** The last record that begins on one of the header lines. */
  let headings: CsvRecord | undefined
  let positions: ColumnPositions | undefined
  let isUnreadable = false
  const decoder = new TextDecoder(mapping.encoding, { fatal: true })

  const useColumns = () => {
    const columns = findColumns(mapping, headings?.cells ?? null)
    positions = columns.positions
    if (positions === undefined && headings === undefined) {
      report(0, `the file has no headings up to line ${mapping.headerLines}`)
    } else for (const problem of columns.problems) report(headings?.line ?? 0, problem)
    // Every line would only repeat the same problem.
    isUnreadable = positions === undefined
  }

  const stream = createCsvStream({
    separator: mapping.separator,
    onProblem: report,
    onRecord(record) {
      records += 1
      if (isUnreadable) return
      if (record.line <= mapping.headerLines) {
        headings = record
        return
      }
      if (positions === undefined) useColumns()
      if (positions === undefined) return
      const reading = readLine(mapping, positions, record, nameOf)
      if (reading.kind === 'problems') for (const problem of reading.problems) report(record.line, problem)
      else if (reading.kind === 'line') lines.push(reading.line)
      if (record.line > LINES_MAX) {
        report(record.line, `there are more than ${LINES_MAX} lines`)
        isUnreadable = true
      }
    },
  })

  function decode(bytes: Uint8Array | undefined): void {
    if (isUnreadable) return
    try {
      stream.push(bytes === undefined ? decoder.decode() : decoder.decode(bytes, { stream: true }))
    } catch (error) {
      if (!(error instanceof TypeError)) throw error
      isUnreadable = true
      report(0, `the file is not ${mapping.encoding}, somewhere after record ${records}`)
    }
  }

  return {
    push: decode,
    end() {
      decode(undefined)
      if (!isUnreadable) stream.end()
      if (found.count() > 0) return
      if (records === 0) report(0, 'the file has no headings')
      else if (positions === undefined) useColumns()
    },
    take(atLeast) {
      if (lines.length < atLeast) return undefined
      const taken = lines
      lines = []
      return taken
    },
    report,
    problems: found.kept,
    get problemCount() {
      return found.count()
    },
  }
}

/** Counts all problems and keeps the first ones. */
function createProblemList() {
  const kept: Problem[] = []
  let count = 0
  return {
    kept,
    count: () => count,
    report(line: number, message: string): void {
      count += 1
      if (kept.length < PROBLEMS_KEPT) kept.push({ line, message })
    },
  }
}
