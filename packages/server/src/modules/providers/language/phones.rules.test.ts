import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { internationalOf, nationalOf } from './phones.rules.ts'

describe('a phone number', () => {
  it.each([
    ['0123456789', '+60123456789', '0123456789'],
    ['60123456789', '+60123456789', '0123456789'],
    ['+60 12-345 6789', '+60123456789', '0123456789'],
    ['0060123456789', '+60123456789', '0123456789'],
    ['+60 (0)12 345.6789', '+60123456789', '0123456789'],
    ['(012) 345 6789', '+60123456789', '0123456789'],
    ['+65 9123 4567', '+6591234567', undefined],
    ['123456789', undefined, undefined],
    ['+60', undefined, undefined],
    ['+601234567890123', '+601234567890123', '01234567890123'],
    ['+6012345678901234', undefined, undefined],
    ['012345678a', undefined, undefined],
    ['', undefined, undefined],
    ['++60123456789', undefined, undefined],
  ])('%s is %s, and %s at home', (value, international, national) => {
    expect(internationalOf(value, '60')).toBe(international)
    expect(nationalOf(value, '60')).toBe(national)
  })

  it('stays the same number in every spelling', () => {
    const number = fc.integer({ min: 10_000_000, max: 999_999_999 }).map(String)
    const spelling = fc.constantFrom('+60', '60', '0', '0060', '+60 ', '+60 (0)', '+60-')
    fc.assert(
      fc.property(number, spelling, (rest, prefix) => {
        const international = internationalOf(prefix + rest, '60')
        expect(international).toBe(`+60${rest}`)
        expect(internationalOf(nationalOf(prefix + rest, '60') ?? '', '60')).toBe(international)
      }),
    )
  })
})
