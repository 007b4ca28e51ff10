import { checkBooks } from './books.ts'
import type {
  ChangeRow,
  ClientAnswer,
  EntryRow,
  Exchange,
  FeedLine,
  PaymentRow,
  Received,
  Records,
  SupplierLine,
} from './records.ts'
import { BALANCE_TYPES } from './records.ts'

// Books of one account with four payments that agree. Tests break them in every way.

export const ACCOUNT = 'W1'
export const COST = 97_000
export const DEPOSIT = 1_000_000
/** Instant of all payments and entries. */
const TAKEN_MS = 1_000

export function answered(id: string, code: number): ClientAnswer {
  return { kind: 'payment', http: 200, id, code }
}

export function exchange(refid: string, sentMs: number, answer: ClientAnswer, isReplay = false): Exchange {
  return { account: ACCOUNT, refid, node: 0, sentMs, toldMs: sentMs + 10, told: answer, isReplay }
}

export function payment(id: string, refid: string, code: number): PaymentRow {
  return {
    account: ACCOUNT,
    id,
    refid,
    product: 'KITA',
    target: '6019',
    cost: COST,
    code,
    provider: 'north',
    takenMs: TAKEN_MS,
    day: '2026-11-19',
    givenBackMs: null,
  }
}

export function state(paymentId: string, code: number): ChangeRow {
  return { account: ACCOUNT, paymentId, kind: 'state', code, attempt: 1, detail: '' }
}

export function line(reference: string, status: SupplierLine['status'], isVoided = false): SupplierLine {
  return { supplier: 'north', reference, status, received: 1, isVoided }
}

export function callback(refid: string, code: number, eventId = `${refid}-${code}`): Received {
  const body = JSON.stringify({ data: { refid, statusCode: code, cost: COST / 10_000, account: '6019' } })
  return { account: ACCOUNT, eventId, body, isVerified: true, isTaken: true }
}

/** Entries from kind, amount and payment, with the balances that follow. */
export function ledger(
  ...list: readonly (readonly [kind: string, amount: number, paymentId: string | null])[]
): EntryRow[] {
  let balance = 0
  return list.map(([kind, amount, paymentId], index) => {
    balance += amount
    const remarks = paymentId === null ? 'slip 1' : 'KITA 6019'
    const postedMs = TAKEN_MS
    return { account: ACCOUNT, sequence: index + 1, kind, amount, balance, paymentId, remarks, postedMs }
  })
}

export const TYPES: Readonly<Record<string, [code: string, event: string]>> = {
  deposit: ['D', 'balance.added'],
  payment: ['T', 'balance.deducted'],
  refund: ['R', 'balance.refunded'],
}

/** Feed that tells of the entries and then of the states. */
export function feedOf(
  entries: readonly EntryRow[],
  states: readonly (readonly [paymentId: string, code: number])[],
): FeedLine[] {
  const common = { account: ACCOUNT, amount: null, balance: null, code: null }
  const lines = [
    ...entries.map(({ kind, amount, balance, paymentId }) => ({
      ...common,
      type: TYPES[kind]?.[1] ?? '',
      amount,
      balance,
      paymentId,
    })),
    ...states.map(([paymentId, code]) => ({ ...common, type: 'payment.state', paymentId, code })),
  ]
  return lines.map((each, index) => ({ ...each, sequence: index + 1, id: `e${index + 1}` }))
}

/** Webhooks of the balance that the feed tells of. */
export function webhooksOf(feed: readonly FeedLine[]): Received[] {
  return feed
    .filter(({ type }) => BALANCE_TYPES.includes(type))
    .map(({ id, type, amount, balance }) => {
      const data = { amount: Number(amount) / 10_000, balance: Number(balance) / 10_000 }
      const body = JSON.stringify({ type, id, data })
      return { account: ACCOUNT, eventId: id, body, isVerified: true, isTaken: true }
    })
}

/** Payment 1 succeeded, 2 failed, 3 was voided, 4 went through Processing. */
export function soundBooks(): Records {
  const entries = ledger(
    ['deposit', DEPOSIT, null],
    ['payment', -COST, '1'],
    ['payment', -COST, '2'],
    ['refund', COST, '2'],
    ['payment', -COST, '3'],
    ['payment', -COST, '4'],
    ['refund', COST, '3'],
  )
  const feed = feedOf(entries, [
    ['1', 0],
    ['1', 20],
    ['2', 0],
    ['2', 48],
    ['3', 0],
    ['3', 20],
    ['3', 53],
    ['4', 0],
    ['4', 1],
    ['4', 20],
  ])
  return {
    exchanges: [
      exchange('a', 0, answered('1', 0)),
      exchange('a', 100, answered('1', 20)),
      exchange('a', 200, { kind: 'nonce_reused' }, true),
      exchange('b', 0, { kind: 'unknown', why: '504' }),
      exchange('b', 100, answered('2', 48)),
      exchange('c', 0, answered('3', 20)),
      exchange('c', 300, answered('3', 53)),
      exchange('d', 0, answered('4', 1)),
      exchange('d', 100, answered('4', 20)),
      exchange('e', 0, { kind: 'rejected', code: 43, remarks: 'Insufficient_Balance' }),
    ],
    voids: [{ account: ACCOUNT, refid: 'c', atMs: 200, told: 'Success' }],
    steps: [{ atMs: 0, kind: 'deposit', subject: 'slip 1', account: ACCOUNT, told: 'done', detail: '' }],
    events: [{ atMs: 50, untilMs: 60, text: 'kill node 0' }],
    deaths: [],
    payments: [payment('1', 'a', 20), payment('2', 'b', 48), payment('3', 'c', 53), payment('4', 'd', 20)],
    quotes: [],
    guards: [],
    drifts: [],
    entries,
    wallets: [{ account: ACCOUNT, balance: DEPOSIT - 2 * COST, sequence: entries.length }],
    changes: [state('1', 20), state('2', 48), state('3', 20), state('3', 53), state('4', 1), state('4', 20)],
    deliveries: [],
    lines: [
      line('W1-1', 'succeeded'),
      line('W2-1', 'failed'),
      line('W3-1', 'succeeded', true),
      line('W4-1', 'succeeded'),
    ],
    webhooks: webhooksOf(feed),
    received: [callback('a', 20), callback('b', 48), callback('c', 20), callback('c', 53), callback('d', 20)],
    feed,
    history: [
      ['1', 'a', 20],
      ['2', 'b', 48],
      ['3', 'c', 53],
      ['4', 'd', 20],
    ].map(([id, refid, code]) => ({
      account: ACCOUNT,
      id: String(id),
      refid: String(refid),
      code: Number(code),
    })),
    statement: entries.map(({ account, sequence, kind, amount, balance, paymentId }) => {
      return { account, id: sequence, type: TYPES[kind]?.[0] ?? '', amount, balance, paymentId }
    }),
    summaries: [{ account: ACCOUNT, transactions: -4 * COST, deposits: DEPOSIT, refunds: 2 * COST }],
    left: [],
    unread: [],
  }
}

/** Way in which books are broken: in words, the check that must find it, and the change. */
export type Broken = readonly [what: string, check: string, change: (books: Records) => Partial<Records>]

/** Lists the checks that find something. */
export function checksOf(books: Records): string[] {
  return checkBooks(books).map(({ check }) => check)
}
