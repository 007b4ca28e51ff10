import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { NO_MASKS } from '../../../lib/secrets/masks.ts'
import { sampleBase } from '../../../testing/catalog/catalog-samples.ts'
import type { TestDatabase } from '../../../testing/database.ts'
import { openTestDatabase } from '../../../testing/database.ts'
import type { BackfilledPayment } from '../../../testing/payments/history.ts'
import { insertBackfill, newReseller, today } from '../../../testing/payments/history.ts'
import { runs } from '../../../testing/runs.ts'
import type { PaymentCode } from '../core/types.ts'
import { resolvePayments } from '../outcomes/resolve.sql.ts'
import { sumOpenDays } from '../reports/rollups.service.ts'
import type { Status } from './history.rules.ts'
import { STATUSES } from './history.rules.ts'
import type { History } from './history.service.ts'
import { createHistory } from './history.service.ts'
import { historyView } from './history.view.ts'

let test: TestDatabase
let history: History
let now: number

beforeAll(async () => {
  test = await openTestDatabase()
  history = createHistory({ ...test, catalog: { base: () => sampleBase() } })
  now = await today(test.database)
})

afterAll(() => test.close())

const DAYS = 8
const PRODUCTS = ['NOVA', 'KITA', 'GEMS'] as const
const ACCOUNTS = ['601', '602'] as const

/**
 * Payments to insert. `daysAgo` 0 is today. Payments of the past are inserted in the order of their days, and no day
 * twice.
 */
const payments = fc.record({
  daysAgo: fc.integer({ min: 0, max: DAYS - 1 }),
  // Errors in ranges show at the first and the last millisecond of a day.
  atMs: fc.oneof(fc.constantFrom(0, 86_399_999), fc.integer({ min: 0, max: 86_399_999 })),
  code: fc.constantFrom<PaymentCode>(0, 1, 20, 53, 45, 48, 62),
  productCode: fc.constantFrom(...PRODUCTS),
  account: fc.constantFrom(...ACCOUNTS),
  amount: fc.bigInt({ min: 1n, max: 10_000_000n }),
  faceValue: fc.bigInt({ min: 1n, max: 10_000_000n }),
  cost: fc.bigInt({ min: 1n, max: 10_000_000n }),
})

const filters = fc.record({
  from: fc.integer({ min: 0, max: DAYS }),
  to: fc.integer({ min: -1, max: DAYS }),
  statuses: fc.subarray([...STATUSES]),
  account: fc.constantFrom(null, ...ACCOUNTS),
  product: fc.constantFrom(null, ...PRODUCTS),
  limit: fc.integer({ min: 1, max: 7 }),
})

type Filter = {
  from: number
  to: number
  statuses: readonly Status[]
  account: string | null
  product: string | null
}

type Kept = BackfilledPayment & { id: bigint; code: PaymentCode }

function statusNamed(code: number): Status {
  if (code === 20) return 'SUCCESSFUL'
  if (code === 53) return 'REFUND'
  return code < 2 ? 'PENDING' : 'FAILED'
}

function matches(payment: Kept, filter: Filter): boolean {
  const daysAgo = now - payment.day
  return (
    daysAgo <= filter.from &&
    daysAgo >= filter.to &&
    (filter.statuses.length === 0 || filter.statuses.includes(statusNamed(payment.code))) &&
    (filter.account === null || payment.account === filter.account) &&
    (filter.product === null || payment.productCode === filter.product)
  )
}

const ringgit = (units: bigint) => (Number(units) / 10_000).toFixed(4)
const asRinggit = (text: string) => Number(text).toFixed(4)

function expectMeta(meta: ReturnType<typeof historyView>['meta'], expected: readonly Kept[]): void {
  const count = (status: Status) => String(expected.filter(({ code }) => statusNamed(code) === status).length)
  const counted = expected.filter(({ code }) => ['SUCCESSFUL', 'PENDING'].includes(statusNamed(code)))
  const faceValue = counted.reduce((sum, payment) => sum + payment.faceValue, 0n)
  const cost = counted.reduce((sum, payment) => sum + payment.cost, 0n)
  expect({
    ...meta,
    total_amount: asRinggit(meta.total_amount),
    total_price: asRinggit(meta.total_price),
  }).toEqual({
    transaction_count: String(expected.length),
    total_amount: ringgit(faceValue),
    total_price: ringgit(cost),
    profit: expect.any(String),
    successful_count: count('SUCCESSFUL'),
    failed_count: count('FAILED'),
    pending_count: count('PENDING'),
    refund_count: count('REFUND'),
  })
  expect(asRinggit(meta.profit)).toBe(ringgit(faceValue - cost))
}

/** Reads every page to the end and one beyond it: each row once, newest first, and the same totals on all of them. */
async function expectPages(resellerId: bigint, kept: readonly Kept[], filter: Filter & { limit: number }) {
  const expected = kept.filter((payment) => matches(payment, filter)).sort((a, b) => (a.id < b.id ? 1 : -1))
  const seen: bigint[] = []
  for (let offset = 0; offset <= expected.length; offset += filter.limit) {
    const page = await history.list(resellerId, {
      ...filter,
      days: { from: now - filter.from, to: now - filter.to },
      offset,
    })
    expect(page.records.length).toBe(Math.min(filter.limit, Math.max(0, expected.length - offset)))
    seen.push(...page.records.map((record) => record.id))
    expectMeta(historyView(page, NO_MASKS).meta, expected)
  }
  expect(seen).toEqual(expected.map((payment) => payment.id))
}

async function keep(resellerId: bigint, drafts: readonly { daysAgo: number }[], all: Kept[]): Promise<void> {
  const past = drafts.map((draft) => ({
    ...(draft as BackfilledPayment & { daysAgo: number }),
    day: now - draft.daysAgo,
  }))
  const ids = await insertBackfill(test.database, resellerId, past)
  for (const [index, payment] of past.entries()) all.push({ ...payment, id: ids[index] ?? 0n })
}

/** Resolves a payment as an answer that comes days later does; a payment that cannot move stays. */
async function resolve(resellerId: bigint, payment: Kept | undefined, code: PaymentCode): Promise<void> {
  if (payment === undefined) return
  const nothing = {
    failure: null,
    serialNumber: null,
    expiry: null,
    note: null,
    sealedOutput: null,
    nextMs: 1_000,
  }
  const { moved } = await resolvePayments(test.database, [{ ...nothing, resellerId, id: payment.id, code }])
  if (moved.size === 1) Object.assign(payment, { code })
}

it('totals and pages are those of a count, whatever was summed, changed since or never looked at', async () => {
  const steps = fc.array(
    fc.oneof(
      fc.record({ kind: fc.constant('sum' as const), daysMax: fc.integer({ min: 1, max: 4 }) }),
      fc.record({
        kind: fc.constant('resolve' as const),
        which: fc.nat(40),
        code: fc.constantFrom<PaymentCode>(1, 20, 48, 53),
      }),
    ),
    { maxLength: 8 },
  )
  await fc.assert(
    fc.asyncProperty(
      fc.array(payments, { maxLength: 30 }),
      steps,
      steps,
      fc.array(filters, { minLength: 2, maxLength: 4 }),
      async (drafts, first, second, asked) => {
        const resellerId = await newReseller(test)
        const all: Kept[] = []
        const half = Math.floor(DAYS / 2)
        for (const [days, script] of [
          [drafts.filter(({ daysAgo }) => daysAgo >= half), first],
          [drafts.filter(({ daysAgo }) => daysAgo < half), second],
        ] as const) {
          await keep(resellerId, days, all)
          for (const step of script) {
            if (step.kind === 'sum') await sumOpenDays({ ...test, daysMax: step.daysMax })
            else await resolve(resellerId, all[step.which % Math.max(1, all.length)], step.code)
          }
        }
        for (const filter of asked) await expectPages(resellerId, all, filter)
        await sumOpenDays(test)
        const everything = { from: DAYS, to: 0, statuses: [], account: null, product: null }
        await expectPages(resellerId, all, { ...everything, limit: 1_000 })
      },
    ),
    { numRuns: runs(25) },
  )
})
