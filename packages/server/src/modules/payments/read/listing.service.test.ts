import { afterAll, beforeAll, expect, it } from 'vitest'
import type { TestDatabase } from '../../../testing/database.ts'
import { openTestDatabase } from '../../../testing/database.ts'
import type { BackfilledPayment } from '../../../testing/payments/history.ts'
import { insertBackfill, newReseller, PAST } from '../../../testing/payments/history.ts'
import type { PaymentCode } from '../core/types.ts'
import type { PaymentFilter, PaymentListing } from './listing.service.ts'
import { createPaymentListing } from './listing.service.ts'

const DAY = 20_000
const CODES: readonly PaymentCode[] = [0, 1, 20, 20, 47, 48, 53]
const STATUS: Readonly<Record<number, string>> = {
  0: 'PENDING',
  1: 'PENDING',
  20: 'SUCCESSFUL',
  53: 'REFUND',
}

let test: TestDatabase
let listing: PaymentListing
let resellerId: bigint
let payments: (BackfilledPayment & { id: bigint })[]

beforeAll(async () => {
  test = await openTestDatabase()
  listing = createPaymentListing(test)
  resellerId = await newReseller(test)
  const past = Array.from({ length: 140 }, (_, n) => ({
    ...PAST,
    day: DAY + (n % 5),
    atMs: n,
    code: CODES[n % CODES.length] ?? 20,
    productCode: n % 3 === 0 ? 'KITA' : 'NOVA',
    account: `6012345678${n % 4}`,
  }))
  const ids = await insertBackfill(test.database, resellerId, past)
  payments = past.map((each, index) => ({ ...each, id: ids[index] ?? 0n }))
  const stranger = await newReseller(test)
  await insertBackfill(test.database, stranger, past.slice(0, 20))
})
afterAll(() => test.close())

const ALL: PaymentFilter = { days: { from: DAY, to: DAY + 4 }, statuses: [], account: null, product: null }

const FILTERS: readonly Partial<PaymentFilter>[] = [
  {},
  { days: { from: DAY + 1, to: DAY + 2 } },
  { statuses: ['FAILED'] },
  { statuses: ['PENDING', 'REFUND'] },
  { product: 'KITA' },
  { account: '60123456781' },
  { account: '60123456781', product: 'KITA', statuses: ['SUCCESSFUL', 'FAILED'] },
  { days: { from: -5, to: -1 } },
  { product: 'GHOST' },
]

function expected(filter: PaymentFilter): bigint[] {
  return payments
    .filter(({ day }) => day >= filter.days.from && day <= filter.days.to)
    .filter(({ account }) => filter.account === null || account === filter.account)
    .filter(({ productCode }) => filter.product === null || productCode === filter.product)
    .filter(
      ({ code }) =>
        filter.statuses.length === 0 || filter.statuses.some((each) => each === (STATUS[code] ?? 'FAILED')),
    )
    .map(({ id }) => id)
    .sort((a, b) => (a > b ? -1 : 1))
}

it('pages of any size hold each payment that matches once, newest first, and none of others', async () => {
  for (const changes of FILTERS) {
    const filter = { ...ALL, ...changes }
    for (const limit of [1, 7, 1_000]) {
      const found: bigint[] = []
      let before: bigint | null = null
      for (;;) {
        const page = await listing.list(resellerId, filter, { before, limit })
        found.push(...page.payments.map(({ id }) => id))
        expect(page.payments.length).toBeLessThanOrEqual(limit)
        if (!page.hasMore) break
        before = page.payments.at(-1)?.id ?? null
      }
      expect(found, JSON.stringify(changes)).toEqual(expected(filter))
    }
    const streamed: bigint[] = []
    for await (const page of listing.pages(resellerId, filter)) streamed.push(...page.map(({ id }) => id))
    expect(streamed).toEqual(expected(filter))
  }
})

it('totals are over everything that matches, however many pages it has', async () => {
  for (const changes of FILTERS) {
    const filter = { ...ALL, ...changes }
    const { counts, cost } = await listing.sum(resellerId, filter)
    const matching = payments.filter(({ id }) => expected(filter).includes(id))
    const total = Object.values(counts).reduce((sum, count) => sum + count, 0n)
    expect(total, JSON.stringify(changes)).toBe(BigInt(matching.length))
    const counted = matching.filter(({ code }) => code === 20 || code === 0 || code === 1)
    expect(cost).toBe(counted.reduce((sum, each) => sum + each.cost, 0n))
  }
})

it('a payment that arrives between two pages neither hides nor repeats one', async () => {
  const own = await newReseller(test)
  const ids = await insertBackfill(
    test.database,
    own,
    [0, 1, 2, 3].map((atMs) => ({ ...PAST, day: DAY, atMs })),
  )
  const first = await listing.list(own, ALL, { before: null, limit: 2 })
  await insertBackfill(test.database, own, [{ ...PAST, day: DAY, atMs: 99 }])
  const second = await listing.list(own, ALL, { before: first.payments.at(-1)?.id ?? null, limit: 2 })
  expect([...first.payments, ...second.payments].map(({ id }) => id)).toEqual(ids.toReversed())
})

it('days whose sums have none of what is asked for are not looked through', async () => {
  const own = await newReseller(test)
  const [, kept] = await insertBackfill(
    test.database,
    own,
    [DAY, DAY + 1].map((day) => ({ ...PAST, day, code: 48 as PaymentCode })),
  )
  // The day is marked as current and has no sums: its payment would be found only by a scan in spite of the sums.
  await test.database.query(
    `insert into payment_rollup_days (reseller_id, day, is_current) values ($1, date '1970-01-01' + $2::integer, true)
         on conflict (reseller_id, day) do update set is_current = true`,
    [own, DAY],
  )
  const filter: PaymentFilter = { ...ALL, statuses: ['FAILED'] }
  const page = await listing.list(own, filter, { before: null, limit: 10 })
  expect(page).toMatchObject({ payments: [{ id: kept }], hasMore: false })
  const streamed: bigint[] = []
  for await (const each of listing.pages(own, filter)) streamed.push(...each.map(({ id }) => id))
  expect(streamed).toEqual([kept])
})

it('days are summed one by one, those without payments too', async () => {
  const sums = await listing.sumByDay(resellerId, { from: DAY - 1, to: DAY + 4 })
  expect(sums.map(({ day }) => day)).toEqual([-1, 0, 1, 2, 3, 4].map((n) => DAY + n))
  const [before, first] = sums
  expect(before).toMatchObject({ faceValue: 0n, cost: 0n })
  const ofDay = payments.filter(({ day }) => day === DAY)
  expect(first?.counts.SUCCESSFUL).toBe(BigInt(ofDay.filter(({ code }) => code === 20).length))
  const counted = ofDay.filter(({ code }) => code === 20 || code === 0 || code === 1)
  expect(first?.cost).toBe(counted.reduce((sum, { cost }) => sum + cost, 0n))
})
