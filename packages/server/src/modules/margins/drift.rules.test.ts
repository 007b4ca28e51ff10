import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { WholesalePrice } from '../catalog/model/types.ts'
import type { Terms } from './drift.rules.ts'
import { listTerms, referenceTerms } from './drift.rules.ts'
import type { EarlierPrice } from './types.ts'

const wholesale = (unitPrice: bigint): WholesalePrice => ({
  discountType: 'percentage',
  unitPrice,
  currency: 'MYR',
})
const terms = (unitPrice: bigint, denominationUnitPrice = 1n): Terms => ({
  denominationUnitPrice,
  wholesale: wholesale(unitPrice),
})
const step = (before: bigint | null, levelCode: string | null = 'STANDARD'): EarlierPrice => ({
  productCode: 'NOVA',
  levelCode,
  wholesale: levelCode === null || before === null ? null : wholesale(before),
  denominationUnitPrice: levelCode === null ? before : null,
})

/** Compares terms: far is more than a fifth. */
const isFar = (from: Terms, to: Terms): boolean => {
  const [a, b] = [from, to].map((each) => each.wholesale.unitPrice * each.denominationUnitPrice)
  const [was, is] = [a ?? 0n, b ?? 0n]
  return (was > is ? was - is : is - was) * 100n > 20n * was
}

describe('the price that small steps are measured by', () => {
  it('is the oldest one that is known', () => {
    const past = listTerms(terms(80n), [step(90n), step(100n)], 'STANDARD')
    expect(past.map((each) => each.wholesale.unitPrice)).toEqual([100n, 90n, 80n])
    expect(referenceTerms(past, isFar)).toEqual(terms(100n))
  })

  it('is the last one that somebody was asked about', () => {
    const past = listTerms(terms(45n), [step(50n), step(100n)], 'STANDARD')
    expect(referenceTerms(past, isFar)).toEqual(terms(50n))
  })

  it('moves with the product’s unit price, and not with the prices of other levels', () => {
    const past = listTerms(terms(90n, 9n), [step(10n, null), step(1n, 'GOLD'), step(100n)], 'STANDARD')
    expect(past).toEqual([terms(100n, 10n), terms(90n, 10n), terms(90n, 9n)])
  })

  it('is not forgotten when the price is taken away in between', () => {
    const past = listTerms(terms(85n), [step(null), step(100n)], 'STANDARD')
    expect(referenceTerms(past, isFar)).toEqual(terms(100n))
  })

  it('is never further from the present price than one person may move it', () => {
    fc.assert(
      fc.property(fc.array(fc.bigInt({ min: 1n, max: 1_000n }), { minLength: 1 }), (prices) => {
        const [present = 1n, ...before] = prices
        const past = listTerms(
          terms(present),
          before.map((price) => step(price)),
          'STANDARD',
        )
        const reference = referenceTerms(past, isFar)
        expect(reference !== undefined && isFar(reference, terms(present))).toBe(false)
      }),
    )
  })
})

it('a step of the product that left the unit price as it was keeps it', () => {
  expect(listTerms(terms(90n, 9n), [step(null, null)], 'STANDARD')).toEqual([terms(90n, 9n), terms(90n, 9n)])
})
