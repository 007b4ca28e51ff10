import { describe, expect, it } from 'vitest'
import type { Exchange, Records } from './records.ts'
import type { Broken } from './sound-books.ts'
import { ACCOUNT, COST, checksOf, soundBooks } from './sound-books.ts'

const GUARDS = { account: ACCOUNT, windowSeconds: 5, perAccount: 2, perMonth: 2, dailyCap: 19.4 }

/** Books of a guarded account: payments 1 and 4 count, and 1 has a quote. */
function guardedBooks(): Records {
  const { payments, exchanges, ...books } = soundBooks()
  return {
    ...books,
    guards: [GUARDS],
    quotes: [{ account: ACCOUNT, id: 'q', cost: COST, paymentId: '1' }],
    payments: payments.map((row) => ({ ...row, takenMs: Number(row.id) * 9_000 })),
    exchanges: exchanges.map((each) => (each.refid === 'a' ? quoting(each) : each)),
  }
}

const quoting = (each: Exchange, cost = COST): Exchange => ({ ...each, quoted: { id: 'q', cost } })

const GUARDED: readonly Broken[] = [
  [
    'a quote paid two payments',
    'quote-used-twice',
    ({ exchanges }) => ({
      exchanges: exchanges.map((each) => (each.refid === 'd' ? quoting(each) : each)),
    }),
  ],
  [
    'a payment costs other than its client was quoted',
    'quote-wrong',
    ({ exchanges }) => ({
      exchanges: exchanges.map((each) => (each.refid === 'a' ? quoting(each, COST + 1) : each)),
    }),
  ],
  [
    'a quote that was paid names no payment',
    'quote-wrong',
    ({ quotes }) => ({ quotes: quotes.map((row) => ({ ...row, paymentId: null })) }),
  ],
  [
    'an account got more payments in a day than its limit',
    'limit-passed',
    () => ({ guards: [{ ...GUARDS, perAccount: 1 }] }),
  ],
  [
    'a reseller paid more in a month than its limit',
    'limit-passed',
    () => ({ guards: [{ ...GUARDS, perMonth: 1 }] }),
  ],
  [
    'a key paid more in a day than its cap',
    'cap-passed',
    () => ({ guards: [{ ...GUARDS, dailyCap: 19.39 }] }),
  ],
  [
    'the same was paid twice within the window',
    'payment-repeated',
    ({ payments }) => ({ payments: payments.map((row) => ({ ...row, takenMs: 9_000 })) }),
  ],
  [
    'a count is not that of its payments',
    'count-drifted',
    () => ({ drifts: [{ account: ACCOUNT, what: 'key 7' }] }),
  ],
]

describe('the comparison of guards', () => {
  it('finds nothing where all fits', () => {
    expect(checksOf(guardedBooks())).toEqual([])
  })

  it.each(GUARDED)('finds it when %s', (_, check, change) => {
    const books = guardedBooks()
    expect(checksOf({ ...books, ...change(books) })).toContain(check)
  })

  it('takes the same again for no repetition when the first one was given back before', () => {
    const books = guardedBooks()
    const payments = books.payments.map((row) => ({
      ...row,
      takenMs: row.id === '4' ? 20_000 : row.takenMs,
      givenBackMs: row.id === '2' ? 18_500 : null,
    }))
    expect(checksOf({ ...books, payments })).toEqual([])
  })
})
