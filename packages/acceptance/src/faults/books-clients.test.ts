import { describe, expect, it } from 'vitest'
import type { Broken } from './sound-books.ts'
import { answered, checksOf, exchange, payment, soundBooks, state } from './sound-books.ts'

const CLIENTS: readonly Broken[] = [
  [
    'success was answered, and then failure',
    'answer-changed',
    ({ exchanges }) => ({ exchanges: [...exchanges, exchange('a', 300, answered('1', 48))] }),
  ],
  [
    'an answer went back to Accepted',
    'answer-changed',
    ({ exchanges }) => ({ exchanges: [...exchanges, exchange('d', 300, answered('4', 0))] }),
  ],
  [
    'a client was told of success, and the books say failure',
    'answer-untrue',
    ({ exchanges }) => ({ exchanges: [...exchanges, exchange('b', 50, answered('2', 20))] }),
  ],
  [
    'a client was told that nothing exists, and it was paid',
    'rejected-but-paid',
    ({ exchanges }) => ({
      exchanges: [...exchanges, exchange('a', 400, { kind: 'rejected', code: 49, remarks: '' })],
    }),
  ],
  [
    'a payment exists that nobody asked for',
    'unasked-payment',
    ({ payments }) => ({ payments: [...payments, payment('9', 'z', 20)] }),
  ],
  [
    'the same bytes were taken twice',
    'nonce-accepted-twice',
    ({ exchanges }) => ({ exchanges: [...exchanges, exchange('a', 300, answered('1', 20), true)] }),
  ],
  [
    'a fresh nonce was refused',
    'strange-answer',
    ({ exchanges }) => ({ exchanges: [...exchanges, exchange('z', 300, { kind: 'nonce_reused' })] }),
  ],
  [
    'a client got an answer that no client can get',
    'strange-answer',
    ({ exchanges }) => ({ exchanges: [...exchanges, exchange('a', 300, { kind: 'strange', why: '418' })] }),
  ],
  [
    'a client never learnt the end',
    'end-untold',
    ({ exchanges }) => ({
      exchanges: exchanges.filter(({ refid, sentMs }) => refid !== 'd' || sentMs === 0),
    }),
  ],
  ['a final state changed', 'state-path', ({ changes }) => ({ changes: [...changes, state('2', 20)] })],
  [
    'the timeline does not end where the payment is',
    'state-path',
    ({ changes }) => ({ changes: changes.filter(({ code }) => code !== 53) }),
  ],
]

describe('the comparison of what clients were told', () => {
  it.each(CLIENTS)('finds it when %s', (_, check, change) => {
    const books = soundBooks()
    expect(checksOf({ ...books, ...change(books) })).toContain(check)
  })
})
