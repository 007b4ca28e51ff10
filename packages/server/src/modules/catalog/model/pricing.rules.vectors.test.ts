import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { Amount } from '../../../lib/money.ts'
import { formatMoney, parseMoney } from '../../../lib/money.ts'
import type { Rate } from '../../../lib/rates.ts'
import { parseRate } from '../../../lib/rates.ts'
import type { Terms } from './pricing.rules.ts'
import { faceValue, losesWithin, optionMoney } from './pricing.rules.ts'
import type { PriceAdjustment } from './types.ts'

type VectorTerms = {
  name: string
  denomination_unit_price: string
  discount_type: 'percentage' | 'fixed'
  unit_price: string
  price_adjustment: { type: 'percentage' | 'fixed'; value: string } | null
  has_loss_risk: boolean
}
type Quote = VectorTerms & {
  denomination: string
  rrp_base: string | null
  rrp_reseller: string | null
  face_value: string
  cost: string
  rrp: string
  price: string
}
type Range = VectorTerms & { min: string | null; max: string | null }

const { cases, ranges } = JSON.parse(
  readFileSync(new URL('../../../../../../vectors/cost-rules.json', import.meta.url), 'utf8'),
) as { cases: Quote[]; ranges: Range[] }

function readAmount(text: string): Amount {
  const amount = text.startsWith('-') ? parseMoney(text.slice(1)) : parseMoney(text)
  if (amount === undefined) throw new Error(`${text} is no amount`)
  return text.startsWith('-') ? -amount : amount
}

function readRate(text: string): Rate {
  const rate = parseRate(text)
  if (rate === undefined) throw new Error(`${text} is no rate`)
  return rate
}

const readIfAny = (text: string | null) => (text === null ? null : readAmount(text))

function readAdjustment(adjustment: Quote['price_adjustment']): PriceAdjustment | null {
  if (adjustment === null) return null
  return adjustment.type === 'percentage'
    ? { type: 'percentage', value: readRate(adjustment.value) }
    : { type: 'fixed', value: readAmount(adjustment.value) }
}

function termsOf(vector: VectorTerms): Terms {
  return {
    denominationUnitPrice: readRate(vector.denomination_unit_price),
    wholesale: {
      discountType: vector.discount_type,
      unitPrice: readRate(vector.unit_price),
      currency: 'MYR',
    },
    adjustment: readAdjustment(vector.price_adjustment),
  }
}

describe('golden cost rules', () => {
  it('are at least forty', () => expect(cases.length).toBeGreaterThanOrEqual(40))

  it.each(cases.map((each) => [each.name, each] as const))('%s', (_, vector) => {
    const terms = termsOf(vector)
    const denomination = readAmount(vector.denomination)
    const configured = readIfAny(vector.rrp_reseller ?? vector.rrp_base)
    const money = optionMoney(denomination, terms, configured)
    expect({
      face_value: formatMoney(faceValue(denomination, terms.denominationUnitPrice)),
      cost: formatMoney(money.cost),
      rrp: formatMoney(money.rrp),
      price: formatMoney(money.price),
      has_loss_risk: money.hasLossRisk,
    }).toEqual({
      face_value: vector.face_value,
      cost: vector.cost,
      rrp: vector.rrp,
      price: vector.price,
      has_loss_risk: vector.has_loss_risk,
    })
  })

  it.each(ranges.map((each) => [each.name, each] as const))('range: %s', (_, vector) => {
    const range = { min: readIfAny(vector.min), max: readIfAny(vector.max) }
    expect(losesWithin(range, termsOf(vector))).toBe(vector.has_loss_risk)
  })
})
