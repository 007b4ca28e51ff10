import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Database } from '../../../db/database.ts'
import { startOfDayMs } from '../../../lib/dates.ts'
import type { FinanceBench } from '../../../testing/finance.ts'
import { dayNumber, inDay, openFinanceBench } from '../../../testing/finance.ts'
import { runs } from '../../../testing/runs.ts'
import { balanceAsOf } from '../../wallet/balance/service.ts'
import type { TransferKind } from '../../wallet/balance/types.ts'
import { closeDays } from './closings.jobs.ts'
import { KINDS } from './closings.rules.ts'
import { getDay, listDays, verifyClosings } from './closings.service.ts'
import type { ShownDay, WalletDay } from './types.ts'

let bench: FinanceBench

beforeAll(async () => {
  bench = await openFinanceBench()
})

afterAll(() => bench.close())

// Days that include a month's end and a leap day. A day of GMT+8 begins eight hours before the day of UTC.
const FIRST_DAY = dayNumber('2024-02-27')
const DAYS = 5
const LAST_MS = 86_399_999

type Draft = { kind: TransferKind; size: bigint; dayMs: number }
/** End of a run of the job: by itself, stopped after some steps, or cut off before a commit. */
type Run = { how: 'whole' | 'stopped' | 'crashed'; steps: number }
type Plan = { entries: readonly Draft[]; runs: readonly Run[] }

const draft: fc.Arbitrary<Draft> = fc.record({
  kind: fc.oneof(
    { weight: 3, arbitrary: fc.constant<TransferKind>('payment') },
    { weight: 2, arbitrary: fc.constantFrom<TransferKind>(...KINDS) },
  ),
  size: fc.bigInt({ min: 1n, max: 50_000_000n }),
  // Both ends of the day, and the instant at which UTC changes its day.
  dayMs: fc.oneof(fc.constantFrom(0, LAST_MS, 28_800_000, 28_799_999), fc.nat(LAST_MS)),
})
const run: fc.Arbitrary<Run> = fc.record({
  how: fc.constantFrom('whole', 'stopped', 'crashed'),
  steps: fc.nat(3),
})
const plans = fc.array(
  fc.record<Plan>({
    entries: fc.array(draft, { maxLength: 6 }),
    runs: fc.array(run, { maxLength: 2 }),
  }),
  { minLength: DAYS, maxLength: DAYS },
)

/** Keeps the expected closings by plain addition. */
function createModel() {
  const days: WalletDay[] = []
  let balance = 0n
  let sequence = 0n
  return {
    days,
    enter(day: number, { kind, size }: Draft): { kind: TransferKind; amount: bigint } {
      const isOut = kind === 'payment' || (kind === 'adjustment' && size % 2n === 0n)
      const isPaid = isOut && balance >= size
      const entered = kind === 'payment' && !isPaid ? 'deposit' : kind
      const amount = isPaid ? -size : size
      const nothing = { count: 0n, amount: 0n }
      const present = days.at(-1)
      const before: WalletDay =
        present?.day === day
          ? present
          : {
              day,
              opening: balance,
              closing: balance,
              firstSequence: sequence + 1n,
              lastSequence: sequence,
              movements: {
                deposit: nothing,
                adjustment: nothing,
                payment: nothing,
                refund: nothing,
                commission: nothing,
              },
            }
      balance += amount
      sequence += 1n
      const moved = before.movements[entered]
      const movements = {
        ...before.movements,
        [entered]: { count: moved.count + 1n, amount: moved.amount + amount },
      }
      const after = { ...before, closing: balance, lastSequence: sequence, movements }
      if (present?.day === day) days.pop()
      days.push(after)
      return { kind: entered, amount }
    },
    balanceAt: (day: number) => days.findLast((each) => each.day <= day)?.closing ?? 0n,
  }
}

class CutOffError extends Error {}

/** Returns the same database with a connection that is cut right before a commit. */
function cutOff(database: Database, steps: number): Database {
  let left = steps
  return {
    ...database,
    transaction: (work) =>
      database.transaction(async (tx) => {
        const result = await work(tx)
        left -= 1
        if (left < 0) throw new CutOffError()
        return result
      }),
  }
}

async function close({ how, steps }: Run, throughDay: number): Promise<void> {
  const { database } = bench
  let asked = 0
  const isStopped = () => how === 'stopped' && ++asked > steps
  const used = how === 'crashed' ? cutOff(database, steps) : database
  await closeDays({ database: used, throughDay, walletsPage: 2, isStopped }).catch((error: Error) => {
    const causes = error instanceof AggregateError ? error.errors : [error]
    if (!causes.every((each: Error) => each.cause instanceof CutOffError)) throw error
  })
}

function withoutTime({ closedAt, ...day }: ShownDay) {
  return { ...day, isClosed: closedAt !== null }
}

it('closings are the ledger to the last unit, whenever the job ran and wherever it was cut off', async () => {
  await fc.assert(
    fc.asyncProperty(plans, async (plan) => {
      const reseller = await bench.newReseller()
      const model = createModel()
      for (const [index, { entries, runs }] of plan.entries()) {
        const day = FIRST_DAY + index
        for (const each of entries.toSorted((a, b) => a.dayMs - b.dayMs)) {
          await bench.post(reseller.id, { ...model.enter(day, each), at: inDay(day, each.dayMs) })
        }
        for (const each of runs) await close(each, day)
        const shown = await listDays(bench.database, reseller.id, { from: FIRST_DAY, to: day })
        expect(shown.map(({ closedAt: _, ...rest }) => rest)).toEqual(model.days)
      }
      await close({ how: 'whole', steps: 0 }, FIRST_DAY + DAYS)

      const days = { from: FIRST_DAY - 1, to: FIRST_DAY + DAYS }
      const closed = await listDays(bench.database, reseller.id, days)
      expect(closed.map(withoutTime)).toEqual(model.days.map((day) => ({ ...day, isClosed: true })))
      for (let day = days.from; day <= days.to; day += 1) {
        const { closing } = await getDay(bench.database, reseller.id, day)
        const lastMicros = BigInt(startOfDayMs(day + 1)) * 1_000n - 1n
        expect(closing).toBe(model.balanceAt(day))
        expect((await balanceAsOf(bench.database, reseller.id, lastMicros)).balance).toBe(closing)
      }
      const report = await verifyClosings(bench.database, reseller)
      expect(report).toEqual({ wallets: 1, closings: model.days.length, breaks: [] })
    }),
    { numRuns: runs(15) },
  )
})
