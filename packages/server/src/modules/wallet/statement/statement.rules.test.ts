import { describe, expect, it } from 'vitest'
import { parseDay } from '../../../lib/dates.ts'
import { RequestError } from '../../../lib/errors.ts'
import { parseQuery } from '../../../lib/input/forms.ts'
import {
  countOf,
  kindsOf,
  onlyOf,
  readStatementParameters,
  STATEMENT_RULES,
  STATEMENT_TYPES,
  totalsOf,
} from './statement.rules.ts'

const DAY = parseDay('2026-11-15') ?? Number.NaN

function faultsOf(query: string): string[] {
  try {
    readStatementParameters(parseQuery(query))
  } catch (error) {
    if (error instanceof RequestError && error.status === 400) return Object.keys(error.fields ?? {}).sort()
    throw error
  }
  return []
}

it('a statement needs a date; the rest has defaults, and blank is not given', () => {
  const plain = { days: { from: DAY, to: DAY }, type: null, page: 1, perPage: 100 }
  expect(readStatementParameters(parseQuery('date=2026-11-15'))).toEqual(plain)
  expect(readStatementParameters(parseQuery('date=2026-11-15&type=&page=&limit='))).toEqual(plain)
  expect(
    readStatementParameters(parseQuery('date=2026-11-14+-+2026-11-15&type=REFUND&page=3&limit=1000')),
  ).toEqual({
    days: { from: DAY - 1, to: DAY },
    type: 'REFUND',
    page: 3,
    perPage: 1_000,
  })
})

it.each([
  ['', ['date']],
  ['date=', ['date']],
  ['date=15-11-2026', ['date']],
  ['date=2026-02-30', ['date']],
  ['date=2026-11-16 - 2026-11-15', ['date']],
  ['date=2026-01-01 - 2027-01-02', ['date']],
  ['date=2026-01-01 - 2027-01-01', []],
  ['date=2026-11-15&page=1&limit=1', []],
  ['date=2026-11-15&page=999999999', []],
  ['date=2026-11-15&page=1000000000', ['page']],
  ['date=2026-11-15&type=T', ['type']],
  ['date=2026-11-15&type=refund', ['type']],
  ['date=2026-11-15&type=REFUND&type=DEPOSIT', ['type']],
  ['date=2026-11-15&page=0', ['page']],
  ['date=2026-11-15&page=1.5', ['page']],
  ['date=2026-11-15&limit=0', ['limit']],
  ['date=2026-11-15&limit=1001', ['limit']],
  ['page=x&limit=x&type=x', ['date', 'limit', 'page', 'type']],
])('%j is at fault in %j', (query, fields) => {
  expect(faultsOf(query)).toEqual(fields)
})

it('every kind of entry belongs to one type of a statement', () => {
  expect(STATEMENT_TYPES.map((type) => [type, kindsOf(type)])).toEqual([
    ['DEPOSIT', ['deposit', 'adjustment']],
    ['TRANSACTION', ['payment']],
    ['REFUND', ['refund']],
    ['COMMISSION', ['commission']],
  ])
})

it('the document names the limits of a page, and the refusal names the date', () => {
  expect(STATEMENT_RULES.date.message).toMatch(/^The date field is required and /)
  expect(STATEMENT_RULES.limit.schema).toMatchObject({ minimum: 1, maximum: 1_000, default: 100 })
})

describe('the totals of a statement', () => {
  // 12 entries: a deposit of 500, an adjustment of -20, a refund of 30, 9 payments of 90 together.
  const stretch = { before: 5n, last: 17n, balanceBefore: 1_000n, balanceLast: 1_420n }
  const others = new Map([
    ['deposit', { amount: 500n, count: 1n }],
    ['adjustment', { amount: -20n, count: 1n }],
    ['refund', { amount: 30n, count: 1n }],
  ] as const)
  const totals = totalsOf(stretch, others)

  it('are the rest for payments, which are not read', () => {
    expect(totals).toEqual({
      DEPOSIT: { amount: 480n, count: 2n },
      TRANSACTION: { amount: -90n, count: 9n },
      REFUND: { amount: 30n, count: 1n },
      COMMISSION: { amount: 0n, count: 0n },
    })
    expect(countOf(totals)).toBe(12n)
  })

  it('are those of one type alone where one was asked for', () => {
    const none = { amount: 0n, count: 0n }
    expect(onlyOf(totals, null)).toEqual(totals)
    expect(onlyOf(totals, 'TRANSACTION')).toEqual({
      DEPOSIT: none,
      TRANSACTION: { amount: -90n, count: 9n },
      REFUND: none,
      COMMISSION: none,
    })
    expect(onlyOf(totals, 'REFUND').TRANSACTION).toEqual(none)
  })
})
