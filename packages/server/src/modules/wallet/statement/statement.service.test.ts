import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseDay } from '../../../lib/dates.ts'
import type { TestDatabase } from '../../../testing/database.ts'
import { openTestDatabase } from '../../../testing/database.ts'
import { newReseller, today } from '../../../testing/payments/history.ts'
import { adjust, commission, deposit } from '../balance/service.ts'
import { statementView } from './statement.codec.ts'
import type { StatementQuery } from './statement.rules.ts'
import { createStatements } from './statement.service.ts'

let test: TestDatabase
let now: number

beforeAll(async () => {
  test = await openTestDatabase()
  now = await today(test.database)
})

afterAll(() => test.close())

async function read(resellerId: bigint, change: Partial<StatementQuery> = {}) {
  // The range reaches into tomorrow, because a test may begin right before midnight.
  const query = { days: { from: now, to: now + 1 }, type: null, page: 1, perPage: 100, ...change }
  return statementView(
    'https://api.example/s',
    query,
    await createStatements(test.database, async () => new Map()).read(resellerId, query),
  )
}

describe('a statement', () => {
  it('replays to the balance, and has nothing of another wallet', async () => {
    const [resellerId, other] = [await newReseller(test), await newReseller(test)]
    await test.database.transaction(async (tx) => {
      await deposit(tx, { resellerId, amount: 1_000_000n, remarks: 'Bank' })
      await deposit(tx, { resellerId: other, amount: 77n, remarks: 'Theirs' })
      await commission(tx, { resellerId, amount: 12_345n, remarks: 'Bonus' })
      await adjust(tx, { resellerId, amount: -500_001n, remarks: 'Correction' })
    })
    const { data, meta, summary } = await read(resellerId)
    expect(data).toMatchObject([
      { id: 3, amount: -50.0001, balance: 51.2344, remarks: 'Correction', type: 'D' },
      { id: 2, amount: 1.2345, balance: 101.2345, remarks: 'Bonus', type: 'C' },
      { id: 1, amount: 100, balance: 100, remarks: 'Bank', type: 'D' },
    ])
    for (const { date } of data) expect(date).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}$/)
    expect(meta.total).toBe(3)
    expect(summary).toEqual({
      total_transactions: { amount: 0, count: 0 },
      total_deposit: { amount: 49.9999, count: 2 },
      total_refund: { amount: 0, count: 0 },
    })
    const [first, second, third] = [...data].reverse()
    expect([first?.balance, second?.balance, third?.balance]).toEqual([100, 100 + 1.2345, 51.2344])
  })

  it('stands still while entries are added: a page asked for again after them lacks none', async () => {
    const resellerId = await newReseller(test)
    const add = (amount: bigint) =>
      test.database.transaction((tx) => deposit(tx, { resellerId, amount, remarks: '' }))
    for (let amount = 1n; amount <= 7n; amount += 1n) await add(amount)
    const seen = new Set<number>()
    for (let page = 1; ; page += 1) {
      const { data } = await read(resellerId, { page, perPage: 2 })
      if (data.length === 0) break
      for (const { id } of data) seen.add(id)
      await add(100n)
    }
    for (let id = 1; id <= 7; id += 1) expect(seen).toContain(id)
  })

  it.each(['0001-01-01', '1970-01-01', '2020-02-29', '9999-12-31'])(
    'a statement of %s is empty, and says so',
    async (text) => {
      const resellerId = await newReseller(test)
      await test.database.transaction((tx) => deposit(tx, { resellerId, amount: 5n, remarks: '' }))
      const day = parseDay(text) ?? Number.NaN
      expect(await read(resellerId, { days: { from: day, to: day }, type: 'REFUND', perPage: 10 })).toEqual({
        data: [],
        links: {
          first: `https://api.example/s?date=${text}&limit=10&page=1&type=REFUND`,
          last: `https://api.example/s?date=${text}&limit=10&page=1&type=REFUND`,
          prev: null,
          next: null,
        },
        meta: {
          current_page: 1,
          from: null,
          last_page: 1,
          path: 'https://api.example/s',
          per_page: 10,
          to: null,
          total: 0,
        },
        summary: {
          total_transactions: { amount: 0, count: 0 },
          total_deposit: { amount: 0, count: 0 },
          total_refund: { amount: 0, count: 0 },
        },
      })
    },
  )

  it('a statement of a wallet without entries is empty', async () => {
    expect((await read(await newReseller(test))).data).toEqual([])
  })
})
