import { describe, expect, it } from 'vitest'
import type { Product } from '../api/wire.ts'
import { keepable, restored } from './kept.ts'

describe('a half-filled form', () => {
  const LOAN = {
    code: 'LOAN',
    fields: [
      { id: 'ic', type: 'text' },
      {
        id: 'account',
        type: 'select',
        data_source: { type: 'dynamic', endpoint: '/options', depends_on: ['ic'], params: {} },
      },
      { id: 'second', type: 'text' },
      { id: 'amount', type: 'money' },
    ],
    fulfillment: {
      account: { from_field: 'account', path: 'code' },
      amount: { from_field: 'amount' },
      extras: { ic_number: { from_field: 'ic' }, ref2: { from_field: 'second' } },
    },
  } as unknown as Product

  it('is kept without identity numbers, and without what was found by one', () => {
    const values = {
      ic: '900101145678',
      account: { code: '1', label: 'a' },
      second: '900101145678',
      amount: '5',
    }
    expect(keepable(LOAN, values)).toEqual({ amount: '5' })
  })

  it('takes back nothing but values of its own fields', () => {
    expect(restored(LOAN, { amount: '5', other: 'x', ic: 7, account: { code: 1 } })).toEqual({ amount: '5' })
    expect(restored(LOAN, 'x')).toEqual({})
    expect(restored(LOAN, null)).toEqual({})
  })
})
