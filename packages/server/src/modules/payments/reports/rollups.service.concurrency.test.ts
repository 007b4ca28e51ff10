import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Database, Queryable, Tx } from '../../../db/database.ts'
import type { TestDatabase } from '../../../testing/database.ts'
import { openTestDatabase } from '../../../testing/database.ts'
import { insertBackfill, newReseller, PAST, today } from '../../../testing/payments/history.ts'
import type { PaymentCode } from '../core/types.ts'
import { resolvePayments } from '../outcomes/resolve.sql.ts'
import type { DaySum } from '../read/history.rules.ts'
import { openSnapshot, sumDays } from '../read/history.sql.ts'
import { replaceParts, sumParts } from './parts.sql.ts'
import { startRollups } from './rollups.jobs.ts'
import { sumNewDay, sumOpenDays } from './rollups.service.ts'
import { insertOpenDay, listUnsummedDays, lockOpenDay, markCurrent, replaceSums } from './rollups.sql.ts'

let test: TestDatabase
let other: Database
let now: number

beforeAll(async () => {
  test = await openTestDatabase()
  other = test.openAnother()
  now = await today(test.database)
})

afterAll(() => test.close())

async function resolve(connection: Queryable, resellerId: bigint, ids: readonly bigint[], code: PaymentCode) {
  const nothing = {
    failure: null,
    serialNumber: null,
    expiry: null,
    note: null,
    sealedOutput: null,
    nextMs: 1_000,
  }
  return resolvePayments(
    connection,
    ids.map((id) => ({ ...nothing, resellerId, id, code })),
  )
}

type Sums = Pick<DaySum, 'code' | 'payments' | 'faceValue' | 'cost'> & { part: string }
type Compared = { summed: readonly (DaySum | Sums)[]; counted: readonly (DaySum | Sums)[] }

/** Reads the sums of a few days, and their parts, from the history and by a plain count, at one instant. */
async function compare(database: Database, resellerId: bigint): Promise<Compared> {
  const days = { from: now - 10, to: now }
  return database.transaction(async (tx: Tx) => {
    await openSnapshot(tx)
    const summed = await sumDays(tx, resellerId, days, null)
    const { rows } = await tx.query<DaySum>(
      `select (created_at at time zone 'Asia/Kuala_Lumpur')::date - date '1970-01-01' as day, code,
              count(*) as payments, sum(face_value)::bigint as "faceValue", sum(cost)::bigint as cost
         from payments where reseller_id = $1 group by 1, 2`,
      [resellerId],
    )
    const hours = await tx.query<Sums>(
      `select extract(hour from created_at at time zone 'Asia/Kuala_Lumpur')::text as part, code, count(*) as payments,
              sum(face_value)::bigint as "faceValue", sum(cost)::bigint as cost
         from payments where reseller_id = $1 group by 1, 2`,
      [resellerId],
    )
    const parts = await sumParts(tx, resellerId, days, 'hour')
    const order = (a: DaySum, b: DaySum) => a.day - b.day || a.code - b.code
    const byPart = (a: Sums, b: Sums) => Number(a.part) - Number(b.part) || a.code - b.code
    return {
      summed: [...summed.sort(order), ...parts.toSorted(byPart)],
      counted: [...rows.sort(order), ...hours.rows.sort(byPart)],
    }
  })
}

async function expectRight(resellerId: bigint): Promise<void> {
  const { summed, counted } = await compare(test.database, resellerId)
  expect(summed).toEqual(counted)
}

async function currentDays(resellerId: bigint): Promise<number[]> {
  const { rows } = await test.database.query<{ days_ago: number }>(
    `select $2::integer - (day - date '1970-01-01') as days_ago from payment_rollup_days
      where reseller_id = $1 and is_current order by 1`,
    [resellerId, now],
  )
  return rows.map((row) => row.days_ago)
}

/** Waits until a connection waits for a lock that another one holds. */
async function untilSomebodyWaits(): Promise<void> {
  const giveUpAt = Date.now() + 60_000
  while (Date.now() < giveUpAt) {
    const { rows } = await test.database.query<{ waiting: boolean }>(
      `select exists (select from pg_stat_activity
                       where datname = current_database() and wait_event_type = 'Lock') as waiting`,
    )
    if (rows[0]?.waiting) return
    await new Promise((done) => setTimeout(done, 5))
  }
  throw new Error('nobody waits for a lock')
}

const daysAgo = (days: number, code: PaymentCode = 20) => ({ ...PAST, day: now - days, code })

describe('days that are summed', () => {
  it('every day that has ended and has payments, oldest first, and never today', async () => {
    const resellerId = await newReseller(test)
    await insertBackfill(test.database, resellerId, [
      daysAgo(0),
      daysAgo(1),
      daysAgo(3),
      daysAgo(7),
      daysAgo(7, 48),
    ])
    const [oldest] = (await listUnsummedDays(test.database, 1_000, 0)).filter(
      (each) => each.resellerId === resellerId,
    )
    expect(oldest).toEqual({ resellerId, day: now - 7 })
    expect(await sumOpenDays({ ...test, daysMax: 1_000 })).toBeGreaterThanOrEqual(2)
    const current = await currentDays(resellerId)
    // Yesterday is not summed for a while right after midnight.
    expect(current.filter((days) => days !== 1)).toEqual([3, 7])
    await expectRight(resellerId)
    expect(await sumOpenDays(test)).toBe(0)
  })

  it('a day that lies before one with a late answer is not forgotten', async () => {
    const resellerId = await newReseller(test)
    await insertBackfill(test.database, resellerId, [daysAgo(9)])
    await sumOpenDays(test)
    const [, late = 0n] = await insertBackfill(test.database, resellerId, [
      daysAgo(5),
      daysAgo(4, 1),
      daysAgo(3),
    ])
    await resolve(test.database, resellerId, [late], 20)
    await sumOpenDays({ ...test, daysMax: 1 })
    await sumOpenDays(test)
    expect(await currentDays(resellerId)).toEqual([3, 4, 5, 9])
    await expectRight(resellerId)
  })

  it('a day that a late answer changed loses its mark, and gets it back with another sum', async () => {
    const resellerId = await newReseller(test)
    const [late = 0n] = await insertBackfill(test.database, resellerId, [daysAgo(6, 1), daysAgo(5)])
    await sumOpenDays(test)
    expect(await currentDays(resellerId)).toEqual([5, 6])
    await resolve(test.database, resellerId, [late], 48)
    expect(await currentDays(resellerId)).toEqual([5])
    await expectRight(resellerId)
    expect(await sumOpenDays(test)).toBe(1)
    expect(await currentDays(resellerId)).toEqual([5, 6])
    await expectRight(resellerId)
  })

  it('a run ends where it is summed to, and the next one goes on from there', async () => {
    const resellerId = await newReseller(test)
    await insertBackfill(test.database, resellerId, [daysAgo(4), daysAgo(3), daysAgo(2)])
    expect(await sumOpenDays({ ...test, daysMax: 2 })).toBe(2)
    expect(await sumOpenDays({ ...test, isStopped: () => true })).toBe(0)
    expect(await currentDays(resellerId)).toEqual([3, 4])
    expect(await sumOpenDays(test)).toBe(1)
    expect(await currentDays(resellerId)).toEqual([2, 3, 4])
  })

  it('the job sums by itself until it is stopped', async () => {
    const resellerId = await newReseller(test)
    await insertBackfill(test.database, resellerId, [daysAgo(4), daysAgo(2)])
    const problems: unknown[] = []
    const job = startRollups({ ...test, everyMs: 5, onProblem: (error) => problems.push(error) })
    await expect.poll(() => currentDays(resellerId)).toEqual([2, 4])
    await job.stop()
    await insertBackfill(test.database, resellerId, [daysAgo(1)])
    expect(await currentDays(resellerId)).toEqual([2, 4])
    expect(problems).toEqual([])
  })
})

describe('a sum against whoever writes at the same moment', () => {
  it('leaves a day alone while one of its payments succeeds, and has it afterwards', async () => {
    const resellerId = await newReseller(test)
    const each = { resellerId, day: now - 3 }
    const [id = 0n] = await insertBackfill(test.database, resellerId, [
      daysAgo(3, 1),
      daysAgo(3, 1),
      daysAgo(3),
    ])
    await other.transaction(async (tx) => {
      await resolve(tx, resellerId, [id], 20)
      expect(await sumNewDay(test.database, each)).toBe(false)
    })
    expect(await sumNewDay(test.database, each)).toBe(true)
    await expectRight(resellerId)
  })

  it.each([
    ['fails', 1, 48],
    ['is voided', 20, 53],
  ] as const)('waits for a payment that %s, and has it', async (_how, before, after) => {
    const resellerId = await newReseller(test)
    const each = { resellerId, day: now - 3 }
    const [id = 0n] = await insertBackfill(test.database, resellerId, [daysAgo(3, before), daysAgo(3)])
    let summing: Promise<boolean> | undefined
    await other.transaction(async (tx) => {
      await resolve(tx, resellerId, [id], after)
      summing = sumNewDay(test.database, each)
      await untilSomebodyWaits()
    })
    expect(await summing).toBe(true)
    expect(await currentDays(resellerId)).toEqual([3])
    await expectRight(resellerId)
  })

  it('waits for a payment that was dated before midnight and commits after it, and has it', async () => {
    const resellerId = await newReseller(test)
    await insertBackfill(test.database, resellerId, [daysAgo(2)])
    let summing: Promise<boolean> | undefined
    await other.transaction(async (tx) => {
      await tx.query('select from lock_wallets(array[$1::bigint])', [resellerId])
      await insertBackfill({ ...other, query: tx.query }, resellerId, [daysAgo(2, 48)])
      summing = sumNewDay(test.database, { resellerId, day: now - 2 })
      await untilSomebodyWaits()
    })
    expect(await summing).toBe(true)
    await expectRight(resellerId)
  })

  it('a sum without a late answer loses its mark when the answer is committed', async () => {
    const resellerId = await newReseller(test)
    const each = { resellerId, day: now - 3 }
    const [id = 0n] = await insertBackfill(test.database, resellerId, [daysAgo(3, 1), daysAgo(2)])
    await insertOpenDay(test.database, each)
    let resolving: Promise<unknown> | undefined
    await test.database.transaction(async (tx) => {
      expect(await lockOpenDay(tx, each)).toBe(true)
      await replaceSums(tx, each)
      await replaceParts(tx, each)
      resolving = resolve(other, resellerId, [id], 20)
      await untilSomebodyWaits()
      await markCurrent(tx, each)
    })
    await resolving
    expect(await currentDays(resellerId)).toEqual([])
    await expectRight(resellerId)
    await sumOpenDays(test)
    expect(await currentDays(resellerId)).toEqual([2, 3])
    await expectRight(resellerId)
  })

  it('passes by a day that another node is at', async () => {
    const resellerId = await newReseller(test)
    const each = { resellerId, day: now - 3 }
    await insertBackfill(test.database, resellerId, [daysAgo(3)])
    await insertOpenDay(test.database, each)
    await other.transaction(async (tx) => {
      expect(await lockOpenDay(tx, each)).toBe(true)
      expect(await sumNewDay(test.database, each)).toBe(false)
    })
    expect(await sumNewDay(test.database, each)).toBe(true)
    expect(await sumNewDay(test.database, each)).toBe(false)
  })
})

it('the sums differ from the payments at no instant, while two nodes sum and answers come in', async () => {
  const resellerId = await newReseller(test)
  const drafts = Array.from({ length: 240 }, (_, index) => ({
    ...daysAgo((index % 6) + 2, index % 4 === 0 ? 20 : 1),
    atMs: (index % 24) * 3_600_000,
  }))
  const ids = await insertBackfill(test.database, resellerId, drafts)
  let isDone = false
  const sums = async (database: Database) => {
    while (!isDone) await sumOpenDays({ database })
  }
  const answers = async (database: Database, mine: readonly bigint[]) => {
    for (const [index, id] of mine.entries()) {
      await resolve(database, resellerId, [id], index % 3 === 0 ? 48 : 20)
      if (index % 3 === 1) await resolve(database, resellerId, [id], 53)
    }
  }
  const readings: Promise<Compared>[] = []
  const reads = async () => {
    while (!isDone) {
      const reading = compare(test.database, resellerId)
      readings.push(reading)
      await reading
    }
  }
  const background = Promise.all([sums(test.database), sums(other), reads()])
  await Promise.all([answers(test.database, ids.slice(0, 120)), answers(other, ids.slice(120))])
  isDone = true
  await background
  expect(readings.length).toBeGreaterThan(5)
  for (const reading of readings) {
    const { summed, counted } = await reading
    expect(summed).toEqual(counted)
  }
  await sumOpenDays(test)
  expect(await currentDays(resellerId)).toEqual([2, 3, 4, 5, 6, 7])
  await expectRight(resellerId)
})
