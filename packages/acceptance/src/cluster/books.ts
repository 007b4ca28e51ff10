import type pg from 'pg'
import { expect } from 'vitest'
import type { PaymentRow } from '../crash/crash.ts'
import { listPayments } from '../crash/crash.ts'
import { expectCompleteFeed } from '../crash/feed.ts'
import type { Subscriber } from '../events/subscriber.ts'
import { jsonOf } from '../events/subscriber.ts'
import type { PaymentData } from '../payments.ts'
import type { Receiver } from '../receiver/receiver.ts'
import { until } from '../service.ts'
import type { Simulator } from '../simulator.ts'
import type { Load } from './load.ts'
import { FAILS } from './load.ts'

// Comparison of the books after everything that happened: the clients' logs, the ledger, the provider and the receiver.

const FINAL_WITHIN_MS = 240_000
const SUCCEEDED = 20
/** Code of the test account that fails at the provider. */
const FAILED_THERE = 48
/** Code of a payment whose order certainly did nothing, after its node was lost or no provider could be reached. */
const NOT_SENT = 47

export type Books = {
  readonly load: Load
  readonly database: pg.Client
  readonly simulator: Simulator
  readonly receiver: Receiver
  readonly callbackPath: string
  readonly payer: Subscriber
  readonly baseUrl: string
}

/** Waits until no payment is under way. The test clock makes "not found" a proof at once. */
async function untilFinal(books: Books): Promise<PaymentRow[]> {
  await books.payer.advance(60)
  return until(
    'every payment is final',
    async () => {
      const rows = await listPayments(books)
      return rows.every(({ code }) => code !== 0 && code !== 1) && rows
    },
    FINAL_WITHIN_MS,
  )
}

/** Expects that all books agree; returns figures for the report. */
export async function expectBooksAgree(books: Books): Promise<Record<string, number>> {
  const rows = await untilFinal(books)
  expectClients(books, rows)
  expectLedger(rows)
  await expectBalances(books)
  const resent = await expectProvider(books, rows)
  const repeated = await expectReceiver(books, rows)
  const { apiKey, secretBase64 } = books.payer.credentials
  const reseller = { api_key: apiKey, signing_secret: secretBase64 }
  await expectCompleteFeed(books.database, { baseUrl: books.baseUrl }, reseller)
  const unanswered = books.load.log.reduce((sum, each) => sum + each.unanswered, 0)
  return {
    payments: rows.length,
    succeeded: rows.filter(({ code }) => code === SUCCEEDED).length,
    'failed at the provider, money back': rows.filter(({ code }) => code === FAILED_THERE).length,
    'failed without an order, money back': rows.filter(({ code }) => code === NOT_SENT).length,
    'requests without an answer, sent again': unanswered,
    'orders received twice by the provider, done once': resent,
    'callbacks delivered more than once': repeated,
  }
}

/** Expects each acknowledged payment once and under its one id, and none that a client was told is rejected. */
function expectClients({ load }: Books, rows: readonly PaymentRow[]): void {
  const byRefid = new Map(rows.map((row) => [row.refid, row]))
  expect(byRefid.size).toBe(rows.length)
  const lost = load.log
    .filter(({ acknowledged }) => acknowledged.length > 0)
    .filter(({ body, acknowledged }) => {
      const row = byRefid.get(body.refid)
      return row === undefined || acknowledged.some(({ transactionId }) => transactionId !== row.id)
    })
  expect(lost).toEqual([])
  expect(load.log.filter(({ body, rejected }) => rejected !== undefined && byRefid.has(body.refid))).toEqual(
    [],
  )
  expect(load.log.filter(({ rejected }) => rejected !== undefined)).toEqual([])
  const known = new Set(load.log.map(({ body }) => body.refid))
  expect(rows.filter(({ refid }) => !known.has(refid))).toEqual([])
}

/** Expects that each payment took its cost once, and gave it back once if it failed. Staging decides some failures. */
function expectLedger(rows: readonly PaymentRow[]): void {
  for (const { refid, account, code, taken, returned } of rows) {
    expect({ refid, taken, returned }).toEqual({ refid, taken: 1, returned: code === SUCCEEDED ? 0 : 1 })
    const expected = account === FAILS ? [FAILED_THERE, NOT_SENT] : [SUCCEEDED, NOT_SENT]
    expect(expected, `${refid} ended with ${code}`).toContain(code)
  }
}

async function expectBalances({ database }: Books): Promise<void> {
  const { rows } = await database.query(
    `select w.reseller_id from wallets w left join transfers t on t.reseller_id = w.reseller_id
      group by w.reseller_id having w.balance <> coalesce(sum(t.amount), 0) or w.sequence <> count(t.sequence)
         or w.sequence <> coalesce(max(t.sequence), 0)`,
  )
  expect(rows).toEqual([])
}

/** Expects that the provider acted once for each payment that succeeded, and for no other. */
async function expectProvider({ simulator }: Books, rows: readonly PaymentRow[]): Promise<number> {
  const lines = await simulator.books()
  const idOf = (reference: string) => /^W(\d+)-\d+$/.exec(reference)?.[1] ?? reference
  const told = (status: string) =>
    lines.filter((line) => line.status === status).map(({ reference }) => idOf(reference))
  const ended = (code: number) => rows.filter((row) => row.code === code).map(({ id }) => id)
  expect(told('succeeded').sort()).toEqual(ended(SUCCEEDED).sort())
  const failed = new Set([...ended(FAILED_THERE), ...ended(NOT_SENT)])
  expect(lines.filter(({ status }) => status !== 'succeeded' && status !== 'failed')).toEqual([])
  expect(told('failed').filter((id) => !failed.has(id))).toEqual([])
  return lines.filter(({ times_received }) => times_received > 1).length
}

/** Expects that the receiver was told how each payment ended, and nothing else. It may be told twice. */
async function expectReceiver(books: Books, rows: readonly PaymentRow[]): Promise<number> {
  const ends = new Map(rows.map(({ refid, code }) => [refid, code]))
  const told = new Map<string, number>()
  let after = 0
  await until(
    'the receiver was told of every end',
    async () => {
      const requests = await books.receiver.requests(books.callbackPath, after)
      after = Math.max(after, ...requests.map(({ index }) => index + 1))
      for (const request of requests) {
        const { refid, statusCode } = jsonOf<{ data: PaymentData }>(request).data
        expect(ends.has(refid), `a callback about ${refid}`).toBe(true)
        if (statusCode === 0 || statusCode === 1) continue
        expect({ refid, statusCode }).toEqual({ refid, statusCode: ends.get(refid) })
        expect(request.standard).toEqual(['verified'])
        told.set(refid, (told.get(refid) ?? 0) + 1)
      }
      return told.size === ends.size
    },
    FINAL_WITHIN_MS,
  )
  return [...told.values()].filter((times) => times > 1).length
}
