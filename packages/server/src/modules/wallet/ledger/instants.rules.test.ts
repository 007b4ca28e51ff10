import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatInstant, parseInstant } from './instants.rules.ts'

describe('an instant', () => {
  it('is read to the microsecond, in any zone', () => {
    expect(parseInstant('1970-01-01T00:00:00Z')).toBe(0n)
    expect(parseInstant('1970-01-01T08:00+08:00')).toBe(0n)
    expect(parseInstant('1969-12-31T19:30:00.000001-04:30')).toBe(1n)
    expect(parseInstant('2026-07-30T23:59:59.5+08:00')).toBe(1_785_427_199_500_000n)
    expect(parseInstant('1969-12-31T23:59:59.999999Z')).toBe(-1n)
    expect(parseInstant('1970-01-01T14:59:00+14:59')).toBe(0n)
  })

  it.each([
    '',
    '2026-07-30',
    '2026-07-30T10:00:00',
    '2026-02-30T10:00:00Z',
    '2026-07-30T24:00:00Z',
    '2026-07-30T10:60:00Z',
    '2026-07-30T10:00:60Z',
    '2026-07-30T10:00:00.1234567Z',
    '2026-07-30T10:00:00+15:00',
    '2026-07-30T10:00:00+08:60',
    ' 2026-07-30T10:00:00Z',
    '2026-07-30T10:00:00Z ',
    '2026-07-30 10:00:00Z',
  ])('is not %j', (text) => {
    expect(parseInstant(text)).toBeUndefined()
  })

  it('is read as it was printed, whatever it is', () => {
    const max = 253_402_300_799_999_999n
    fc.assert(
      fc.property(fc.bigInt({ min: -60_000_000_000_000_000n, max }), (micros) => {
        expect(parseInstant(formatInstant(micros))).toBe(micros)
      }),
    )
  })
})
