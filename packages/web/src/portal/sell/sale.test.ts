import { describe, expect, it } from 'vitest'
import { ApiProblem } from '../../api/errors.ts'
import type { Sale } from './sale.ts'
import { forgetSale, isStale, judge, keepSale, newRefid, pauseMs, storedSales } from './sale.ts'

function openStorage() {
  const items = new Map<string, string>()
  return {
    items,
    getItem: (name: string) => items.get(name) ?? null,
    setItem: (name: string, value: string) => void items.set(name, value),
    removeItem: (name: string) => void items.delete(name),
  }
}

function saleOf(refid: string, more: Partial<Sale> = {}): Sale {
  const body = { refid, product: 'P', account: '1', amount: '1', extras: { ic_number: '900101145678' } }
  return { reseller: 'R', product: 'P', refid, sentAtMs: 0, body, paymentId: null, price: '1.00', ...more }
}

describe('a sale in the tab', () => {
  it('is there after a reload, and nothing of it is left once it has ended', () => {
    const storage = openStorage()
    keepSale(storage, saleOf('1'))
    keepSale(storage, saleOf('2'))
    expect(storedSales(storage, 'R').map(({ refid }) => refid)).toEqual(['1', '2'])
    forgetSale(storage, { refid: '1' })
    forgetSale(storage, { refid: '2' })
    expect(storage.items.size).toBe(0)
  })

  it('holds no identity number once its payment is known', () => {
    const storage = openStorage()
    keepSale(storage, saleOf('1'))
    keepSale(storage, saleOf('1', { body: null, paymentId: '7' }))
    expect([...storage.items.values()].join()).not.toContain('900101145678')
  })

  it('a sale of another reseller is removed, and text of others counts as none', () => {
    const storage = openStorage()
    keepSale(storage, saleOf('1'))
    expect(storedSales(storage, 'other')).toEqual([])
    expect(storage.items.size).toBe(0)
    storage.setItem('warung.sales', '{')
    expect(storedSales(storage, 'R')).toEqual([])
  })

  it('goes on without a price when an earlier version of the page kept it', () => {
    const storage = openStorage()
    const { price: _, ...earlier } = saleOf('1')
    storage.setItem('warung.sales', JSON.stringify([earlier]))
    expect(storedSales(storage, 'R')).toEqual([{ ...earlier, price: null }])
  })

  it('is not sent again after ten minutes', () => {
    expect([isStale(saleOf('1'), 9 * 60_000), isStale(saleOf('1'), 11 * 60_000)]).toEqual([false, true])
  })

  it('is asked about with growing pauses of ten seconds at most', () => {
    expect([0, 1, 2, 3, 9].map(pauseMs)).toEqual([2_000, 4_000, 8_000, 10_000, 10_000])
  })
})

describe('an answer to a payment that the service does not list', () => {
  const answer = (status: number, isRepeated = false, sinceFirstMs = 0) =>
    judge({ error: new ApiProblem('', { status, code: 'x' }), isRepeated, sinceFirstMs })

  it('is a rejection only when it is certain', () => {
    expect([400, 403, 409, 429].map((status) => answer(status))).toEqual(Array(4).fill('rejected'))
    expect([0, 500, 503, 504].map((status) => answer(status))).toEqual(Array(4).fill('unknown'))
    expect(judge({ error: new Error('bug'), isRepeated: false, sinceFirstMs: 0 })).toBe('unknown')
  })

  it('to a body that was sent before counts only when the first request cannot be under way any more', () => {
    expect(answer(400, true, 5_000)).toBe('unknown')
    expect(answer(400, true, 31_000)).toBe('rejected')
    expect(answer(403, true, 31_000)).toBe('unknown')
  })
})

it('a sale has a refid of its own that the API takes', () => {
  const refids = new Set(Array.from({ length: 100 }, newRefid))
  expect(refids.size).toBe(100)
  for (const refid of refids) expect(refid.length).toBeLessThanOrEqual(50)
})
