import { afterAll, beforeAll, expect, it } from 'vitest'
import type { TestDatabase } from '../../../testing/database.ts'
import { openTestDatabase } from '../../../testing/database.ts'
import { createReseller } from '../../accounts/service.ts'
import { insertBackfilledMovements } from '../balance/backfill.service.ts'
import type { TransferKind } from '../balance/types.ts'
import { findDailyTrade } from './trade.service.ts'

const RINGGIT = 10_000n
const HOUR_MS = 3_600_000
const NOW = new Date('2026-11-10T12:00:00Z')

let test: TestDatabase

beforeAll(async () => {
  test = await openTestDatabase()
})
afterAll(() => test.close())

/** Makes a wallet. Each movement says how many hours ago it was. */
async function wallet(
  ...movements: [hoursAgo: number, kind: TransferKind, ringgit: number][]
): Promise<bigint> {
  const wanted = { name: 'Kedai', email: 'k@example.com', priceLevel: 'STANDARD' }
  const { id } = await createReseller({ ...test, environment: 'staging' }, wanted)
  const past = movements.map(([hoursAgo, kind, ringgit], index) => ({
    kind,
    amount: BigInt(Math.round(ringgit * Number(RINGGIT))),
    remarks: 'Past',
    paymentId: kind === 'payment' || kind === 'refund' ? BigInt(index + 1) : null,
    at: new Date(NOW.getTime() - hoursAgo * HOUR_MS),
  }))
  await test.database.transaction((tx) => insertBackfilledMovements(tx, id, past))
  return id
}

it('is what payments took in the last seven days, less refunds, divided by seven', async () => {
  const id = await wallet(
    [400, 'deposit', 10_000],
    [300, 'payment', -5_000],
    // Sum of the week: 100 + 250 + 50 - 50 = 350
    [167, 'payment', -100],
    [100, 'payment', -250],
    [99, 'deposit', 1_000],
    [50, 'payment', -50],
    [49, 'refund', 50],
    [10, 'commission', 7],
    [5, 'adjustment', -300],
  )
  expect(await findDailyTrade(test.database, id, NOW)).toBe(50n * RINGGIT)
})

it('the trade of a younger wallet is divided by its age', async () => {
  const id = await wallet([48, 'deposit', 1_000], [24, 'payment', -100], [0, 'payment', -100])
  const perDay = await findDailyTrade(test.database, id, NOW)
  // The period is two days and a millisecond.
  expect(Number(perDay)).toBeCloseTo(Number(100n * RINGGIT), -1)
})

it('the trade of a wallet of some hours is what was taken so far', async () => {
  const id = await wallet([3, 'deposit', 1_000], [1, 'payment', -40], [0, 'payment', -60])
  expect(await findDailyTrade(test.database, id, NOW)).toBe(100n * RINGGIT)
})

it('counts the entry of the very instant, and none after it', async () => {
  const id = await wallet([500, 'deposit', 1_000], [0, 'payment', -70], [-1, 'payment', -700])
  expect(await findDailyTrade(test.database, id, NOW)).toBe(10n * RINGGIT)
})

it('is nothing when less was taken than there is money for each day', async () => {
  const little = await wallet([400, 'deposit', 100], [20, 'payment', -0.0006])
  expect(await findDailyTrade(test.database, little, NOW)).toBeUndefined()
})

it('is nothing when nothing was sold, or all of it was given back', async () => {
  expect(await findDailyTrade(test.database, await wallet(), NOW)).toBeUndefined()
  expect(await findDailyTrade(test.database, await wallet([1, 'deposit', 5]), NOW)).toBeUndefined()
  const undone = await wallet([400, 'deposit', 100], [20, 'payment', -10], [10, 'refund', 10])
  expect(await findDailyTrade(test.database, undone, NOW)).toBeUndefined()
  const long = await wallet([400, 'deposit', 100], [399, 'payment', -10])
  expect(await findDailyTrade(test.database, long, NOW)).toBeUndefined()
})
