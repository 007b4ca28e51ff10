import { afterAll, beforeAll, expect, it } from 'vitest'
import type { FinanceBench } from '../../../testing/finance.ts'
import { at, dayNumber, inDay, openFinanceBench } from '../../../testing/finance.ts'
import { closeDays, startClosing } from './closings.jobs.ts'

let bench: FinanceBench

beforeAll(async () => {
  bench = await openFinanceBench()
})

afterAll(() => bench.close())

async function countClosings(resellerId: bigint): Promise<number> {
  const { rowCount } = await bench.database.query('select from daily_closings where reseller_id = $1', [
    resellerId,
  ])
  return rowCount
}

async function until(what: string, attempt: () => Promise<boolean>): Promise<void> {
  const giveUpAt = Date.now() + 30_000
  while (Date.now() < giveUpAt) {
    if (await attempt()) return
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  throw new Error(`gave up waiting until ${what}`)
}

it('goes on by itself until it is stopped, also after a run that failed', async () => {
  const { id } = await bench.newReseller()
  await bench.post(id, { kind: 'deposit', amount: 9n, at: at('2026-10-05 10:00') })
  await bench.tamper('update transfers set balance_after = 8 where reseller_id = $1', [id])
  const problems: unknown[] = []
  const job = startClosing({
    database: bench.database,
    everyMs: 5,
    onProblem: (error) => problems.push(error),
  })
  await until('the problem is told', async () => problems.length > 0)
  expect(String(problems[0])).toContain(`wallet ${id} could not be closed`)
  await bench.tamper('update transfers set balance_after = 9 where reseller_id = $1', [id])
  await until('the day is closed', async () => (await countClosings(id)) === 1)
  await job.stop()
})

it('a run that is stopped leaves what it has closed, and the next one goes on from there', async () => {
  const { id } = await bench.newReseller()
  const first = dayNumber('2026-09-01')
  for (let day = first; day < first + 6; day += 1) {
    await bench.post(id, { kind: 'deposit', amount: 1n, at: inDay(day, 0) })
  }
  let asked = 0
  const isStopped = () => {
    asked += 1
    return asked > 2
  }
  expect(await closeDays({ database: bench.database, isStopped })).toMatchObject({ isComplete: false })
  expect(await countClosings(id)).toBe(2)
  expect(await closeDays({ database: bench.database })).toEqual({ closings: 4, isComplete: true })
  expect(await closeDays({ database: bench.database })).toEqual({ closings: 0, isComplete: true })
})

it('asks before each step whether payments need the database', async () => {
  const { id } = await bench.newReseller()
  const first = dayNumber('2026-09-01')
  for (let day = first; day < first + 2; day += 1) {
    await bench.post(id, { kind: 'deposit', amount: 1n, at: inDay(day, 0) })
  }
  const seen: number[] = []
  let closed = 0
  const isBusy = () => {
    seen.push(closed)
    return false
  }
  const isStopped = () => {
    closed += 1
    return false
  }
  await closeDays({ database: bench.database, isBusy, isStopped })
  expect(seen).toEqual([0, 1, 2])
})

it('while another node closes, this one leaves it to that one', async () => {
  const { id } = await bench.newReseller()
  await bench.post(id, { kind: 'deposit', amount: 1n, at: at('2026-09-03 10:00') })
  await bench.openAnother().transaction(async (tx) => {
    await tx.query(`select pg_advisory_xact_lock(hashtextextended('daily_closings', 0))`)
    expect(await closeDays({ database: bench.database })).toEqual({ closings: 0, isComplete: false })
  })
  expect(await closeDays({ database: bench.database })).toEqual({ closings: 1, isComplete: true })
})
