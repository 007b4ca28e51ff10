import { describe, expect, it } from 'vitest'
import { KNOWN_NUMBERS } from '../../lib/numbers/known-plans.ts'
import { differenceOf, judgeOperator, knownNumber, operatorCalled, readAnyNumber } from './rules.ts'

const read = (text: string, countries = ['MY']) => readAnyNumber(text, KNOWN_NUMBERS, countries)
const KITA = { code: 'KITA', name: 'Kita' }
const NOVA = { code: 'NOVA', name: 'Nova' }

describe('a number whose use is not known', () => {
  it('is one of the countries in which the caller sells, however it is written', () => {
    for (const text of ['012-345 6789', '+60 (0)12-345 6789', '60123456789']) {
      expect(read(text)).toBe('60123456789')
    }
    expect(read('0812 3456 7890', ['ID'])).toBe('6281234567890')
    // Without plans of its own, it is one of the only country that has such a number.
    expect(read('0812 3456 7890', [])).toBe('6281234567890')
    for (const text of ['+234 803 123 4567', '234 803 123 4567']) expect(read(text)).toBe('2348031234567')
  })

  it('is none where it could be several, until its country is written', () => {
    expect(read('03 1234 5678', [])).toBeUndefined()
    expect(read('03 1234 5678')).toBe('60312345678')
    expect(read('+62 3 1234 5678')).toBe('62312345678')
    for (const text of ['', 'twelve', '12345', '٠١٢٣٤٥٦٧٨٩']) expect(read(text)).toBeUndefined()
  })

  it('has the kind and the operator that its plan knows, and its country by the calling code alone', () => {
    expect(knownNumber('60123456789', KNOWN_NUMBERS)).toMatchObject({
      country: 'MY',
      kind: 'mobile',
      prefixOperator: { code: 'MAXIS' },
    })
    expect(knownNumber('60312345678', KNOWN_NUMBERS)).toMatchObject({ kind: 'fixed' })
    expect(knownNumber('2348031234567', KNOWN_NUMBERS)).toMatchObject({ country: 'NG', kind: 'unknown' })
    expect(knownNumber('12025550123', KNOWN_NUMBERS)).toMatchObject({ country: null, kind: 'unknown' })
  })
})

describe('the operator of a number', () => {
  const supplier = { source: 'supplier', operator: KITA, at: new Date('2026-01-02') } as const
  const history = { source: 'history', operator: NOVA, at: new Date('2026-01-01') } as const

  it('is that of the later sign, else of the prefix, else not known', () => {
    const known = { prefixOperator: NOVA }
    expect(judgeOperator(known, [history, supplier])).toEqual({ operator: KITA, source: 'supplier' })
    expect(judgeOperator(known, [history, { ...supplier, at: new Date('2025-12-31') }])).toEqual({
      operator: NOVA,
      source: 'history',
    })
    expect(judgeOperator(known, [undefined])).toEqual({ operator: NOVA, source: 'prefix' })
    expect(judgeOperator({ prefixOperator: undefined }, [])).toEqual({ operator: null, source: null })
  })
})

describe('an operator in the words of a supplier', () => {
  const named = (name: string, aliases: string[] = []) => ({
    code: name.toUpperCase(),
    name,
    aliases,
    products: [],
  })
  const operators = [named('Digi', ['DiGi Telecom']), named('U Mobile'), named('U'), named('XL')]

  it.each([
    ['Digi Malaysia', 'DIGI'],
    ['DIGI-TELECOM', 'DIGI'],
    ['U-Mobile (Malaysia)', 'U MOBILE'],
    ['XL Axiata Indonesia', 'XL'],
  ])('%s is %s', (text, code) => {
    expect(operatorCalled(text, operators)?.code).toBe(code)
  })

  it.each(['', 'Digital', 'My Digi', 'Maxis'])('%j is none of them', (text) => {
    expect(operatorCalled(text, operators)).toBeUndefined()
  })
})

it('an operator differs from the product’s only where both are known', () => {
  const operators = [
    { ...NOVA, products: ['NOVA', 'BOTH'] },
    { ...KITA, products: ['KITA', 'BOTH'] },
  ]
  const isKita = { operator: KITA, source: 'supplier' } as const
  expect(differenceOf(isKita, 'NOVA', operators)).toMatchObject({
    product: { code: 'NOVA' },
    isCertain: true,
  })
  for (const code of ['KITA', 'BOTH', 'GEMS']) expect(differenceOf(isKita, code, operators)).toBeUndefined()
  expect(differenceOf({ operator: null, source: null }, 'NOVA', operators)).toBeUndefined()
})
