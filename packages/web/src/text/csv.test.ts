import { expect, it } from 'vitest'
import { csvText } from './csv.ts'

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
