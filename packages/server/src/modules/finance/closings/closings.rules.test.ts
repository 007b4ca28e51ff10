import { describe, expect, it } from 'vitest'
import type { Movements } from '../../wallet/statement/periods.types.ts'
import type { LedgerDay } from './closings.rules.ts'
import { checkClosing, joinDays, NO_MOVEMENTS, nextDayOf, START } from './closings.rules.ts'
import type { WalletDay } from './types.ts'

const MOVED: Movements = {
  ...NO_MOVEMENTS,
  deposit: { count: 1n, amount: 500n },
  payment: { count: 2n, amount: -120n },
}
const DAY: WalletDay = {
  day: 20_000,
  opening: 0n,
  movements: MOVED,
  closing: 380n,
  firstSequence: 1n,
  lastSequence: 3n,
}
const LEDGER: LedgerDay = { movements: MOVED, end: { sequence: 3n, balance: 380n } }

const kindOf = (day: WalletDay, before = START, ledger = LEDGER) =>
  checkClosing('60001', day, before, ledger)?.kind

describe('a closing is compared with everything that it must equal', () => {
  it('one that agrees has no break', () => expect(kindOf(DAY)).toBeUndefined())

  it.each<[string, ReturnType<typeof kindOf>]>([
    ['sequence', kindOf({ ...DAY, firstSequence: 2n })],
    ['sequence', kindOf(DAY, { sequence: 1n, balance: 0n })],
    ['opening', kindOf(DAY, { sequence: 0n, balance: 1n })],
    ['arithmetic', kindOf({ ...DAY, closing: 381n })],
    ['arithmetic', kindOf({ ...DAY, lastSequence: 4n })],
    [
      'movements',
      kindOf(DAY, START, { ...LEDGER, movements: { ...MOVED, refund: { count: 1n, amount: 0n } } }),
    ],
    ['late_entry', kindOf(DAY, START, { ...LEDGER, end: { sequence: 4n, balance: 400n } })],
    ['wallet', kindOf(DAY, START, { ...LEDGER, end: { sequence: 3n, balance: 379n } })],
    ['wallet', kindOf(DAY, START, { ...LEDGER, end: { sequence: 2n, balance: 380n } })],
  ])('%s', (kind, found) => expect(found).toBe(kind))
})

it('an entry that is dated into a closed day is counted on the day after it', () => {
  expect(nextDayOf(10, undefined)).toBe(10)
  expect(nextDayOf(10, 8)).toBe(10)
  expect(nextDayOf(10, 10)).toBe(11)
  expect(nextDayOf(9, 10)).toBe(11)
})

it('two parts of a day are one day', () => {
  const later = { ...DAY, opening: 380n, closing: 760n, firstSequence: 4n, lastSequence: 6n }
  const [joined, ...others] = joinDays([DAY, later])
  expect(others).toEqual([])
  expect(joined).toMatchObject({ opening: 0n, closing: 760n, firstSequence: 1n, lastSequence: 6n })
  expect(joined?.movements.payment).toEqual({ count: 4n, amount: -240n })
  expect(joinDays([DAY, { ...later, day: 20_001 }])).toHaveLength(2)
})
