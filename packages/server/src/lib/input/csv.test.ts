import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { guardFormula, parseCsv, printCsv, unguardFormula } from './csv.ts'

function read(text: string) {
  const problems: string[] = []
  const records = parseCsv(text, (line, message) => problems.push(`${line}: ${message}`))
  return { problems, rows: records.map(({ line, cells }) => [line, ...cells]) }
}

describe('CSV', () => {
  it.each([
    [
      'a,b\r\nc,d\r\n',
      [
        [1, 'a', 'b'],
        [2, 'c', 'd'],
      ],
    ],
    [
      'a,b\nc,d',
      [
        [1, 'a', 'b'],
        [2, 'c', 'd'],
      ],
    ],
    [
      'a,b\rc,d\r',
      [
        [1, 'a', 'b'],
        [2, 'c', 'd'],
      ],
    ],
    ['"a,b","c""d"\n', [[1, 'a,b', 'c"d']]],
    [
      '"a\r\nb",c\nd,e',
      [
        [1, 'a\r\nb', 'c'],
        [3, 'd', 'e'],
      ],
    ],
    [
      '"a\rb",c\nd,e',
      [
        [1, 'a\rb', 'c'],
        [3, 'd', 'e'],
      ],
    ],
    [
      'a,,\n,\n',
      [
        [1, 'a', '', ''],
        [2, '', ''],
      ],
    ],
    [
      'a,b\n\n\nc,d\n\n',
      [
        [1, 'a', 'b'],
        [4, 'c', 'd'],
      ],
    ],
    ['"",""\n', [[1, '', '']]],
    ['a, b ', [[1, 'a', ' b ']]],
    ['', []],
  ])('reads %j', (text, rows) => expect(read(text)).toEqual({ rows, problems: [] }))

  it.each([
    ['a,b\n"c,d\ne,f\n', /^2: a quoted cell begins on this line and never ends/],
    ['a,b\nc,d"e\n', /^2: a quote inside a cell/],
    ['a,b\n"c" x,d\n', /^2: text after a closing quote/],
    ['a,"b\nc"d\n', /^2: text after a closing quote/],
  ])('tells what is wrong with %j and where', (text, problem) => {
    expect(read(text).problems).toEqual([expect.stringMatching(problem)])
  })

  it('goes on after a broken cell', () => {
    expect(read('a,b\n"c"x,d\ne,f').rows).toEqual([
      [1, 'a', 'b'],
      [2, 'c', 'd'],
      [3, 'e', 'f'],
    ])
  })

  it('CSV that is written reads back exactly', () => {
    const cell = fc.string({
      unit: fc.constantFrom('a', ',', '"', '\r', '\n', ' ', '\t', "'", '=', 'é', '😀'),
    })
    fc.assert(
      fc.property(fc.array(fc.array(cell, { minLength: 2, maxLength: 5 })), (records) => {
        const { rows, problems } = read(printCsv(records))
        expect(problems).toEqual([])
        expect(rows.map(([, ...cells]) => cells)).toEqual(records)
      }),
    )
  })
})

describe('a text that a spreadsheet would run', () => {
  it.each(['=1+1', '+6012', '-5', '@sum', '\tx', '\rx', '\nx', '＝1', '＠x', "'=1", "''+1"])(
    '%j is written with an apostrophe in front',
    (text) => expect(guardFormula(text)).toBe(`'${text}`),
  )

  it.each(['a=1', "'a", "''", '', ' =1', '10.00', "'"])('%j is written as it is', (text) =>
    expect(guardFormula(text)).toBe(text),
  )

  it('comes back as it was, and a text that was never guarded stays what it is', () => {
    const text = fc.string({
      unit: fc.constantFrom("'", '=', '+', '-', '@', '\t', '\r', '\n', '＝', 'a', ' '),
    })
    fc.assert(
      fc.property(text, (each) => {
        expect(unguardFormula(guardFormula(each))).toBe(each)
        expect(guardFormula(each)).not.toMatch(/^[=+\-@\t\r\n＝＋－＠]/u)
      }),
    )
    for (const typed of ['=1', '-5', '@x', "'a"]) expect(unguardFormula(typed)).toBe(typed)
  })
})
