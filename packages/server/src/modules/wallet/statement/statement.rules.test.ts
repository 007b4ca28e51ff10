import { expect, it } from 'vitest'
import { parseDay } from '../../../lib/dates.ts'
import { RequestError } from '../../../lib/errors.ts'
import { parseQuery } from '../../../lib/input/forms.ts'
import { readStatementParameters } from './statement.rules.ts'

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
