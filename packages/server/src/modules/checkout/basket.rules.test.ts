import { describe, expect, it } from 'vitest'
import { RequestError } from '../../lib/errors.ts'
import type { OrderLine } from '../orders/core/types.ts'
import { readBasket } from './basket.rules.ts'

const NO_EXTRAS = { subproductCode: null, billerCode: null, ref2: null, icNumber: null }

function line(number: number, change: Partial<OrderLine> = {}): OrderLine {
  return {
    line: number,
    productCode: 'NOVA',
    productName: 'Nova',
    account: '60123456789',
    amount: 100_000n,
    extras: NO_EXTRAS,
    quantity: 1,
    unitPrice: 101_000n,
    openFields: [],
    ...change,
  }
}

function problemsOf(act: () => unknown): object | undefined {
  try {
    act()
  } catch (error) {
    if (error instanceof RequestError) return error.fields
    throw error
  }
  return undefined
}

const STUDENT = line(1, { extras: { ...NO_EXTRAS, icNumber: '900101145678', subproductCode: 'K' } })
const ORDER = { lines: [STUDENT, line(2)] }

describe('the basket that a customer sends', () => {
  it('a line that is named by its number stays as it is, values included that are never shown again', () => {
    const [kept, other] = readBasket(ORDER, [{ line: 1 }, { line: 2, quantity: 3 }])
    expect(kept).toEqual({
      productCode: 'NOVA',
      account: '60123456789',
      amount: 100_000n,
      extras: STUDENT.extras,
      quantity: 1,
    })
    expect(other).toMatchObject({ quantity: 3, account: '60123456789' })
  })

  it('values given with a line replace those of the line, and leave the others', () => {
    const [item] = readBasket(ORDER, [{ line: 1, account: '1', extras: { ref2: 'A' } }])
    expect(item).toMatchObject({ account: '1', extras: { ...STUDENT.extras, ref2: 'A' } })
  })

  it('an item without a line has only what was sent', () => {
    const [item] = readBasket(ORDER, [{ product_code: 'NOVA', amount: '5', account: '1' }])
    expect(item).toEqual({
      productCode: 'NOVA',
      account: '1',
      amount: 50_000n,
      extras: NO_EXTRAS,
      quantity: 1,
    })
  })

  it.each([
    ['a line that is not there', { line: 3 }, 'items.0.line'],
    ['no product', { amount: '5' }, 'items.0.product_code'],
    ['no amount', { product_code: 'NOVA' }, 'items.0.amount'],
    ['an amount of zero', { line: 1, amount: '0' }, 'items.0.amount'],
    ['an amount below zero', { line: 1, amount: '-1' }, 'items.0.amount'],
    ['a quantity of 21', { line: 1, quantity: 21 }, 'items.0.quantity'],
    ['a quantity below 1', { line: 1, quantity: 0 }, 'items.0.quantity'],
    ['an account with a control character', { line: 1, account: 'a\nb' }, 'items.0.account'],
  ])('%s is refused by name', (_, item, field) => {
    expect(Object.keys(problemsOf(() => readBasket(ORDER, [item])) ?? {})).toContain(field)
  })
})
