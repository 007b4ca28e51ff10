import { describe, expect, it } from 'vitest'
import { findColumns, findSeparator, readTheirLine } from './reconcile-reading.rules.ts'

describe('headings', () => {
  it('stand in any order and case, with others between them', () => {
    expect(findColumns([' Date', 'Customer', 'REFID', 'amount ', 'x'])).toEqual({
      positions: { refid: 2, amount: 3, status: undefined, date: 0 },
    })
  })

  it.each([
    [['id', 'amount'], /no column refid; there is: id, amount/],
    [['refid', 'Refid'], /refid is there twice/],
    [['refid', 'amount', 'AMOUNT'], /amount is there twice/],
  ])('%j cannot be used', (headings, problem) => {
    expect(findColumns(headings)).toEqual({ problem: expect.stringMatching(problem) })
  })
})

it.each([
  ['refid,amount', ',', false],
  ['refid;amount;a,b', ';', false],
  ['refid\tamount', '\t', false],
  ['refid|amount', '|', false],
  ['"a;b;c",refid', ',', false],
  ['refid', ',', false],
  ['sep=;', ';', true],
])('%j is divided by %j', (line, separator, isDirective) => {
  expect(findSeparator(line)).toEqual({ separator, isDirective })
})

const PLACES = { refid: 0, amount: 1, status: 2, date: 3 }
const read = (...cells: string[]) => readTheirLine(PLACES, { line: 7, cells })

describe('a line', () => {
  it('says what its cells say, and nothing where they are empty or not there', () => {
    expect(read('R-1')).toEqual({ line: 7, refid: 'R-1', amount: null, state: null, time: null })
    expect(read('R-1', ' 10.00 ', 'Succesful', '2026-10-31')).toMatchObject({
      refid: 'R-1',
      amount: 100_000n,
      state: 'succeeded',
      time: { atMs: null, hasZone: false },
    })
  })

  it.each([
    ['10', 100_000n],
    ['10.5', 105_000n],
    ['0.0001', 1n],
    ['-10.00', 100_000n],
    ['RM 1,234.50', 12_345_000n],
    ['MYR10', 100_000n],
    ['10,50', 105_000n],
    ["'-10.00", 100_000n],
  ])('the amount %s is read', (cell, amount) => expect(read('R', cell)).toMatchObject({ amount }))

  it.each([
    'ten',
    '1e3',
    '10.00001',
    '1,23,4',
    '10,500.',
    '1.234,50',
    '922337203685477.5808',
    '9'.repeat(5_000),
  ])('the amount %s is none, and the line says so', (cell) =>
    expect(read('R', cell)).toEqual({ line: 7, problem: expect.stringContaining('amount') }),
  )

  it.each([
    ['SUCCESSFUL', 'succeeded'],
    ['succesful', 'succeeded'],
    ['20', 'succeeded'],
    ['Accepted', 'pending'],
    ['processing', 'pending'],
    ['1', 'pending'],
    ['Failed', 'failed'],
    ['48', 'failed'],
    ['REFUND', 'refunded'],
    ['53', 'refunded'],
  ])('the status %s means %s', (cell, state) => expect(read('R', '', cell)).toMatchObject({ state }))

  it.each(['maybe', '99', 'constructor', 'toString'])('the status %s is not guessed at', (cell) => {
    expect(read('R', '', cell)).toEqual({ line: 7, problem: `status: "${cell}" is not known` })
  })

  it('everything that is wrong with it is told at once', () => {
    expect(read('', 'x', 'y', 'z')).toMatchObject({
      problem: expect.stringMatching(/refid: is empty; amount: .*; status: .*; date: /),
    })
  })

  it.each(['R'.repeat(51), 'R\u0000', 'R\ufffd'])('a refid that cannot be one is told: %j', (refid) => {
    expect(read(refid)).toMatchObject({ problem: expect.stringMatching(/^refid: has/) })
  })

  it.each([' R-1 ', 'R\t1', 'R\n', '\u{1f4b8}'.repeat(50), ' '.repeat(4) + 'R'.repeat(46)])(
    'a refid is what it is, to the letter: %j',
    (refid) => expect(read(refid)).toMatchObject({ refid }),
  )

  it('spaces that make a refid too long were put on by somebody else', () => {
    expect(read(`R-1${' '.repeat(60)}`)).toMatchObject({ refid: 'R-1' })
    expect(read('   ')).toEqual({ line: 7, problem: 'refid: is empty' })
  })

  it('nothing that cannot be stored is in what is said about a line', () => {
    expect(read('R', 'a\u0000b\u0000c\ufffd\n')).toEqual({
      line: 7,
      problem: expect.stringContaining('"a?b?c?"'),
    })
  })

  it('a refid that a spreadsheet was kept from running is the refid', () => {
    expect(read("'=A1")).toMatchObject({ refid: '=A1' })
    expect(read("'abc")).toMatchObject({ refid: "'abc" })
  })
})
