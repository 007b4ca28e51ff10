import { describe, expect, it } from 'vitest'
import { FAILURE_CODES } from '../../../lib/failure-codes.ts'
import { behaviourOf, outcomeAt, outputOf, voidAnswerOf } from './behaviour.rules.ts'

const SUBMITTED_AT = new Date('2026-03-01T04:00:00Z')
const submittedMs = SUBMITTED_AT.getTime()

function orderOn(account: string, reference = 'reference-1') {
  return { reference, productCode: 'NOVA', account, submittedAt: SUBMITTED_AT }
}

const plainAt = (account: string, nowMs: number) => outcomeAt(orderOn(account), nowMs, () => 'plain')

describe('the test accounts', () => {
  it.each([
    ['60123450045', 45],
    ['60123450047', 47],
    ['60123450048', 48],
    ['60123450052', 52],
    ['60123450464', 54],
    ['60123450055', 55],
    ['60123450056', 56],
    ['60123450057', 57],
    ['60123450861', 61],
    ['60123450062', 62],
  ])('%s fails at once with %i', (account, code) => {
    expect(behaviourOf(account).answers).toBe(true)
    expect(plainAt(account, submittedMs)).toEqual({
      kind: 'failed',
      code,
      reason: expect.stringMatching(/./),
    })
  })

  it('the test accounts fail with every code that a payment can fail with', () => {
    const accounts = Array.from({ length: 1_000 }, (_, n) => `60123450${String(n).padStart(3, '0')}`)
    const codes = accounts.flatMap((account) => behaviourOf(account).failure ?? [])
    expect(codes.toSorted()).toEqual([...FAILURE_CODES])
  })

  it.each([
    ['60123451030', { kind: 'succeeded' }],
    ['60123452030', { kind: 'failed', code: 48 }],
  ])('%s is pending for 30 seconds and not a moment longer', (account, decided) => {
    expect(behaviourOf(account).answers).toBe(true)
    expect(plainAt(account, submittedMs)).toEqual({ kind: 'pending', decidedInMs: 30_000 })
    expect(plainAt(account, submittedMs + 29_999)).toEqual({ kind: 'pending', decidedInMs: 1 })
    expect(plainAt(account, submittedMs + 30_000)).toMatchObject(decided)
  })

  it('a delay of no seconds is none', () => {
    expect(plainAt('60123451000', submittedMs - 5_000)).toMatchObject({ kind: 'succeeded' })
    expect(plainAt('60123452000', submittedMs - 5_000)).toMatchObject({ kind: 'failed', code: 48 })
  })

  it.each([
    ['60123453001', { kind: 'succeeded' }],
    ['60123453002', { kind: 'failed', code: 48 }],
    ['60123453003', { kind: 'unknown' }],
  ])('%s does not answer a submission, and is found as said when asked', (account, found) => {
    expect(behaviourOf(account).answers).toBe(false)
    expect(plainAt(account, submittedMs)).toMatchObject(found)
    expect(plainAt(account, submittedMs + 1e9)).toMatchObject(found)
  })

  it.each([
    '60123454001',
    '60123454002',
    '60123450041',
    '60123450043',
    '60123450044',
    '60123453004',
    '601234510300',
    '6012345103',
    '60198765432',
    '',
    'MD/889100',
  ])('%j succeeds at once, even by a clock that is behind', (account) => {
    expect(behaviourOf(account).answers).toBe(true)
    expect(plainAt(account, submittedMs - 60_000)).toMatchObject({ kind: 'succeeded' })
  })
})

describe('a void', () => {
  it.each([
    ['60123454001', 'approved'],
    ['60123454002', 'refused'],
    ['60198765432', 'pending'],
  ])('a void of a fulfilled order of %s is %s', (account, kind) => {
    expect(voidAnswerOf(account, 'succeeded')).toMatchObject({ kind })
  })

  it('a void of an unfulfilled order is refused, and a void of an unknown order is unknown', () => {
    expect(voidAnswerOf('60123454001', 'failed')).toMatchObject({ kind: 'refused' })
    expect(voidAnswerOf('60123454001', 'pending')).toMatchObject({ kind: 'refused' })
    expect(voidAnswerOf('60123454001', 'unknown')).toMatchObject({ kind: 'unknown' })
  })
})

describe('the output', () => {
  const order = orderOn('60198765432')

  it('is the same for the same reference and another for another', () => {
    expect(outputOf(order, 'pin')).toEqual(outputOf({ ...order }, 'pin'))
    const other = outputOf({ ...order, reference: 'reference-2' }, 'pin')
    expect(other.serialNumber).not.toBe(outputOf(order, 'pin').serialNumber)
    expect(other.pin).not.toBe(outputOf(order, 'pin').pin)
  })

  it('has what the product needs and nothing else', () => {
    const serialNumber = expect.stringMatching(/^SIM[0-9A-F]{16}$/)
    expect(outputOf(order, 'plain')).toEqual({ serialNumber, pin: '', expiry: '', voucherLink: '', note: '' })
    expect(outputOf(order, 'pin')).toEqual({
      serialNumber,
      pin: expect.stringMatching(/^\d{16}$/),
      expiry: '20270301',
      voucherLink: '',
      note: expect.stringMatching(/PIN/),
    })
    expect(outputOf(order, 'link')).toEqual({
      serialNumber,
      pin: '',
      expiry: '',
      voucherLink: expect.stringMatching(/^https:\/\/vouchers\.example\.com\/[0-9a-f]{32}$/),
      note: expect.stringMatching(/link/),
    })
  })

  it.each([
    ['2026-12-31T15:59:59Z', '20271231'],
    ['2026-12-31T16:00:00Z', '20280101'],
    ['2028-02-29T00:00:00Z', '20290301'],
  ])('a PIN bought at %s expires on %s, by the calendar of GMT+8', (bought, expiry) => {
    expect(outputOf({ reference: 'r', submittedAt: new Date(bought) }, 'pin').expiry).toBe(expiry)
  })
})
