import { describe, expect, it } from 'vitest'
import type { EntryRow, Records } from './records.ts'
import type { Broken } from './sound-books.ts'
import {
  ACCOUNT,
  answered,
  COST,
  checksOf,
  DEPOSIT,
  exchange,
  feedOf,
  ledger,
  payment,
  soundBooks,
  TYPES,
} from './sound-books.ts'

/** Books with other entries, and everything that shows entries changed alike: only the payments disagree. */
function withEntries(entries: readonly EntryRow[]): (books: Records) => Partial<Records> {
  return (books) => {
    const sum = (kind: string) =>
      entries.filter((entry) => entry.kind === kind).reduce((total, { amount }) => total + amount, 0)
    return {
      entries,
      wallets: [{ account: ACCOUNT, balance: entries.at(-1)?.balance ?? 0, sequence: entries.length }],
      statement: entries.map(({ account, sequence, kind, amount, balance, paymentId }) => {
        return { account, id: sequence, type: TYPES[kind]?.[0] ?? '', amount, balance, paymentId }
      }),
      summaries: [
        { account: ACCOUNT, transactions: sum('payment'), deposits: sum('deposit'), refunds: sum('refund') },
      ],
      feed: feedOf(
        entries,
        books.feed.flatMap(({ type, paymentId, code }) =>
          type.startsWith('payment.') ? [[String(paymentId), Number(code)] as const] : [],
        ),
      ),
    }
  }
}

const MONEY: readonly Broken[] = [
  [
    'a payment that a client was told of is not in the books',
    'lost-payment',
    ({ payments }) => ({ payments: payments.slice(1) }),
  ],
  [
    'a refid has two payments',
    'two-payments',
    ({ payments }) => ({ payments: [...payments, payment('9', 'a', 20)] }),
  ],
  [
    'a client was told two ids for one refid',
    'two-payments',
    ({ exchanges }) => ({ exchanges: [...exchanges, exchange('a', 300, answered('9', 20))] }),
  ],
  [
    'a payment was debited twice',
    'debit-doubled',
    withEntries(
      ledger(
        ['deposit', DEPOSIT, null],
        ['payment', -COST, '1'],
        ['payment', -COST, '1'],
        ['payment', -COST, '2'],
        ['refund', COST, '2'],
        ['payment', -COST, '3'],
        ['payment', -COST, '4'],
        ['refund', COST, '3'],
      ),
    ),
  ],
  [
    'a payment was debited after it was taken',
    'debit-late',
    ({ entries }) => ({ entries: entries.map((each) => ({ ...each, postedMs: each.postedMs + 1 })) }),
  ],
  [
    'a payment was never debited',
    'debit-missing',
    withEntries(
      ledger(
        ['deposit', DEPOSIT, null],
        ['payment', -COST, '2'],
        ['refund', COST, '2'],
        ['payment', -COST, '3'],
        ['payment', -COST, '4'],
        ['refund', COST, '3'],
      ),
    ),
  ],
  [
    'a failed payment was not given back',
    'refund-missing',
    withEntries(
      ledger(
        ['deposit', DEPOSIT, null],
        ['payment', -COST, '1'],
        ['payment', -COST, '2'],
        ['payment', -COST, '3'],
        ['payment', -COST, '4'],
        ['refund', COST, '3'],
      ),
    ),
  ],
  [
    'a failed payment was given back twice',
    'refund-doubled',
    withEntries(
      ledger(
        ['deposit', DEPOSIT, null],
        ['payment', -COST, '1'],
        ['payment', -COST, '2'],
        ['refund', COST, '2'],
        ['refund', COST, '2'],
        ['payment', -COST, '3'],
        ['payment', -COST, '4'],
        ['refund', COST, '3'],
      ),
    ),
  ],
  [
    'a successful payment was given back',
    'refund-wrong',
    withEntries(
      ledger(
        ['deposit', DEPOSIT, null],
        ['payment', -COST, '1'],
        ['refund', COST, '1'],
        ['payment', -COST, '2'],
        ['refund', COST, '2'],
        ['payment', -COST, '3'],
        ['payment', -COST, '4'],
        ['refund', COST, '3'],
      ),
    ),
  ],
  [
    'a balance does not follow from the one before',
    'ledger-broken',
    ({ entries }) => ({
      entries: entries.map((entry, index) => (index === 3 ? { ...entry, balance: 1 } : entry)),
    }),
  ],
  [
    'a number of the ledger is missing',
    'ledger-broken',
    ({ entries }) => ({ entries: entries.filter(({ sequence }) => sequence !== 3) }),
  ],
  [
    'the wallet is not what its entries add up to',
    'ledger-broken',
    ({ wallets }) => ({ wallets: wallets.map((wallet) => ({ ...wallet, balance: wallet.balance + 1 })) }),
  ],
  [
    'an entry is about a payment that does not exist',
    'entry-stray',
    ({ entries }) => ({
      entries: [...entries, { ...(entries.at(-1) as EntryRow), sequence: 8, paymentId: '77' }],
    }),
  ],
  [
    'an entry is not the cost of its payment',
    'entry-amount',
    ({ payments }) => ({ payments: payments.map((row) => (row.id === '1' ? { ...row, cost: 1 } : row)) }),
  ],
  [
    'an acknowledged deposit was not posted',
    'deposit-lost',
    ({ steps }) => ({ steps: steps.map((step) => ({ ...step, subject: 'slip 2' })) }),
  ],
  [
    'a deposit was posted twice',
    'deposit-doubled',
    ({ entries }) => ({ entries: [...entries, { ...(entries[0] as EntryRow), sequence: 8 }] }),
  ],
  ['the statement lacks an entry', 'statement-wrong', ({ statement }) => ({ statement: statement.slice(1) })],
  [
    'the summary of the statement does not add up',
    'statement-wrong',
    ({ summaries }) => ({ summaries: summaries.map((summary) => ({ ...summary, refunds: 0 })) }),
  ],
  ['the history lacks a payment', 'history-wrong', ({ history }) => ({ history: history.slice(1) })],
  [
    'the history shows another state',
    'history-wrong',
    ({ history }) => ({ history: history.map((each) => ({ ...each, code: 1 })) }),
  ],
  [
    'the history shows a payment that does not exist',
    'history-wrong',
    ({ history }) => ({ history: [...history, { account: ACCOUNT, id: '77', refid: 'z', code: 20 }] }),
  ],
]

describe('the comparison of ledger, statement and history', () => {
  it.each(MONEY)('finds it when %s', (_, check, change) => {
    const books = soundBooks()
    expect(checksOf({ ...books, ...change(books) })).toContain(check)
  })
})
