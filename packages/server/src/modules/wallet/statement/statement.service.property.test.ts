import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { parseDay, startOfDayMs } from '../../../lib/dates.ts'
import type { TestDatabase } from '../../../testing/database.ts'
import { openTestDatabase } from '../../../testing/database.ts'
import { newReseller } from '../../../testing/payments/history.ts'
import { runs } from '../../../testing/runs.ts'
import { statementView } from './statement.codec.ts'
import type { StatementType } from './statement.rules.ts'
import { STATEMENT_TYPES } from './statement.rules.ts'
import type { Statements } from './statement.service.ts'
import { createStatements } from './statement.service.ts'

let test: TestDatabase
let statements: Statements

beforeAll(async () => {
  test = await openTestDatabase()
  statements = createStatements(test.database, async () => new Map())
})

afterAll(() => test.close())

const FIRST_DAY = parseDay('2026-02-26') ?? Number.NaN
const DAYS = 6
const HOUSE = {
  deposit: 'bank',
  adjustment: 'adjustments',
  commission: 'commissions',
  payment: 'provider_clearing',
  refund: 'provider_clearing',
} as const
type Kind = keyof typeof HOUSE

const TYPE_OF = {
  deposit: ['DEPOSIT', 'D'],
  adjustment: ['DEPOSIT', 'D'],
  commission: ['COMMISSION', 'C'],
  payment: ['TRANSACTION', 'T'],
  refund: ['REFUND', 'R'],
} as const satisfies Record<Kind, readonly [StatementType, string]>

type Written = { sequence: bigint; kind: Kind; amount: bigint; balance: bigint; day: number }

/** Writes entries with the ledger's own function, dated in their order. */
async function write(
  resellerId: bigint,
  drafts: readonly { kind: Kind; size: bigint; atMs: number }[],
): Promise<Written[]> {
  const written: Written[] = []
  let balance = 0n
  for (const { kind, size, atMs } of drafts.toSorted((a, b) => a.atMs - b.atMs)) {
    // Payments are smaller than the rest, so that most of them find enough money.
    const step = kind === 'payment' ? (size % 1_000n) + 1n : size
    const wanted = kind === 'payment' || (kind === 'adjustment' && size % 2n === 0n) ? -step : step
    const amount = balance + wanted < 0n ? step : wanted
    const entered = amount === wanted || kind !== 'payment' ? kind : 'deposit'
    balance += amount
    const sequence = BigInt(written.length + 1)
    await test.database.query('select post_entries($1, $2, $3, $4, $5, $6, $7, $8, $9)', [
      entered,
      HOUSE[entered],
      [resellerId],
      [sequence],
      [amount],
      [balance],
      [sequence],
      [`No. ${sequence}`],
      new Date(startOfDayMs(FIRST_DAY) + atMs),
    ])
    written.push({ sequence, kind: entered, amount, balance, day: FIRST_DAY + Math.floor(atMs / 86_400_000) })
  }
  return written
}

const drafts = fc.array(
  fc.record({
    kind: fc.oneof(
      { weight: 3, arbitrary: fc.constant<Kind>('payment') },
      { weight: 2, arbitrary: fc.constantFrom<Kind>('deposit', 'adjustment', 'commission', 'refund') },
    ),
    size: fc.bigInt({ min: 1n, max: 50_000_000n }),
    // The first and the last millisecond of a day are where range errors occur.
    atMs: fc
      .tuple(
        fc.integer({ min: 0, max: DAYS - 1 }),
        fc.oneof(fc.constantFrom(0, 86_399_999), fc.nat(86_399_999)),
      )
      .map(([day, ms]) => day * 86_400_000 + ms),
  }),
  { maxLength: 40, size: 'max' },
)

const questions = fc.record({
  from: fc.integer({ min: -1, max: DAYS }),
  length: fc.integer({ min: 0, max: DAYS + 1 }),
  type: fc.constantFrom(null, ...STATEMENT_TYPES),
  perPage: fc.integer({ min: 1, max: 9 }),
})

/** Queries for all days and each type, with small pages so that there are many. */
const EVERYTHING = [null, ...STATEMENT_TYPES].map((type) => ({ from: 0, length: DAYS, type, perPage: 3 }))

const inRinggit = (units: bigint) => Number(units) / 10_000

it('pages hold each entry once, newest first; links, totals and balances are those of a plain list', async () => {
  await fc.assert(
    fc.asyncProperty(drafts, fc.array(questions, { minLength: 2, maxLength: 5 }), async (entries, asked) => {
      const resellerId = await newReseller(test)
      const written = await write(resellerId, entries)
      for (const { from, length, type, perPage } of [...asked, ...EVERYTHING]) {
        const days = { from: FIRST_DAY + from, to: FIRST_DAY + from + length }
        const expected = written
          .filter((entry) => entry.day >= days.from && entry.day <= days.to)
          .filter((entry) => type === null || TYPE_OF[entry.kind][0] === type)
          .reverse()
        const pages = Math.max(1, Math.ceil(expected.length / perPage))
        const seen: number[] = []
        for (let page = 1; page <= pages + 1; page += 1) {
          const query = { days, type, page, perPage }
          const view = statementView('/s', query, await statements.read(resellerId, query))
          const slice = expected.slice((page - 1) * perPage, page * perPage)
          expect(view.data).toMatchObject(
            slice.map((entry) => ({
              id: Number(entry.sequence),
              amount: inRinggit(entry.amount),
              balance: inRinggit(entry.balance),
              type: TYPE_OF[entry.kind][1],
            })),
          )
          seen.push(...view.data.map(({ id }) => id))
          expect(view.meta).toMatchObject({
            current_page: page,
            last_page: pages,
            total: expected.length,
            from: slice.length === 0 ? null : (page - 1) * perPage + 1,
            to: slice.length === 0 ? null : (page - 1) * perPage + slice.length,
          })
          expect([view.links.prev === null, view.links.next === null]).toEqual([page === 1, page >= pages])
          expect(view.summary).toEqual(summaryOf(expected))
        }
        expect(seen).toEqual(expected.map((entry) => Number(entry.sequence)))
      }
    }),
    { numRuns: runs(30) },
  )
})

function summaryOf(entries: readonly Written[]) {
  const of = (type: StatementType) => {
    const matching = entries.filter((entry) => TYPE_OF[entry.kind][0] === type)
    return {
      amount: inRinggit(matching.reduce((sum, { amount }) => sum + amount, 0n)),
      count: matching.length,
    }
  }
  return {
    total_transactions: of('TRANSACTION'),
    total_deposit: of('DEPOSIT'),
    total_refund: of('REFUND'),
  }
}
