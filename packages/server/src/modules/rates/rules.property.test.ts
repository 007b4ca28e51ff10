import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseRate, RATE_ONE } from '../../lib/rates.ts'
import { runs } from '../../testing/runs.ts'
import { inRinggit, moneyText, ringgitOf } from './rules.ts'

const RATE_MAX = 10n ** 17n
const AMOUNT_MAX = 10n ** 18n
const rates = fc.bigInt(1n, RATE_MAX)
const amounts = fc.bigInt(-AMOUNT_MAX, AMOUNT_MAX)
const options = { numRuns: runs(400) }

const absolute = (value: bigint) => (value < 0n ? -value : value)

describe('money in ringgit', () => {
  it('is the exact product, rounded to the nearest ten-thousandth, and half of one away from zero', () => {
    fc.assert(
      fc.property(amounts, rates, (amount, rate) => {
        const twiceError = 2n * (absolute(ringgitOf(amount, rate)) * RATE_ONE - absolute(amount) * rate)
        expect(twiceError > -RATE_ONE && twiceError <= RATE_ONE).toBe(true)
      }),
      options,
    )
  })

  it('a debt is the negative of the money', () => {
    fc.assert(
      fc.property(amounts, rates, (amount, rate) => {
        expect(ringgitOf(-amount, rate)).toBe(-ringgitOf(amount, rate))
      }),
      options,
    )
  })

  it('at a rate of 1 is the same money, whatever its size', () => {
    fc.assert(
      fc.property(amounts, (amount) => {
        expect(ringgitOf(amount, RATE_ONE)).toBe(amount)
      }),
      options,
    )
  })

  it('is no less for more money', () => {
    fc.assert(
      fc.property(amounts, fc.bigInt(0n, AMOUNT_MAX), rates, (amount, more, rate) => {
        expect(ringgitOf(amount + more, rate) >= ringgitOf(amount, rate)).toBe(true)
      }),
      options,
    )
  })
})

describe('a currency', () => {
  const known = new Map([['USD', parseRate('4.70') ?? 0n]])

  it('with a rate is told in both, and ringgit are told as ever', () => {
    const cost = { amount: 123_000n, currency: 'USD' }
    expect(inRinggit(known, cost)).toBe(578_100n)
    expect(moneyText(cost, inRinggit(known, cost))).toBe('12.30 USD (57.81 MYR)')
    expect(inRinggit(known, { amount: 5n, currency: 'MYR' })).toBe(5n)
    expect(moneyText({ amount: 5n, currency: 'MYR' }, 5n)).toBe('0.0005')
  })

  it('without a rate is told as it is, and never guessed', () => {
    const cost = { amount: 123_000n, currency: 'IDR' }
    expect(inRinggit(known, cost)).toBeNull()
    expect(moneyText(cost, null)).toBe('12.30 IDR')
  })
})
