import { afterAll, beforeAll, expect, it } from 'vitest'
import type { FinanceBench } from '../../../testing/finance.ts'
import { at, dayNumber, inDay, openFinanceBench, postIn } from '../../../testing/finance.ts'
import { deposit } from '../../wallet/balance/service.ts'
import { closeDays } from './closings.jobs.ts'
import { getDay, listDays, verifyClosings } from './closings.service.ts'

let bench: FinanceBench

beforeAll(async () => {
  bench = await openFinanceBench()
})

afterAll(() => bench.close())

const FIRST = dayNumber('2026-05-30')
const DAYS = 4
const WALLETS = 12

it('several nodes that close at once close each day once', async () => {
  const resellers = await Promise.all(Array.from({ length: WALLETS }, () => bench.newReseller()))
  for (const { id } of resellers) {
    for (let day = FIRST; day < FIRST + DAYS; day += 1) {
      await bench.post(id, { kind: 'deposit', amount: 70_000n, at: inDay(day, 0) })
      await bench.post(id, { kind: 'payment', amount: -30_001n, at: inDay(day, 86_399_999) })
    }
  }
  const nodes = [bench.database, bench.openAnother(), bench.openAnother()]
  const runs = await Promise.all(nodes.map((database) => closeDays({ database, walletsPage: 5 })))

  expect(runs.some(({ isComplete }) => isComplete)).toBe(true)
  expect(runs.reduce((sum, { closings }) => sum + closings, 0)).toBe(WALLETS * DAYS)
  for (const reseller of resellers) {
    expect(await verifyClosings(bench.database, reseller)).toEqual({ wallets: 1, closings: DAYS, breaks: [] })
  }
})

async function untilSomebodyWaits(): Promise<void> {
  const giveUpAt = Date.now() + 30_000
  while (Date.now() < giveUpAt) {
    const { rowCount } = await bench.database.query(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
    if (rowCount > 0) return
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  throw new Error('nobody waits for the wallet')
}

it.each([
  ['is in its day', true, -2_500n],
  ['leaves nothing when it is rolled back', false, 0n],
])('an entry of the last instant that is committed after midnight %s', async (_, isCommitted, paid) => {
  const reseller = await bench.newReseller()
  const day = dayNumber('2026-06-30')
  await bench.post(reseller.id, { kind: 'deposit', amount: 10_000n, at: at('2026-06-30 12:00') })
  const late = { kind: 'payment', amount: -2_500n, at: at('2026-06-30 23:59:59.999') } as const

  let closing: ReturnType<typeof closeDays> | undefined
  const posting = bench.openAnother().transaction(async (tx) => {
    await postIn(tx, reseller.id, late)
    closing = closeDays({ database: bench.database })
    await untilSomebodyWaits()
    if (!isCommitted) throw new Error('rolled back')
  })
  await posting.catch((error: Error) => expect(error.message).toBe('rolled back'))
  await closing

  await bench.post(reseller.id, { kind: 'deposit', amount: 1n, at: at('2026-07-01 00:00') })
  const shown = await getDay(bench.database, reseller.id, day)
  expect(shown).toMatchObject({ opening: 0n, closing: 10_000n + paid, closedAt: expect.any(Date) })
  expect(shown.movements.payment.amount).toBe(paid)
  await closeDays({ database: bench.database })
  expect((await verifyClosings(bench.database, reseller)).breaks).toEqual([])
})

it('an entry that is posted today while earlier days are closed goes into none of them', async () => {
  const reseller = await bench.newReseller()
  const days = Array.from({ length: 10 }, (_, index) => dayNumber('2026-08-01') + index)
  for (const day of days) await bench.post(reseller.id, { kind: 'deposit', amount: 5n, at: inDay(day, 1) })
  const post = () =>
    bench.database.transaction((tx) =>
      deposit(tx, { resellerId: reseller.id, amount: 1_000n, remarks: 'Now' }),
    )
  let isClosing = true
  const closing = closeDays({ database: bench.openAnother() }).finally(() => {
    isClosing = false
  })
  for (let count = 0; count < 5 || isClosing; count += 1) await post()
  await closing

  const shown = await listDays(bench.database, reseller.id, {
    from: dayNumber('2026-08-01'),
    to: dayNumber('2026-08-31'),
  })
  expect(shown.map(({ day, closing }) => [day, closing])).toEqual(
    days.map((day, index) => [day, 5n * BigInt(index + 1)]),
  )
  expect(shown.every(({ closedAt }) => closedAt !== null)).toBe(true)
})
