import { describe, expect, it } from 'vitest'
import { ADDEND, POSTED_AMOUNT, SIGNED_AMOUNT } from './posted-amounts.ts'

describe('an amount that is posted to a wallet', () => {
  it.each([
    ['0.0001', 1n],
    ['10.00', 100_000n],
    ['1000000000', 10n ** 13n],
  ])('%s is %s units', (text, units) => {
    expect(POSTED_AMOUNT.read(text)).toBe(units)
    expect(SIGNED_AMOUNT.read(text)).toBe(units)
    expect(SIGNED_AMOUNT.read(`-${text}`)).toBe(-units)
  })

  it.each(['0', '0.0000', '1000000000.0001', 'ten', ''])('%j is refused', (text) => {
    expect(POSTED_AMOUNT.read(text)).toBeUndefined()
    expect(SIGNED_AMOUNT.read(text)).toBeUndefined()
    expect(SIGNED_AMOUNT.read(`-${text}`)).toBeUndefined()
  })

  it('a sign is refused where none is expected', () => {
    expect(POSTED_AMOUNT.read('-5')).toBeUndefined()
    expect(SIGNED_AMOUNT.read('--5')).toBeUndefined()
    expect(SIGNED_AMOUNT.read('+5')).toBeUndefined()
  })

  it('an addend may be 0, and has no limit of its own', () => {
    expect(ADDEND.read('0')).toBe(0n)
    expect(ADDEND.read('-0.50')).toBe(-5_000n)
    expect(ADDEND.read('1000000000.0001')).toBe(10_000_000_000_001n)
    expect(ADDEND.read('-x')).toBeUndefined()
  })

  it('the documented pattern accepts a sign exactly where it is read', () => {
    const isDocumented = (rule: { schema: Readonly<Record<string, unknown>> }, text: string) =>
      new RegExp(String(rule.schema.pattern)).test(text)
    expect(isDocumented(POSTED_AMOUNT, '5')).toBe(true)
    expect(isDocumented(POSTED_AMOUNT, '-5')).toBe(false)
    for (const rule of [SIGNED_AMOUNT, ADDEND]) {
      expect(isDocumented(rule, '5')).toBe(true)
      expect(isDocumented(rule, '-5')).toBe(true)
      expect(isDocumented(rule, '5-')).toBe(false)
      expect(isDocumented(rule, 'x-5')).toBe(false)
    }
  })
})
