import { describe, expect, it } from 'vitest'
import { parseDay } from '../../../lib/dates.ts'
import { RequestError } from '../../../lib/errors.ts'
import { parseQuery } from '../../../lib/input/forms.ts'
import { dayOfId, firstIdOf, possibleDays, readHistoryParameters } from './history.rules.ts'

const DAY = parseDay('2026-11-15') ?? Number.NaN

function read(query: string) {
  return readHistoryParameters(parseQuery(query))
}

/** Lists the parameters that are reported as wrong. */
function faultsOf(query: string): string[] {
  try {
    read(query)
  } catch (error) {
    if (error instanceof RequestError && error.status === 400) return Object.keys(error.fields ?? {}).sort()
    throw error
  }
  return []
}

describe('the parameters of history', () => {
  it('are a limit and a date at least; the others have their say when they are given', () => {
    expect(read('limit=10&date=2026-11-15')).toEqual({
      limit: 10,
      offset: 0,
      days: { from: DAY, to: DAY },
      statuses: [],
      account: null,
      product: null,
    })
    expect(
      read(
        'limit=1000&date=2026-11-01+-+2026-11-15&status=REFUND&status=PENDING&account=601&offset=7&product=NOVA',
      ),
    ).toEqual({
      limit: 1000,
      offset: 7,
      days: { from: DAY - 14, to: DAY },
      statuses: ['PENDING', 'REFUND'],
      account: '601',
      product: 'NOVA',
    })
  })

  it('blank is not given', () => {
    const plain = read('limit=10&date=2026-11-15')
    expect(read('limit=10&date=2026-11-15&status=&account=&offset=&product=')).toEqual(plain)
    expect(read('limit=10&date=2026-11-15&status=&status=FAILED').statuses).toEqual(['FAILED'])
  })

  it.each([
    ['', ['date', 'limit']],
    ['limit=&date=', ['date', 'limit']],
    ['limit=0&date=2026-11-15', ['limit']],
    ['limit=1001&date=2026-11-15', ['limit']],
    ['limit=-1&date=2026-11-15', ['limit']],
    ['limit=1.5&date=2026-11-15', ['limit']],
    ['limit=1&limit=2&date=2026-11-15', ['limit']],
    ['limit=1&date=2026-02-30', ['date']],
    ['limit=1&date=2026-11-16 - 2026-11-15', ['date']],
    ['limit=1&date=2026-01-01 - 2027-01-02', ['date']],
    ['limit=1&date=2026-11-15&date=2026-11-15', ['date']],
    ['limit=1&date=2026-11-15&offset=-1', ['offset']],
    ['limit=1&date=2026-11-15&offset=9999999999', ['offset']],
    ['limit=1&date=2026-11-15&status=DONE', ['status']],
    ['limit=1&date=2026-11-15&status=PENDING&status=successful', ['status']],
    [`limit=1&date=2026-11-15&account=${'9'.repeat(201)}`, ['account']],
    ['limit=1&date=2026-11-15&product=%00', ['product']],
    ['limit=x&date=x&status=x&offset=x', ['date', 'limit', 'offset', 'status']],
  ])('%j is at fault in %j', (query, fields) => {
    expect(faultsOf(query)).toEqual(fields)
  })
})

describe('a day as a range of ids', () => {
  it('holds its first and its last millisecond, and no other', () => {
    expect(dayOfId(firstIdOf(DAY))).toBe(DAY)
    expect(dayOfId(firstIdOf(DAY) - 1n)).toBe(DAY - 1)
    expect(dayOfId(firstIdOf(DAY + 1) - 1n)).toBe(DAY)
  })

  it('days that no id can have have no range', () => {
    const ancient = parseDay('0001-01-01') ?? Number.NaN
    const far = parseDay('9999-12-31') ?? Number.NaN
    expect(possibleDays({ from: ancient, to: ancient })).toBeUndefined()
    expect(possibleDays({ from: far, to: far })).toBeUndefined()
    expect(possibleDays({ from: ancient, to: DAY })).toEqual({ from: 0, to: DAY })
    const last = possibleDays({ from: DAY, to: far })
    expect(firstIdOf((last?.to ?? Number.NaN) + 1)).toBeLessThan(2n ** 63n)
  })
})
