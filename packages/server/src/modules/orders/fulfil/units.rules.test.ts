import { expect, it } from 'vitest'
import type { PaymentCode, RejectionCode } from '../../payments/core/types.ts'
import {
  nextLookMs,
  noteOfConflict,
  noteOfPayment,
  noteOfRejection,
  RETRY_FOR_MS,
  unitToTryFirst,
} from './units.rules.ts'

const UNIT = { line: 2, number: 1 }

it.each<[PaymentCode, string]>([
  [0, 'sent'],
  [1, 'sent'],
  [20, 'succeeded'],
  [48, 'failed'],
  [53, 'failed'],
])('a unit whose payment has the code %i is %s', (code, state) => {
  expect(noteOfPayment(UNIT, { id: 7n, code, remarks: 'why' })).toEqual({
    ...UNIT,
    paymentId: 7n,
    state,
    error: state === 'failed' ? 'why' : '',
  })
})

it.each<[RejectionCode, number, string]>([
  [43, 0, 'waiting'],
  [49, RETRY_FOR_MS - 1, 'waiting'],
  [43, RETRY_FOR_MS, 'failed'],
  [44, 0, 'failed'],
  [41, 0, 'waiting'],
  [41, RETRY_FOR_MS, 'failed'],
  [45, 0, 'failed'],
  [52, 0, 'failed'],
])('a rejection with %i after %i ms leaves the unit %s', (code, passedMs, state) => {
  const note = noteOfRejection(UNIT, { code, remarks: 'Reason' }, passedMs)
  expect(note).toEqual({ ...UNIT, paymentId: null, state, error: 'Reason' })
})

it('a unit is tried alone only where the account was the obstacle before, and then the cheapest', () => {
  const unit = (price: bigint, error: string) => ({ state: 'waiting', price, error }) as const
  const supplier = unit(5n, 'Temporary_Error_Please_Try_Again')
  expect(unitToTryFirst([unit(7n, ''), supplier])).toBeUndefined()
  expect(unitToTryFirst([unit(7n, 'Insufficient_Balance'), supplier])).toBe(supplier)
  expect(unitToTryFirst([unit(7n, 'Account_Suspended'), unit(9n, '')])).toMatchObject({ price: 7n })
})

it('a unit whose refid somebody else used fails without a payment', () => {
  expect(noteOfConflict(UNIT)).toMatchObject({ state: 'failed', paymentId: null })
})

it('looks at payments become rarer, from a second to a minute', () => {
  expect([0, 1, 5, 6, 1_000].map(nextLookMs)).toEqual([1_000, 2_000, 32_000, 60_000, 60_000])
})
