import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { advanceDays, limitMember, limitReseller } from '../../../testing/payments/limits.ts'
import type { Node, PaymentsBench } from '../../../testing/payments/payments.ts'
import {
  commandFor,
  expectSoundMoney,
  openPaymentsBench,
  takeTogether,
} from '../../../testing/payments/payments.ts'
import { runs } from '../../../testing/runs.ts'
import type { Payment } from '../core/types.ts'
import { endIdleCounts, sweepCounts } from './service.ts'
import type { Limit } from './types.ts'

let bench: PaymentsBench
let node: Node

beforeAll(async () => {
  bench = await openPaymentsBench()
  node = bench.openNode()
})
afterAll(() => bench.close())

type Order = {
  account: string
  category: string
  cost: bigint
  faceValue: bigint
  key: 0 | 7 | 8
  /** True: the limited member sells it, unless a key pays. */
  isLimited: boolean
  cap: bigint
}
/** Payment of the model. Its day is the number of days by which the clock had been moved. */
type Paid = Order & { day: number; isAlive: boolean; payment: Payment }

const AMOUNT = fc.integer({ min: 1, max: 5 }).map((ringgit) => BigInt(ringgit) * 10_000n)
const ORDER = fc.record<Order>({
  account: fc.constantFrom('0121', '0122'),
  category: fc.constantFrom('GAMES', 'BILLS'),
  cost: AMOUNT,
  faceValue: AMOUNT,
  key: fc.constantFrom(0, 7, 8),
  isLimited: fc.boolean(),
  cap: fc.constantFrom(60_000n, 120_000n),
})
const LIMIT = fc.record<Limit & { setBy: 'operator' | 'reseller' }>({
  scope: fc.constantFrom('account', 'reseller'),
  period: fc.constantFrom('day', 'month'),
  category: fc.constantFrom(null, 'GAMES'),
  payments: fc.constantFrom(null, 0, 2, 4),
  sum: fc.constantFrom(100_000n, 200_000n),
  setBy: fc.constantFrom('operator', 'reseller'),
})
const STEP = fc.oneof(
  { weight: 6, arbitrary: fc.record({ orders: fc.array(ORDER, { minLength: 1, maxLength: 5 }) }) },
  { weight: 3, arbitrary: fc.record({ ends: fc.nat(), isVoid: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ days: fc.constantFrom(1, 40) }) },
  { weight: 2, arbitrary: fc.record({ limits: fc.array(LIMIT, { maxLength: 4 }) }) },
  // Counting that nobody asks for ends; what it left is deleted sooner or later.
  { weight: 1, arbitrary: fc.record({ isSwept: fc.boolean() }) },
)

/** Tells whether one more payment fits every rule, with what is alive of today and of the month. */
function fits(order: Order, paid: readonly Paid[], limits: readonly Limit[], day: number, isSameMonth: Days) {
  const alive = paid.filter((each) => each.isAlive && isSameMonth(each.day, day))
  const today = alive.filter((each) => each.day === day)
  const isWithin = ({ scope, period, category, payments, sum }: Limit) => {
    if (category !== null && category !== order.category) return true
    const used = (period === 'day' ? today : alive).filter(
      (each) =>
        (scope === 'reseller' || each.account === order.account) &&
        (category === null || each.category === category),
    )
    const spent = used.reduce((total, each) => total + each.faceValue, 0n)
    return (payments === null || used.length < payments) && (sum === null || spent + order.faceValue <= sum)
  }
  const own = today.filter(({ key }) => key === order.key).reduce((total, { cost }) => total + cost, 0n)
  const isOfMember = (each: Order) => each.key === 0 && each.isLimited
  const isMemberWithin = !isOfMember(order) || today.filter(isOfMember).length < MEMBER_PAYMENTS
  return limits.every(isWithin) && isMemberWithin && (order.key === 0 || own + order.cost <= order.cap)
}

/** Payments that the limited member may sell in a day. */
const MEMBER_PAYMENTS = 3

type Days = (one: number, other: number) => boolean

/** Reads which days, counted from today, are of one month of GMT+8. */
async function readMonths(): Promise<Days> {
  const { rows } = await bench.database.query<{ month: string }>(
    `select to_char((now() at time zone 'Asia/Kuala_Lumpur')::date + d, 'YYYY-MM') as month
       from generate_series(0, 1000) as d order by d`,
  )
  return (one, other) => rows[one]?.month === rows[other]?.month
}

/** Reseller of one run, with its model. */
type World = {
  readonly reseller: bigint
  readonly memberId: string
  readonly isSameMonth: Days
  readonly paid: Paid[]
  limits: readonly Limit[]
  day: number
}

const NOBODY = '999999999999'

async function pay(world: World, orders: readonly Order[]): Promise<void> {
  const { reseller, memberId, paid, limits, day, isSameMonth } = world
  const commands = orders.map(({ key, cap, isLimited, ...order }) => {
    const own = key === 0 ? {} : { purposeId: BigInt(key), caps: { dailyCap: cap } }
    // The first member of a database has the id that commands have by default.
    return commandFor(reseller, { ...order, ...own, memberId: isLimited ? memberId : NOBODY })
  })
  const results = await takeTogether(node, commands)
  for (const [at, order] of orders.entries()) {
    const result = results[at]
    const expected = fits(order, paid, limits, day, isSameMonth) ? 'created' : 'limited'
    expect(result?.verdict).toBe(expected)
    if (result?.verdict === 'created') paid.push({ ...order, day, isAlive: true, payment: result.payment })
  }
}

async function end({ paid }: World, number: number, isVoid: boolean): Promise<void> {
  const found = paid[number % Math.max(paid.length, 1)]
  if (found === undefined || !found.isAlive) return
  found.isAlive = false
  const { resellerId, id } = found.payment
  const outcomes = isVoid ? [SUCCEEDED, { kind: 'voided' } as const] : [FAILED]
  for (const outcome of outcomes) await node.resolver.submit({ resellerId, id, nextMs: 0, outcome })
}

const SUCCEEDED = {
  kind: 'succeeded',
  output: { serialNumber: '', pin: '', expiry: '', voucherLink: '', note: '' },
} as const
const FAILED = { kind: 'failed', code: 48, reason: 'no' } as const

async function limit(world: World, given: readonly (Limit & { setBy: 'operator' | 'reseller' })[]) {
  const byKey = new Map(given.map((each) => [JSON.stringify(keyOf(each)), each]))
  world.limits = [...byKey.values()]
  await bench.database.query('delete from reseller_limits where reseller_id = $1', [world.reseller])
  for (const each of byKey.values()) await limitReseller(bench.database, world.reseller, each)
}

it('a payment that passes fits the rules at its commit, and counts are those of the payments, in whatever order payments, failures, voids, midnights and changes of limits come', async () => {
  const isSameMonth = await readMonths()
  await fc.assert(
    fc.asyncProperty(fc.array(STEP, { maxLength: 14 }), async (steps) => {
      const reseller = await bench.newReseller(100_000_000n)
      const memberId = await limitMember(bench.database, reseller, {
        period: 'day',
        payments: MEMBER_PAYMENTS,
      })
      const world: World = { reseller, memberId, isSameMonth, paid: [], limits: [], day: 0 }
      for (const step of steps) {
        if ('orders' in step) await pay(world, step.orders)
        else if ('ends' in step) await end(world, step.ends, step.isVoid)
        else if ('limits' in step) await limit(world, step.limits)
        else if ('isSwept' in step) {
          await endIdleCounts(bench.database)
          if (step.isSwept) await sweepCounts(bench.database, () => false)
        } else {
          world.day += step.days
          await advanceDays(bench.database, reseller, step.days)
        }
      }
      const { rows } = await bench.database.query('select * from drifted_counts($1)', [reseller])
      expect(rows).toEqual([])
    }),
    { numRuns: runs(60) },
  )
  await expectSoundMoney(bench.database)
})

function keyOf({ scope, period, category, setBy }: Limit & { setBy: string }): unknown[] {
  return [scope, period, category, setBy]
}
