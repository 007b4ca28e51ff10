import { describe, expect, it } from 'vitest'
import { receiptAmounts } from './receipt-amounts.ts'

const GEMS = { amount: '60.00', amount_currency: 'GEM', face_value: '3.00', cost: '2.90' }
const RELOAD = { amount: '10.00', amount_currency: 'MYR', face_value: '10.00', cost: '9.85' }

describe('a receipt', () => {
  it('names ringgit as what was paid, and the unit of the product as what was bought', () => {
    expect(receiptAmounts(GEMS, '3.20')).toEqual({
      bought: 'GEM 60',
      total: { kind: 'paid', text: 'RM 3.20' },
    })
    expect(receiptAmounts(RELOAD, '10.00')).toEqual({
      bought: undefined,
      total: { kind: 'paid', text: 'RM 10.00' },
    })
  })

  it('claims no price that is not known: it names the value instead', () => {
    expect(receiptAmounts(GEMS, null).total).toEqual({ kind: 'value', text: 'RM 3.00' })
    expect(receiptAmounts({ ...GEMS, amount_currency: null }, null)).toEqual({
      bought: undefined,
      total: { kind: 'value', text: 'RM 3.00' },
    })
  })

  it('never shows the cost', () => {
    for (const payment of [GEMS, RELOAD]) {
      for (const price of [null, '4.00'])
        expect(JSON.stringify(receiptAmounts(payment, price))).not.toContain(payment.cost)
    }
  })
})
