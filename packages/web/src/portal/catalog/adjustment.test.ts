import { describe, expect, it } from 'vitest'
import { factorOfPercent, percentOfFactor } from '../../text/numbers.ts'
import { readAdjustment, typedAdjustment } from './adjustment.ts'

describe('a typed adjustment', () => {
  it.each([
    ['+2', '1.02'],
    ['2', '1.02'],
    ['-3.5', '0.965'],
    ['−3.5', '0.965'],
    ['+0.1', '1.001'],
    ['+110', '2.1'],
  ])('%s per cent is the exact factor %s', (text, value) => {
    expect(readAdjustment({ type: 'percentage', text })).toEqual({ type: 'percentage', value })
  })

  it.each([
    ['+0.50', '0.50'],
    ['-0.5', '-0.50'],
    ['−1', '-1.00'],
    ['0.1234', '0.1234'],
  ])('%s ringgit is %s', (text, value) => {
    expect(readAdjustment({ type: 'fixed', text })).toEqual({ type: 'fixed', value })
  })

  it.each(['', ' ', '0', '+0.00', '-0'])('%j adjusts nothing', (text) => {
    expect(readAdjustment({ type: 'fixed', text })).toBeNull()
    expect(readAdjustment({ type: 'percentage', text })).toBeNull()
  })

  it.each(['two', '1e2', '+-1', '1.2.3', '0.12345', '1,5', '1,234'])('%s ringgit cannot be read', (text) => {
    expect(readAdjustment({ type: 'fixed', text })).toBeUndefined()
  })

  it.each(['1,5', '-3,5', '1,000'])('%s per cent cannot be read: a comma is never guessed at', (text) => {
    expect(readAdjustment({ type: 'percentage', text })).toBeUndefined()
  })

  it('never makes a price of zero or less out of a percentage', () => {
    expect(readAdjustment({ type: 'percentage', text: '-100' })).toBeUndefined()
    expect(readAdjustment({ type: 'percentage', text: '-250' })).toBeUndefined()
  })

  it.each([
    { type: 'percentage', value: '1.02' },
    { type: 'percentage', value: '0.965' },
    { type: 'fixed', value: '-0.50' },
    { type: 'fixed', value: '1234.5678' },
  ] as const)('shows $value so that it is read back as the same', (adjustment) => {
    expect(readAdjustment(typedAdjustment(adjustment))).toEqual(adjustment)
  })
})

describe('a percentage of the face value', () => {
  it.each([
    ['97.25', '0.9725'],
    ['100', '1'],
    ['0.5', '0.005'],
    ['102', '1.02'],
  ])('%s is the factor %s, and the other way round', (percent, factor) => {
    expect(factorOfPercent(percent)).toBe(factor)
    expect(percentOfFactor(factor)).toBe(percent)
  })

  it.each(['', '-3', 'x', '1e2', '97,25'])('%j cannot be read', (percent) => {
    expect(factorOfPercent(percent)).toBeUndefined()
  })
})
