import { describe, expect, it } from 'vitest'
import { parseDay } from '../../../lib/dates.ts'
import { RequestError } from '../../../lib/errors.ts'
import { parseQuery } from '../../../lib/input/forms.ts'
import type { DaySum } from './history.rules.ts'
import {
  codeFilterOf,
  dayOfId,
  findPageStart,
  firstIdOf,
  HISTORY_RULES,
  matching,
  possibleDays,
  readHistoryParameters,
  STATUSES,
  statusOf,
  totalsOf,
} from './history.rules.ts'

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
    ['limit=1&date=2026-11-15&offset=0', []],
    ['limit=1&date=2026-11-15&offset=999999999', []],
    ['limit=1&date=2026-11-15&offset=1000000000', ['offset']],
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
    expect(possibleDays({ from: DAY, to: DAY })).toEqual({ from: DAY, to: DAY })
    const last = possibleDays({ from: DAY, to: far })
    expect(last?.to).toBe(parseDay('2200-01-01'))
    expect(firstIdOf((last?.to ?? Number.NaN) + 1)).toBeLessThan(2n ** 63n)
  })
})

it('the document names the parameters and the statuses as they are read', () => {
  expect(HISTORY_RULES.limit.message).toMatch(/^The limit field is required and /)
  expect(HISTORY_RULES.date.message).toMatch(/^The date field is required and /)
  expect(HISTORY_RULES.status.schema).toEqual({
    type: 'array',
    items: { type: 'string', enum: ['SUCCESSFUL', 'PENDING', 'FAILED', 'REFUND'] },
  })
  expect(HISTORY_RULES.status.read('FAILED')).toEqual(['FAILED'])
})

it.each([
  [0, 'PENDING'],
  [1, 'PENDING'],
  [20, 'SUCCESSFUL'],
  [48, 'FAILED'],
  [53, 'REFUND'],
] as const)('the code %s is %s in the history', (code, status) => expect(statusOf(code)).toBe(status))

describe('the sums of days', () => {
  const sum = (day: number, code: DaySum['code'], payments: bigint): DaySum => ({
    day,
    code,
    payments,
    faceValue: payments * 100n,
    cost: payments * 97n,
  })
  const sums = [sum(7, 20, 3n), sum(7, 48, 2n), sum(9, 1, 4n), sum(8, 53, 5n), sum(9, 0, 6n)]

  it('count every payment, and the money of those that succeeded or still may', () => {
    expect(totalsOf(sums)).toEqual({
      payments: 20n,
      counts: { SUCCESSFUL: 3n, PENDING: 10n, FAILED: 2n, REFUND: 5n },
      faceValue: 1_300n,
      cost: 1_261n,
    })
    expect(totalsOf([])).toEqual({
      payments: 0n,
      counts: { SUCCESSFUL: 0n, PENDING: 0n, FAILED: 0n, REFUND: 0n },
      faceValue: 0n,
      cost: 0n,
    })
  })

  it('are those of the wanted statuses', () => {
    expect(matching(sums, [])).toEqual(sums)
    expect(matching(sums, ['PENDING', 'FAILED']).map(({ code }) => code)).toEqual([48, 1, 0])
    expect(matching(sums, ['REFUND']).map(({ code }) => code)).toEqual([53])
  })

  it('say where a page begins: on the newest day that is not passed over', () => {
    expect(findPageStart(sums, 0)).toEqual({ day: 9, passOver: 0n })
    expect(findPageStart(sums, 9)).toEqual({ day: 9, passOver: 9n })
    expect(findPageStart(sums, 10)).toEqual({ day: 8, passOver: 0n })
    expect(findPageStart(sums, 15)).toEqual({ day: 7, passOver: 0n })
    expect(findPageStart(sums, 19)).toEqual({ day: 7, passOver: 4n })
    expect(findPageStart(sums, 20)).toBeUndefined()
  })
})

it('a filter by status names the codes, and failures as all others', () => {
  expect(codeFilterOf([])).toBeNull()
  expect(codeFilterOf(STATUSES)).toBeNull()
  expect(codeFilterOf(['SUCCESSFUL'])).toEqual({ codes: [20], hasFailed: false })
  expect(codeFilterOf(['PENDING', 'FAILED', 'REFUND'])).toEqual({ codes: [0, 1, 53], hasFailed: true })
})
