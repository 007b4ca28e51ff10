import { describe, expect, it } from 'vitest'
import type { CsvRecord } from './csv-stream.ts'
import { createCsvStream, RECORD_CHARS_MAX } from './csv-stream.ts'

function read(pieces: readonly string[], separator = ',') {
  const records: CsvRecord[] = []
  const problems: [number, string][] = []
  const stream = createCsvStream({
    separator,
    onRecord: (record) => records.push(record),
    onProblem: (line, message) => problems.push([line, message]),
  })
  for (const piece of pieces) stream.push(piece)
  stream.end()
  return { records, problems }
}

const cellsOf = (text: string, separator?: string) =>
  read([text], separator).records.map(({ cells }) => cells)

describe('records', () => {
  it.each([
    [
      'a,b\r\nc,d\r\n',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    [
      'a,b\nc,d',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    [
      'a,b\rc,d',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    [
      'a,,\n,b',
      [
        ['a', '', ''],
        ['', 'b'],
      ],
    ],
    ['"a,b","c\r\nd"\n', [['a,b', 'c\r\nd']]],
    ['"say ""hi""",x', [['say "hi"', 'x']]],
    ['""\n', [['']]],
    ['\n\n a \n\n', [[' a ']]],
    ['', []],
  ])('%j', (text, cells) => {
    expect(cellsOf(text)).toEqual(cells)
  })

  it('may have another separator', () => {
    expect(cellsOf('a;b,c\n', ';')).toEqual([['a', 'b,c']])
    expect(cellsOf('a\tb', '\t')).toEqual([['a', 'b']])
  })

  it('begin on the line on which they begin, whatever the cells hold', () => {
    expect(read(['a\r\n"b\nc\r\nd"\r\n\r\ne']).records.map(({ line }) => line)).toEqual([1, 2, 6])
  })
})

describe('broken quoting', () => {
  it.each([
    ['x\na"b,c\nd', 2, 'a quote inside a cell'],
    ['x\n"a"b,c\nd', 2, 'text after a closing quote'],
  ])('%j is told with its line, and reading goes on', (text, line, message) => {
    const { records, problems } = read([text])
    expect(problems).toEqual([[line, expect.stringContaining(message)]])
    expect(records.map(({ cells }) => cells)).toEqual([['x'], ['d']])
  })

  it('quotes that are open to the end of the file are told with the line of their beginning', () => {
    expect(read(['x\n"a\nb']).problems).toEqual([[2, expect.stringContaining('cut off')]])
  })

  it('does not swallow a large file', () => {
    const { problems } = read(['x\n"', ...Array.from({ length: 2_000 }, () => `${'y'.repeat(99)}\n`)])
    expect(problems[0]).toEqual([2, expect.stringContaining(`${RECORD_CHARS_MAX}`)])
  })

  it.each([
    ['quotes', '', '"'],
    ['separators', '', ','],
    ['quoted line ends', '"', '\n'],
  ])('a record of nothing but %s does not grow without end either', (_, start, content) => {
    const pieces = ['x\n', start, ...Array.from({ length: 100 }, () => content.repeat(2_000)), '\n"a"\n']
    const { records, problems } = read(pieces)
    expect(problems[0]).toEqual([2, expect.stringContaining(`${RECORD_CHARS_MAX}`)])
    const longest = Math.max(...records.map(({ cells }) => cells.length))
    expect(longest).toBe(1)
  })
})
