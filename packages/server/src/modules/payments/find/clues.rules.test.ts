import { describe, expect, it } from 'vitest'
import { cluesOf, endsPin } from './clues.rules.ts'

describe('a text that finds a payment', () => {
  it.each([
    ['6789', { numberEnd: '6789', serialEnd: '6789', amount: '67890000', pinEnd: '6789' }],
    ['345-6789', { numberEnd: '3456789', serialEnd: '345-6789', amount: null, pinEnd: null }],
    ['345 6789', { numberEnd: '3456789', serialEnd: null, amount: null, pinEnd: null }],
    ['RM 10.50', { numberEnd: null, serialEnd: null, amount: '105000', pinEnd: null }],
    ['10', { numberEnd: null, serialEnd: null, amount: '100000', pinEnd: null }],
    ['sn-00a7', { numberEnd: null, serialEnd: 'SN-00A7', amount: null, pinEnd: null }],
    ['Uncle Lim', { numberEnd: null, serialEnd: null, amount: null, pinEnd: null }],
    ['789', { numberEnd: null, serialEnd: null, amount: '7890000', pinEnd: null }],
  ])('%j may be %j', (text, clues) => {
    const { amount, ...ends } = cluesOf(text)
    expect({ ...ends, amount: amount === null ? null : String(amount) }).toEqual(clues)
  })

  it('a PIN is found by its end, however it is written, and a short one never', () => {
    expect(endsPin('1234-5678 9abc', '9ABC')).toBe(true)
    expect(endsPin('1234-5678', '1234')).toBe(false)
    expect(endsPin('1234567', '4567')).toBe(false)
  })
})
