import { describe, expect, it } from 'vitest'
import { readThresholdParameters, THRESHOLD_RULES } from './thresholds.rules.ts'

describe('the amount of a threshold', () => {
  it.each([
    ['1', 10_000n],
    ['1.0001', 10_001n],
    ['1000000000000', 10n ** 16n],
  ])('%s is %s units', (text, units) => {
    expect(readThresholdParameters({ amount: text })).toEqual({ amount: units })
  })

  it.each(['', '0', '0.9999', '1000000000000.0001', '-5', 'ten', '1.00001'])('%j is refused', (text) => {
    expect(() => readThresholdParameters({ amount: text })).toThrow(expect.objectContaining({ status: 400 }))
  })

  it('a parameter that is left out, or given twice, is refused', () => {
    expect(() => readThresholdParameters({})).toThrow(expect.objectContaining({ status: 400 }))
    expect(() => readThresholdParameters({ amount: ['5', '6'] })).toThrow(
      expect.objectContaining({ status: 400 }),
    )
  })

  it('a number is no text of an amount', () => {
    expect(THRESHOLD_RULES.amount.read(5)).toBeUndefined()
  })

  it('the refusal names the parameter', () => {
    expect(THRESHOLD_RULES.amount.message).toMatch(/^The amount field is required and /)
  })

  it('the document has the limits in ringgit', () => {
    expect(THRESHOLD_RULES.amount.schema).toMatchObject({
      type: 'number',
      minimum: 1,
      maximum: 1_000_000_000_000,
    })
  })
})
