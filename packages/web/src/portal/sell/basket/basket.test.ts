import { describe, expect, it } from 'vitest'
import { ApiProblem } from '../../../api/errors.ts'
import type { Sale } from '../sale.ts'
import type { Basket } from './basket.ts'
import {
  changeOf,
  holdsSame,
  isOpen,
  keepBasket,
  paidBasket,
  problemOf,
  refusalOf,
  storedBasket,
  withLine,
} from './basket.ts'
import { forgetBasket } from './forget-basket.ts'

function openStorage() {
  const items = new Map<string, string>()
  return {
    items,
    getItem: (name: string) => items.get(name) ?? null,
    setItem: (name: string, value: string) => void items.set(name, value),
    removeItem: (name: string) => void items.delete(name),
  }
}

function saleOf(refid: string, account = '1'): Sale {
  const body = { refid, product: 'P', account, amount: '10', extras: {} }
  return { reseller: 'R', product: 'P', refid, sentAtMs: 0, body, paymentId: null, price: null }
}

function basketOf(...refids: readonly string[]): Basket {
  const lines = refids.map((refid) => ({
    name: 'Nova',
    account: refid,
    sale: saleOf(refid, refid),
    refused: null,
  }))
  return { reseller: 'R', isPaid: false, cash: '', lines }
}

const TOLD = new Map(['a', 'b'].map((refid) => [refid, { quoteId: `q-${refid}`, price: '10.00' }]))

describe('a basket in the tab', () => {
  it('is there after a reload with the refids, quotes and prices with which it was paid', () => {
    const storage = openStorage()
    keepBasket(storage, paidBasket(basketOf('a', 'b'), { told: TOLD, cash: '50', atMs: 7 }))
    const found = storedBasket(storage, 'R')
    expect(found?.cash).toBe('50')
    expect(
      found?.lines.map(({ sale }) => [sale.refid, sale.body?.quote_id, sale.price, sale.sentAtMs]),
    ).toEqual([
      ['a', 'q-a', '10.00', 7],
      ['b', 'q-b', '10.00', 7],
    ])
    expect(found?.lines.every(isOpen)).toBe(true)
  })

  it('is not paid while a line has no quote', () => {
    expect(() => paidBasket(basketOf('a', 'c'), { told: TOLD, cash: '', atMs: 0 })).toThrow(/no quote/)
  })

  it('a line that was refused is no open one, and keeps the reason over a reload', () => {
    const error = new ApiProblem('Nothing was paid.', {
      status: 400,
      code: 'rejected',
      fields: { amount: ['No.'] },
    })
    const storage = openStorage()
    keepBasket(storage, withLine(basketOf('a', 'b'), 'b', { refused: refusalOf(error) }))
    const [open, refused] = storedBasket(storage, 'R')?.lines ?? []
    expect([open, refused].map((line) => line && isOpen(line))).toEqual([true, false])
    expect(problemOf(refused?.refused ?? { problem: null })).toMatchObject({
      message: 'Nothing was paid.',
      status: 400,
      fields: { amount: ['No.'] },
    })
  })

  it('is removed when it is another shop’s, leaves nothing when it is empty, and text of others counts as none', () => {
    const storage = openStorage()
    keepBasket(storage, basketOf('a'))
    expect(storedBasket(storage, 'other')).toBeUndefined()
    keepBasket(storage, basketOf())
    expect(storage.items.size).toBe(0)
    storage.setItem('warung.basket', '{')
    expect(storedBasket(storage, 'R')).toBeUndefined()
  })

  it('is forgotten with the session while it is unpaid, and goes on once it is paid', () => {
    const storage = openStorage()
    keepBasket(storage, basketOf('a'))
    forgetBasket(storage)
    expect(storage.items.size).toBe(0)
    keepBasket(storage, paidBasket(basketOf('a'), { told: TOLD, cash: '', atMs: 0 }))
    forgetBasket(storage)
    expect(storedBasket(storage, 'R')).toBeDefined()
  })

  it('finds the same product, account and amount, however the amount is written', () => {
    const basket = basketOf('a')
    const same = saleOf('x', 'a')
    expect(holdsSame(basket, { ...same, body: same.body && { ...same.body, amount: '10.00' } })).toBe(true)
    expect(holdsSame(basket, saleOf('x', 'other'))).toBe(false)
  })
})

describe('change', () => {
  it.each([
    ['', '24.50', { kind: 'none' }],
    ['50', '24.50', { kind: 'change', amount: '25.50' }],
    ['24.5', '24.5000', { kind: 'change', amount: '0.00' }],
    ['20', '24.50', { kind: 'missing', amount: '4.50' }],
    ['1,000', '24.50', { kind: 'unreadable' }],
    ['-5', '24.50', { kind: 'unreadable' }],
  ])('cash %j for %s gives %j', (cash, total, expected) => expect(changeOf(cash, total)).toEqual(expected))
})
