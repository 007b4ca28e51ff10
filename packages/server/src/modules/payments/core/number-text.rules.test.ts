import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findNumberText } from './number-text.rules.ts'

describe('the text of a number', () => {
  it.each([
    ['{"amount":1e1}', '1e1'],
    ['{ "a" : [ { "amount" : 5 } ] , "amount" : -1.5E+2 }', '-1.5E+2'],
    ['{"amount":1e1,"amount":10}', '10'],
    ['{"amount":10,"amount":"1e1"}', undefined],
    ['{"extras":{"amount":1e1},"amount":10}', '10'],
    ['{"amount":10,"extras":{"amount":1e1}}', '10'],
    ['{"list":[{"amount":1e1}]}', undefined],
    ['{"remarks":"amount","account":"x"}', undefined],
    ['{"remarks":"a \\" quote, \\"amount\\":1e1 \\\\","amount":7}', '7'],
    ['{"amounts":1,"amoun":2,"Amount":3}', undefined],
    ['{"amount":5,"remarks":"amount"}', '5'],
    ['{}', undefined],
  ])('the text of a number of amount in %s is %s', (json, text) => {
    expect(findNumberText(json, 'amount')).toBe(text)
  })

  it('is that of the outermost member, whatever stands beside it', () => {
    const number = fc.integer({ min: -1_000_000, max: 1_000_000 })
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.option(number), (others, amount) => {
        const { amount: _, ...beside } = others
        const json = JSON.stringify({ ...beside, inner: others, ...(amount !== null && { amount }) })
        expect(findNumberText(json, 'amount')).toBe(amount === null ? undefined : String(amount))
      }),
    )
  })
})
