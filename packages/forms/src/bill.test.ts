import { describe, expect, it } from 'vitest'
import { accountRefusal, billQueryOf, shownBill } from './form.ts'
import type { BillAnswer, FormProduct as Product } from './types.ts'

const field = (id: string, type: string, more: object = {}) => ({
  id,
  type,
  required: true,
  order: 1,
  role: 'none',
  validation: {},
  ...more,
})

const PRODUCT = {
  code: 'BILLS',
  fields: [
    field('biller', 'select'),
    field('number', 'text', { role: 'account', validation: { pattern: '^[0-9]{4,}$' } }),
    field('ref2', 'text', { required: false }),
    field('amount', 'money', { role: 'pricing' }),
  ],
  fulfillment: {
    account: { from_field: 'number' },
    amount: { from_field: 'amount' },
    extras: {
      biller_code: { from_field: 'biller', path: 'code' },
      ref2: { from_field: 'ref2', omit_if_empty: true },
    },
  },
} as unknown as Product

const EMPTY = { CustomerName: null, Address: '', Outstanding: null, DueDate: null, Data: null }

describe('the bill', () => {
  const ask = (values: object) => billQueryOf(PRODUCT, PRODUCT.fields, values as never)

  it('is asked for once account and biller are right, and the second reference where it is needed', () => {
    const biller = { code: '7', label: 'Air' }
    expect(ask({ number: '1234' })).toBeUndefined()
    expect(ask({ number: '12', biller })).toBeUndefined()
    expect(ask({ number: '1234', biller })).toEqual({ account: '1234', product: 'BILLS', biller_code: '7' })
    expect(ask({ number: '1234', biller: { ...biller, ref2_required: true } })).toBeUndefined()
  })

  it('shows only what the biller returned', () => {
    expect(shownBill({ data: EMPTY } as BillAnswer)).toBeUndefined()
    expect(shownBill({ data: { ...EMPTY, Outstanding: 0 } } as BillAnswer)).toMatchObject({
      owed: '0.00',
      name: undefined,
    })
  })

  it('writes what is owed as an amount is typed', () => {
    const owed = (Outstanding: number) => shownBill({ data: { ...EMPTY, Outstanding } } as BillAnswer)?.owed
    expect([owed(84.5), owed(84), owed(84.05)]).toEqual(['84.50', '84.00', '84.05'])
  })

  it('keeps from paying only when the account is refused', () => {
    const refused = (message: string, status = 400) => accountRefusal(status, message)
    expect(refused('Invalid account no')).toBe('Invalid account no')
    expect(refused('Provided biller code is invalid')).toBeUndefined()
    expect(refused('Invalid account no', 503)).toBeUndefined()
  })
})
