import { afterAll, beforeAll, expect, it } from 'vitest'
import { demoCatalog } from '../../../demo/catalog/catalog.ts'
import { KNOWN_NUMBERS } from '../../../lib/numbers/known-plans.ts'
import type { TestDatabase } from '../../../testing/database.ts'
import { openTestDatabase } from '../../../testing/database.ts'
import { insertBackfill, newReseller, PAST, today } from '../../../testing/payments/history.ts'
import { readOldNumbers } from './old-numbers.service.ts'

let test: TestDatabase

beforeAll(async () => {
  test = await openTestDatabase()
})
afterAll(() => test.close())

const products = demoCatalog().products.filter(({ code }) => ['NOVA', 'VOLT'].includes(code))

function walk(isStopped: () => boolean = () => false): Promise<void> {
  const node = {
    database: test.database,
    catalog: { base: () => ({ products }) },
    numbers: { current: KNOWN_NUMBERS },
    isBusy: () => false,
    stepMax: 2,
    pauseMs: 0,
  }
  return readOldNumbers(node, isStopped)
}

it('old payments get their canonical numbers, by several nodes, with stops between, and the walk ends once', async () => {
  const day = await today(test.database)
  const old = (account: string, productCode = 'NOVA') => ({ ...PAST, day, account, productCode })
  for (const resellerId of [await newReseller(test), await newReseller(test)]) {
    await insertBackfill(test.database, resellerId, [
      old('012-345 6789'),
      old('0123456789'),
      old('60123456789'),
      old('0123456789', 'VOLT'),
      old('0123456789', 'GONE'),
    ])
  }
  let looks = 0
  await walk(() => ++looks > 2)
  const { rows: halfway } = await test.database.query('select ended_at from number_walk')
  expect(halfway).toEqual([{ ended_at: null }])
  await Promise.all([walk(), walk(), walk()])
  const { rows } = await test.database.query(
    `select account, product_code, canonical_account from payments order by reseller_id, id`,
  )
  const mine = [
    { account: '012-345 6789', product_code: 'NOVA', canonical_account: '60123456789' },
    { account: '0123456789', product_code: 'NOVA', canonical_account: '60123456789' },
    { account: '60123456789', product_code: 'NOVA', canonical_account: null },
    { account: '0123456789', product_code: 'VOLT', canonical_account: null },
    { account: '0123456789', product_code: 'GONE', canonical_account: null },
  ]
  expect(rows).toEqual([...mine, ...mine])
  const ended = async () => (await test.database.query('select ended_at from number_walk')).rows
  const [first] = await ended()
  expect(first).toMatchObject({ ended_at: expect.any(Date) })
  await insertBackfill(test.database, await newReseller(test), [old('0123456780')])
  await walk()
  expect(await ended()).toEqual([first])
})
