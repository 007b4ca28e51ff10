import { afterAll, beforeAll, expect, it } from 'vitest'
import { dayOf } from '../../../lib/dates.ts'
import type { TestDatabase } from '../../../testing/database.ts'
import { openTestDatabase } from '../../../testing/database.ts'
import { newReseller } from '../../../testing/payments/history.ts'
import { adjust, deposit } from '../balance/service.ts'
import type { EntryFilter, WalletListing } from './listing.service.ts'
import { createWalletListing } from './listing.service.ts'

let test: TestDatabase
let listing: WalletListing
let resellerId: bigint
let today: number

beforeAll(async () => {
  test = await openTestDatabase()
  listing = createWalletListing(test.database, async () => new Map())
  resellerId = await newReseller(test)
  for (let n = 1; n <= 9; n += 1) {
    await test.database.transaction((tx) =>
      n % 3 === 0
        ? adjust(tx, { resellerId, amount: -1n, remarks: `off ${n}` })
        : deposit(tx, { resellerId, amount: BigInt(n), remarks: `in ${n}` }),
    )
  }
  const { rows } = await test.database.query<{ now: Date }>('select now() as now')
  today = dayOf(rows[0]?.now.getTime() ?? 0)
})
afterAll(() => test.close())

async function walk(filter: EntryFilter, limit: number): Promise<number[]> {
  const found: number[] = []
  let before: bigint | null = null
  for (;;) {
    const { entries, hasMore } = await listing.list(resellerId, filter, { before, limit })
    found.push(...entries.map(({ sequence }) => Number(sequence)))
    if (!hasMore) return found
    before = entries.at(-1)?.sequence ?? null
  }
}

it('pages of any size, and the stream, hold each entry once, newest first', async () => {
  const days = { from: today - 1, to: today }
  for (const limit of [1, 2, 100]) {
    expect(await walk({ days, type: null }, limit)).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1])
    expect(await walk({ days, type: 'DEPOSIT' }, limit)).toHaveLength(9)
    expect(await walk({ days, type: 'REFUND' }, limit)).toEqual([])
    expect(await walk({ days, type: 'TRANSACTION' }, limit)).toEqual([])
    expect(await walk({ days: { from: 0, to: 10 }, type: null }, limit)).toEqual([])
  }
  const streamed: number[] = []
  for await (const page of listing.pages(resellerId, { days, type: null })) {
    streamed.push(...page.map(({ sequence }) => Number(sequence)))
  }
  expect(streamed).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1])
})

it('a page and the sum of its days are of one moment, whatever arrives between two looks', async () => {
  const own = await newReseller(test)
  const put = () =>
    test.database.transaction((tx) => deposit(tx, { resellerId: own, amount: 5n, remarks: 'in' }))
  await put()
  const database: typeof test.database = {
    ...test.database,
    async transaction(work) {
      const result = await test.database.transaction(work)
      await put()
      return result
    },
  }
  const filter = { days: { from: today - 1, to: today + 1 }, type: null }
  const page = await createWalletListing(database, async () => new Map()).listWithSum(own, filter, {
    before: null,
    limit: 10,
  })
  expect(page.entries).toHaveLength(1)
  expect(page.span).toMatchObject({ closing: 5n, totals: { DEPOSIT: { count: 1n } } })
})

it('opening and what moved is closing, for days with entries and without', async () => {
  const span = await listing.sum(resellerId, { from: today - 1, to: today })
  expect(span).toMatchObject({ opening: 0n, closing: 24n, totals: { DEPOSIT: { amount: 24n, count: 9n } } })
  expect(await listing.sum(resellerId, { from: 0, to: 10 })).toMatchObject({ opening: 0n, closing: 0n })
  expect(await listing.sum(resellerId, { from: today + 1, to: today + 2 })).toMatchObject({
    opening: 24n,
    closing: 24n,
  })
})
