import { describe, expect, it } from 'vitest'
import { csvText, parseCsv, plainCell } from './csv.ts'

it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1'])('%j is text in a spreadsheet', (cell) => {
  expect(csvText([['before', cell]])).toMatch(/^before,"?'/)
})

it('cells with commas, quotes and line ends stay one cell', () => {
  expect(csvText([['a,b', 'say "x"', 'two\nlines', 'plain']])).toBe(
    '"a,b","say ""x""","two\nlines",plain\r\n',
  )
})

it('text that is no formula stays as it is', () => {
  expect(csvText([['a=b', '1-2', 'x@example.com', '']])).toBe('a=b,1-2,x@example.com,\r\n')
})

describe('a CSV file', () => {
  it('is read with quotes, separators, line ends and a byte order mark as spreadsheets write them', () => {
    expect(parseCsv('\uFEFFa;b\r\n"1;2";"say ""hi"""\r\n\r\n3;4').map(({ cells }) => cells)).toEqual([
      ['a', 'b'],
      ['1;2', 'say "hi"'],
      ['3', '4'],
    ])
    expect(parseCsv('a\tb\n1\t2\n').map(({ cells }) => cells)).toEqual([
      ['a', 'b'],
      ['1', '2'],
    ])
  })

  it('names each row by its line in the file, also after empty lines and cells of several lines', () => {
    expect(parseCsv('a,b\n\n"x\ny",1\n2,3\n').map(({ line }) => line)).toEqual([1, 3, 5])
  })

  it('is written so that no cell is run as a formula, and read back as it was', () => {
    const cells = ['=1+1', '+60123456789', '-5', '@cmd', 'plain', 'a,b', 'q"q', 'two\nlines']
    const [row] = parseCsv(csvText([cells]))
    for (const cell of row?.cells ?? []) expect(cell).not.toMatch(/^[=+\-@\t\r]/)
    expect(row?.cells.map(plainCell)).toEqual(cells)
  })
})
