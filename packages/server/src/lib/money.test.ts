import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AMOUNT_MAX, formatMoney, isEnterable, moneyToNumber, parseMoney } from './money.ts'

describe('money', () => {
  it.each([
    ['10', 100_000n],
    ['10.0', 100_000n],
    ['10.00', 100_000n],
    ['0.0001', 1n],
    ['007.5', 75_000n],
    ['922337203685477.5807', 9_223_372_036_854_775_807n],
  ])('%s is %s units', (text, units) => expect(parseMoney(text)).toBe(units))

  it.each([
    '',
    '-1',
    '+1',
    '1e2',
    'NaN',
    'Infinity',
    '10.00001',
    ' 10',
    '10 ',
    '1,000',
    '.5',
    '5.',
    '0x10',
    '1'.repeat(16),
    '922337203685477.5808',
    '999999999999999.9999',
    '١',
  ])('%j is not an amount', (text) => expect(parseMoney(text)).toBeUndefined())

  it('written money reads back exactly, and has 2 to 4 decimals', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 18n }), (units) => {
        const text = formatMoney(units)
        expect(text).toMatch(/^\d+\.\d{2,4}$/)
        expect(parseMoney(text)).toBe(units)
        expect(formatMoney(-units - 1n)).toBe(`-${formatMoney(units + 1n)}`)
      }),
    )
  })

  it.each([
    [0n, '0.00'],
    [1n, '0.0001'],
    [-1n, '-0.0001'],
    [12_500n, '1.25'],
    [10_100n, '1.01'],
  ])('%s units are written %s', (units, text) => expect(formatMoney(units)).toBe(text))

  it('a person may enter more than nothing, up to a thousand million ringgit', () => {
    expect(AMOUNT_MAX).toBe(10n ** 13n)
    expect([-1n, 0n, 1n, AMOUNT_MAX, AMOUNT_MAX + 1n].map(isEnterable)).toEqual([
      false,
      false,
      true,
      true,
      false,
    ])
  })

  it('the JSON number says the same amount', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 15n }), (units) => {
        const text = String(moneyToNumber(units))
        expect(parseMoney(text)).toBe(units)
      }),
    )
  })
})
