import fc from 'fast-check'
import { expect, it } from 'vitest'
import { runs } from '../../testing/runs.ts'
import { parseCsv, printCsv } from './csv.ts'
import type { CsvRecord } from './csv-stream.ts'
import { createCsvStream } from './csv-stream.ts'

function read(pieces: readonly string[]) {
  const records: CsvRecord[] = []
  const problems: number[] = []
  const stream = createCsvStream({
    separator: ',',
    onRecord: (record) => records.push(record),
    onProblem: (line) => problems.push(line),
  })
  for (const piece of pieces) stream.push(piece)
  stream.end()
  return { records, problems }
}

/** Cuts the text at any positions. */
function cut(text: string, at: readonly number[]): string[] {
  const positions = [...new Set(at.map((each) => each % (text.length + 1)))].sort((a, b) => a - b)
  return [0, ...positions].map((from, index) => text.slice(from, positions[index] ?? text.length))
}

const CELL = fc.oneof(fc.string(), fc.constantFrom('', '"', ',', '\r\n', '\n', '\r', ' a ', '""', 'é'))
const CUTS = fc.array(fc.nat(10_000), { maxLength: 6 })

it('printed CSV is read back as it was, however the text is cut', () => {
  fc.assert(
    fc.property(fc.array(fc.array(CELL, { minLength: 2, maxLength: 5 })), CUTS, (rows, cuts) => {
      const { records, problems } = read(cut(printCsv(rows), cuts))
      expect(problems).toEqual([])
      expect(records.map(({ cells }) => cells)).toEqual(rows)
    }),
  )
})

it('any text is read like a whole file is, line numbers included, however it is cut', () => {
  const text = fc.array(fc.constantFrom('a', 'b', ',', '"', '\n', '\r', '\r\n'), { maxLength: 40 })
  fc.assert(
    fc.property(text, CUTS, (parts, cuts) => {
      const whole = parts.join('')
      const told: number[] = []
      const expected = parseCsv(whole, (line) => told.push(line))
      const streamed = read(cut(whole, cuts))
      expect(streamed).toEqual(read([whole]))
      if (told.length === 0) expect(streamed).toEqual({ records: expected, problems: [] })
      else expect(streamed.problems).not.toEqual([])
    }),
    { numRuns: runs(1_000) },
  )
})
