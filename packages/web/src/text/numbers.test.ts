import { describe, expect, it } from 'vitest'
import { countText, moneyParts, moneyText, percentText, sumText } from './numbers.ts'

describe('amounts', () => {
  it.each([
    ['18462.35', 'MYR 18,462.35'],
    ['0.00', 'MYR 0.00'],
    ['-482.5750', 'MYR −482.575'],
    ['1234567890123456789.1', 'MYR 1,234,567,890,123,456,789.10'],
    ['300', 'MYR 300'],
  ])('%s is shown digit by digit, without rounding', (amount, shown) => {
    expect(moneyText(amount, 'MYR')).toBe(shown)
  })

  it('digits beyond the sen stand apart, and zeros at their end are left out', () => {
    expect(moneyParts('9.7000')).toEqual({ sign: '', main: '9.70', beyond: '' })
    expect(moneyParts('132.0690')).toEqual({ sign: '', main: '132.06', beyond: '9' })
  })

  it('a value that is no amount is shown as it is', () => {
    expect(moneyParts('n/a').main).toBe('n/a')
  })
})

describe('sums', () => {
  it.each<[readonly string[], string]>([
    [[], '0.00'],
    [['10.00', '0.0001', '9.70'], '19.7001'],
    [['50', '-24.50'], '25.50'],
    [['20', '-24.5000'], '-4.50'],
    [['-0.05'], '-0.05'],
    [['9007199254740993.01', '0.01'], '9007199254740993.02'],
  ])('%j make %s', (amounts, sum) => expect(sumText(amounts)).toBe(sum))
})

describe('counts and rates', () => {
  it('counts have separators and rates one decimal', () => {
    expect(countText(1_284_331)).toBe('1,284,331')
    expect(percentText(0.9732)).toBe('97.3')
  })
})
