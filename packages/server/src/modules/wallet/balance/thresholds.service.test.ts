import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { formatDayFirst, formatSeconds } from '../../../lib/dates.ts'
import { RequestError } from '../../../lib/errors.ts'
import { parseQuery } from '../../../lib/input/forms.ts'
import type { TestDatabase } from '../../../testing/database.ts'
import { openTestDatabase } from '../../../testing/database.ts'
import { createReseller } from '../../accounts/service.ts'
import type { Reseller } from '../../accounts/types.ts'
import { thresholdView } from './thresholds.routes.ts'
import { readThresholdParameters } from './thresholds.rules.ts'
import type { Thresholds } from './thresholds.service.ts'
import { addThreshold, createThresholds, listThresholds, removeThreshold } from './thresholds.service.ts'

let test: TestDatabase
let thresholds: Thresholds

beforeAll(async () => {
  test = await openTestDatabase()
  thresholds = createThresholds(test.database)
})

afterAll(() => test.close())

function newReseller(): Promise<Reseller> {
  const wanted = { name: 'Kedai Ambang', email: 'ambang@example.com', priceLevel: 'STANDARD' }
  return createReseller({ ...test, environment: 'staging' }, wanted)
}

async function amountsOf({ id }: Reseller): Promise<bigint[]> {
  const { rows } = await test.database.query<{ amount: bigint }>(
    'select amount from balance_thresholds where reseller_id = $1 order by amount',
    [id],
  )
  return rows.map((row) => row.amount)
}

async function withThresholds(...amounts: bigint[]): Promise<Reseller> {
  const reseller = await newReseller()
  for (const amount of amounts) {
    await test.database.query('insert into balance_thresholds (reseller_id, amount) values ($1, $2)', [
      reseller.id,
      amount,
    ])
  }
  return reseller
}

describe('the threshold', () => {
  it('is nothing before one is set', async () => {
    const view = thresholdView(await thresholds.get(await newReseller()), formatDayFirst)
    expect(view).toEqual({
      data: { Status: '', Email: 'ambang@example.com', BalanceThreshold: 0, Note: '' },
      '@metadata': {
        status_code: 200,
        last_updated: expect.stringMatching(/^\d\d-\d\d-\d{4} \d\d:\d\d:\d\d$/),
      },
    })
  })

  it('is read as it was set, with the time at which it was', async () => {
    const reseller = await newReseller()
    const set = await thresholds.set(reseller, 1_505_000n)
    expect(thresholdView(set, formatSeconds)).toEqual({
      data: {
        Status: 'Success',
        Email: 'ambang@example.com',
        BalanceThreshold: 150.5,
        Note: expect.stringMatching(/\w 150\.50$/),
      },
      '@metadata': { status_code: 200, last_updated: formatSeconds(set.at) },
    })
    expect(await thresholds.get(reseller)).toEqual(set)
  })

  it('the threshold of several is the highest, and the one that is set takes its place', async () => {
    const reseller = await withThresholds(100_000n, 200_000n, 500_000n)
    expect((await thresholds.get(reseller)).amount).toBe(500_000n)
    expect((await thresholds.set(reseller, 300_000n)).amount).toBe(300_000n)
    expect(await amountsOf(reseller)).toEqual([100_000n, 200_000n, 300_000n])
    expect((await thresholds.set(reseller, 900_000n)).amount).toBe(900_000n)
    expect(await amountsOf(reseller)).toEqual([100_000n, 200_000n, 900_000n])
  })

  it('the threshold that is set is the one that is read, also when others stood above it', async () => {
    const reseller = await withThresholds(100_000n, 200_000n, 500_000n)
    expect((await thresholds.set(reseller, 150_000n)).amount).toBe(150_000n)
    expect(await amountsOf(reseller)).toEqual([100_000n, 150_000n])
    expect((await thresholds.set(reseller, 100_000n)).amount).toBe(100_000n)
    expect(await amountsOf(reseller)).toEqual([100_000n])
  })

  it('set by many at once is one', async () => {
    const [reseller, other] = [await newReseller(), await newReseller()]
    await thresholds.set(other, 70_000n)
    const node = createThresholds(test.openAnother())
    const amounts = Array.from({ length: 20 }, (_, index) => BigInt(index + 1) * 10_000n)
    await Promise.all(
      amounts.map((amount, index) => (index % 2 === 0 ? thresholds : node).set(reseller, amount)),
    )
    expect(await amountsOf(reseller)).toHaveLength(1)
    expect(await amountsOf(other)).toEqual([70_000n])
  })
})

describe('several thresholds', () => {
  const amounts = (list: readonly { amount: bigint }[]) => list.map(({ amount }) => amount)

  it('are listed highest first, added and removed, and the API speaks of the highest', async () => {
    const { database } = test
    const reseller = await newReseller()
    await addThreshold(database, reseller.id, 500_000n)
    await addThreshold(database, reseller.id, 2_000_000n)
    expect(amounts(await addThreshold(database, reseller.id, 995_000n))).toEqual([
      2_000_000n,
      995_000n,
      500_000n,
    ])
    expect(amounts(await addThreshold(database, reseller.id, 500_000n))).toHaveLength(3)
    expect((await thresholds.get(reseller)).amount).toBe(2_000_000n)
    expect(amounts(await removeThreshold(database, reseller.id, 2_000_000n))).toEqual([995_000n, 500_000n])
    expect((await thresholds.get(reseller)).amount).toBe(995_000n)
    await expect(removeThreshold(database, reseller.id, 2_000_000n)).rejects.toMatchObject({ status: 404 })
    expect(amounts(await listThresholds(database, reseller.id))).toEqual([995_000n, 500_000n])
  })

  it('are at most ten, however many are added at once', async () => {
    const { database } = test
    const { id } = await newReseller()
    const added = await Promise.allSettled(
      Array.from({ length: 12 }, (_, index) => addThreshold(database, id, BigInt(index + 1) * 10_000n)),
    )
    expect(added.filter(({ status }) => status === 'rejected')).toHaveLength(2)
    expect(await listThresholds(database, id)).toHaveLength(10)
    const [highest] = await listThresholds(database, id)
    expect(await addThreshold(database, id, highest?.amount ?? 0n)).toHaveLength(10)
  })
})

describe('the amount', () => {
  it.each([
    ['1', 10_000n],
    ['1.00', 10_000n],
    ['250.5', 2_505_000n],
    ['1.0001', 10_001n],
    ['1000000000000', 10_000_000_000_000_000n],
  ])('%s is one', (amount, units) => {
    expect(readThresholdParameters(parseQuery(`amount=${amount}`))).toEqual({ amount: units })
  })

  it.each([
    '',
    'x=1',
    'amount',
    'amount=',
    'amount=0',
    'amount=0.9999',
    'amount=-5',
    'amount=1e3',
    'amount=1,000',
  ])('%j is none', (query) => {
    expect(() => readThresholdParameters(parseQuery(query))).toThrow(RequestError)
  })

  it.each([
    'amount=1.00001',
    'amount=+5',
    'amount=%205',
    'amount=1000000000001',
    'amount=5&amount=6',
    'amount=999999999999999',
  ])('%j is refused with the parameter named', (query) => {
    expect(() => readThresholdParameters(parseQuery(query))).toThrow(
      expect.objectContaining({ status: 400, fields: { amount: [expect.stringMatching(/\S/)] } }),
    )
  })
})
