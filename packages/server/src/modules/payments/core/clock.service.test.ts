import { afterAll, beforeAll, expect, it } from 'vitest'
import type { TestDatabase } from '../../../testing/database.ts'
import { openTestDatabase } from '../../../testing/database.ts'
import { createReseller } from '../../accounts/service.ts'
import type { TestClocks } from './clock.service.ts'
import { createTestClocks } from './clock.service.ts'

let test: TestDatabase
let clocks: TestClocks

beforeAll(async () => {
  test = await openTestDatabase()
  clocks = createTestClocks(test.database)
})

afterAll(() => test.close())

async function makeReseller(): Promise<bigint> {
  const { database, vault } = test
  const accounts = { database, vault, environment: 'staging' } as const
  const given = { name: 'Kedai', email: 'k@example.com', priceLevel: 'STANDARD' }
  return (await createReseller(accounts, given)).id
}

type Times = { submitted: number; next: number; due: number }

async function addWork(resellerId: bigint, paymentId: bigint, isLeased: boolean): Promise<void> {
  await test.database.query(
    `insert into payment_work (reseller_id, payment_id, attempt, submitted_at, next_at, is_leased, due_at)
     values ($1, $2, 1, '2026-01-01T00:00:00Z', '2026-01-01T00:10:00Z', $3, '2026-01-01T00:15:00Z')`,
    [resellerId, paymentId, isLeased],
  )
}

/** Reads the times in seconds since the instant at which everything above was sent. */
async function timesOf(resellerId: bigint, paymentId: bigint): Promise<Times | undefined> {
  const since = (column: string) => `extract(epoch from ${column} - '2026-01-01T00:00:00Z')::float8`
  const { rows } = await test.database.query<Times>(
    `select ${since('submitted_at')} as submitted, ${since('next_at')} as next, ${since('due_at')} as due
       from payment_work where reseller_id = $1 and payment_id = $2`,
    [resellerId, paymentId],
  )
  return rows[0]
}

it('an account whose clock was never moved is at 0', async () => {
  expect(await clocks.find(await makeReseller())).toBe(0)
})

it('due times of an account come nearer by each move of its clock', async () => {
  const id = await makeReseller()
  await addWork(id, 1n, false)
  expect(await clocks.advance(id, 100)).toBe(100)
  expect(await clocks.advance(id, 200)).toBe(300)
  expect(await timesOf(id, 1n)).toEqual({ submitted: -300, next: 300, due: 600 })
  expect(await clocks.find(id)).toBe(300)
})

it('other accounts do not move', async () => {
  const [moved, still] = [await makeReseller(), await makeReseller()]
  await addWork(still, 1n, false)
  await clocks.advance(moved, 31_536_000)
  expect(await timesOf(still, 1n)).toEqual({ submitted: 0, next: 600, due: 900 })
  expect(await clocks.find(still)).toBe(0)
})

it('a lease does not end sooner', async () => {
  const id = await makeReseller()
  await addWork(id, 1n, true)
  await clocks.advance(id, 100)
  expect((await timesOf(id, 1n))?.next).toBe(600)
})
