import { expect, it } from 'vitest'
import { REJECTIONS } from '../core/rejections.rules.ts'
import { nextRunMs, refidOf, verdictOf } from './rules.ts'
import type { Interval } from './types.ts'

const at = (text: string) => Date.parse(`${text}+08:00`)

it.each<[Interval, string, string, string | undefined]>([
  ['once', '2026-11-28T09:00', '2026-11-20T00:00', '2026-11-28T09:00'],
  ['once', '2026-11-28T09:00', '2026-11-28T09:00', undefined],
  ['week', '2026-11-28T09:00', '2026-11-28T09:00', '2026-12-05T09:00'],
  ['week', '2026-11-28T09:00', '2027-01-01T00:00', '2027-01-02T09:00'],
  ['month', '2026-11-28T09:00', '2026-11-28T09:00', '2026-12-28T09:00'],
  ['month', '2026-01-31T00:30', '2026-01-31T00:30', '2026-02-28T00:30'],
  ['month', '2026-01-31T00:30', '2026-02-28T00:30', '2026-03-31T00:30'],
  ['month', '2026-01-31T23:30', '2027-12-31T23:30', '2028-01-31T23:30'],
  ['month', '2026-11-28T09:00', '2027-03-28T08:59', '2027-03-28T09:00'],
])('a schedule of each %s from %s is next due after %s at %s', (every, first, after, next) => {
  expect(nextRunMs(every, at(first), at(after))).toBe(next === undefined ? undefined : at(next))
})

it('a line of a run has one refid, and no other line, run, schedule or account has it', () => {
  const line = { account: '1000234', scheduleId: 7n, run: 0, line: 3 }
  expect(refidOf({ ...line })).toBe(refidOf(line))
  const others = [{ line: 4 }, { run: 1 }, { scheduleId: 8n }, { account: '1000235' }]
  const refids = [line, ...others.map((other) => ({ ...line, ...other }))].map(refidOf)
  expect(new Set(refids).size).toBe(refids.length)
  expect(refids[0]).toMatch(/^bulk-[0-9a-f]{40}$/)
})

it.each([
  [REJECTIONS.insufficientBalance, 'balance'],
  [REJECTIONS.productUnavailable, 'product'],
  [REJECTIONS.invalidProduct, 'product'],
  [REJECTIONS.planCodeUnknown, 'product'],
  [REJECTIONS.costAboveMaximum, 'price'],
  [REJECTIONS.suspended, 'account'],
  [{ code: 54 as const, remarks: 'Daily_Limit' }, 'limit'],
  [{ code: 54 as const, remarks: 'Member_Monthly_Limit' }, 'limit'],
])('%j stops a run because of %s', (rejection, reason) => {
  expect(verdictOf(rejection)).toEqual({ kind: 'stop', reason })
})

it('a line that is wrong by itself is left out, and one that may be paid soon is tried again', () => {
  expect(verdictOf(REJECTIONS.invalidAccount)).toEqual({ kind: 'refused', refusal: 'Invalid_Account' })
  expect(verdictOf({ code: 54, remarks: 'Possible_Duplicate' })).toMatchObject({ kind: 'refused' })
  expect(verdictOf(REJECTIONS.temporaryError)).toEqual({ kind: 'later' })
  expect(verdictOf(REJECTIONS.outOfStock)).toEqual({ kind: 'later' })
})
