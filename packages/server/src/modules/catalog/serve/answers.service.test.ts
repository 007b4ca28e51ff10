import { describe, expect, it } from 'vitest'
import { MALAYSIA } from '../../../lib/numbers/known-plans.ts'
import { compilePlans } from '../../../lib/numbers/plans.ts'
import { sampleProduct, selectField, textField } from '../../../testing/catalog/catalog-samples.ts'
import type { EffectiveProduct } from '../model/types.ts'
import { isWorthKeeping, requireAccountNumber } from './answers.service.ts'

const BILLERS = 21_500

describe('pages that are kept', () => {
  it('are those of the default size and everything at once, of short lists too', () => {
    expect(isWorthKeeping({ page: 1, perPage: 100 }, 5)).toBe(true)
    expect(isWorthKeeping({ page: 215, perPage: 100 }, BILLERS)).toBe(true)
    expect(isWorthKeeping({ page: 1, perPage: 25_000 }, 5)).toBe(true)
    expect(isWorthKeeping({ page: 1, perPage: 25_000 }, BILLERS)).toBe(true)
  })

  it('are large ones of other sizes', () => {
    expect(isWorthKeeping({ page: 22, perPage: 1_000 }, BILLERS)).toBe(true)
    expect(isWorthKeeping({ page: 1, perPage: 24_999 }, BILLERS)).toBe(true)
  })

  it('are never so many as callers can name: small sizes and pages past the end are not among them', () => {
    for (const perPage of [1, 99, 101, 499]) expect(isWorthKeeping({ page: 1, perPage }, BILLERS)).toBe(false)
    for (const perPage of [101, 24_999]) expect(isWorthKeeping({ page: 1, perPage }, 5)).toBe(false)
    expect(isWorthKeeping({ page: 216, perPage: 100 }, BILLERS)).toBe(false)
    expect(isWorthKeeping({ page: 999_999_999, perPage: 25_000 }, BILLERS)).toBe(false)
    expect(isWorthKeeping({ page: 1, perPage: 100 }, 0)).toBe(false)
  })
})

describe('the account that options are asked for', () => {
  const offers = selectField({
    dataSource: {
      type: 'dynamic',
      dependsOn: ['phone'],
      params: { account_number: { fromField: 'phone' } },
    },
  })
  const phone = textField({ id: 'phone', numberKind: 'mobile', numberCountry: 'MY' })
  const product = {
    product: sampleProduct({
      fields: [phone, offers],
      fulfillment: { ...sampleProduct().fulfillment, account: { fromField: 'phone' } },
    }),
  } as EffectiveProduct
  const range = { prefix: '99', kind: 'mobile', digitsMin: 9, digitsMax: 9, operator: null } as const
  const own = { current: compilePlans([{ ...MALAYSIA, ranges: [range] }]) }

  it('is the number by the plans of the operator, as the payment has it', () => {
    const ask = (text: string) => requireAccountNumber(product, offers, text, own)
    expect(['099-123 4567', '+60 99 123 4567'].map(ask)).toEqual(['60991234567', '60991234567'])
    // The service's own plan would know it.
    expect(ask('012-345 6789')).toBe('012-345 6789')
  })
})
