import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { FailpointName } from '../../../lib/failpoints.ts'
import { PERCENTAGE } from '../../../testing/catalog/catalog-samples.ts'
import type { OrdersBench, OrdersNode } from '../../../testing/orders.ts'
import { ACCOUNTS, openOrdersBench } from '../../../testing/orders.ts'
import { expectSoundMoney } from '../../../testing/payments/payments.ts'
import {
  bringForward,
  expectSoundRuns,
  goOn,
  LINE_COST,
  makeDue,
  newSchedule,
  readSchedule,
  refusalsOf,
  runnerOf,
  runToEnd,
  scheduledLine,
} from '../../../testing/payments/schedules.ts'
import { runs } from '../../../testing/runs.ts'
import { stopActive } from './sql.ts'

let bench: OrdersBench
let nodes: readonly OrdersNode[]

beforeAll(async () => {
  bench = await openOrdersBench()
  nodes = [bench.openNode2(), bench.openNode2()]
})
afterAll(() => bench.closeOrders())

const CHANGES = ['stop', 'go on', 'dearer', 'as before', 'deposit', 'next run'] as const
const PLACES = ['schedule.begun', 'schedule.paid', 'schedule.noted'] as const

type Step =
  | { readonly kind: 'turn'; readonly node: number }
  /** The node fails at a place, before or after the money, and its lease ends. */
  | { readonly kind: 'fail'; readonly node: number; readonly place: FailpointName; readonly times: number }
  /** The answer to a payment is lost, although it was made. */
  | { readonly kind: 'lose'; readonly node: number; readonly times: number }
  /** Both nodes have it at once: the lease of the first ended while it was frozen. */
  | { readonly kind: 'both' }
  | { readonly kind: (typeof CHANGES)[number] }

const node = fc.nat(1)
const times = fc.integer({ min: 1, max: 4 })
const steps = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('turn' as const), node }) },
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant('fail' as const),
        node,
        place: fc.constantFrom<FailpointName>(...PLACES),
        times,
      }),
    },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('lose' as const), node, times }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('both' as const) }) },
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constantFrom(...CHANGES),
      }),
    },
  ),
  { minLength: 2, maxLength: 10 },
)

const lines = fc.array(fc.constantFrom(ACCOUNTS.succeeds, ACCOUNTS.fails, ACCOUNTS.pending, 'nobody'), {
  minLength: 1,
  maxLength: 13,
})

/** Failure at a place, as seen by a node that survives it. */
class Ended extends Error {}

it('each line of each run is paid once at most and the sums agree, whatever fails and whoever takes over', async () => {
  await fc.assert(
    fc.asyncProperty(lines, steps, fc.integer({ min: 0, max: 15 }), async (accounts, taken, affordable) => {
      bench.setCatalog()
      let deposited = LINE_COST * BigInt(affordable)
      const given = accounts.map((account, index) => scheduledLine(index + 1, { account }))
      const scheduled = await newSchedule(bench, { lines: given, balance: deposited, every: 'week' })
      for (const step of taken) deposited += await take(step, scheduled)
      // A run that was stopped or cut off ends, once nothing stands against it any more.
      bench.setCatalog()
      await bench.deposit(scheduled.resellerId, LINE_COST * 100n)
      deposited += LINE_COST * 100n
      await goOn(bench, scheduled)
      const { runs: before } = await readSchedule(bench, scheduled)
      await bringForward(bench, scheduled)
      const ended = await runToEnd(bench, runnerOf(nodeAt(0)), scheduled, before + 1)
      expect(ended).toMatchObject({ state: 'active', runs: before + 1 })
      await expectSoundRuns(bench, scheduled, deposited)
      await expectSoundMoney(bench.database)
      const wrong = accounts.map((account) => (account === 'nobody' ? 'Invalid_Account' : null))
      const expected = Array.from({ length: before + 1 }, (_, run) => [run + 1, wrong])
      expect(await refusalsOf(bench, scheduled)).toEqual(Object.fromEntries(expected))
      const paid = accounts.filter((account) => account !== 'nobody').length * (before + 1)
      expect(await bench.refidsOf(scheduled.resellerId)).toHaveLength(paid)
    }),
    { numRuns: runs(20) },
  )
})

function nodeAt(index: number): OrdersNode {
  const found = nodes[index]
  if (found === undefined) throw new Error('no such node')
  return found
}

/** Does a step; returns what it deposited. */
async function take(step: Step, scheduled: Awaited<ReturnType<typeof newSchedule>>): Promise<bigint> {
  const { resellerId, id } = scheduled
  switch (step.kind) {
    case 'turn':
      await makeDue(bench, scheduled)
      await runnerOf(nodeAt(step.node)).runOnce()
      return 0n
    case 'fail': {
      let reached = 0
      const failpoint = (name: FailpointName) => {
        if (name === step.place) reached += 1
        if (name === step.place && reached === step.times) throw new Ended()
      }
      await makeDue(bench, scheduled)
      await runnerOf(nodeAt(step.node), { failpoint }).runOnce()
      return 0n
    }
    case 'lose': {
      const { payments } = nodeAt(step.node)
      let asked = 0
      await makeDue(bench, scheduled)
      await runnerOf(nodeAt(step.node), {
        payments: {
          async pay(input) {
            asked += 1
            const result = await payments.pay(input)
            if (asked === step.times) throw new Ended()
            return result
          },
        },
      }).runOnce()
      return 0n
    }
    case 'both': {
      const { payments } = nodeAt(0)
      let isFirst = true
      await makeDue(bench, scheduled)
      await runnerOf(nodeAt(0), {
        payments: {
          async pay(input) {
            if (isFirst) {
              isFirst = false
              await makeDue(bench, scheduled)
              await runnerOf(nodeAt(1)).runOnce()
            }
            return payments.pay(input)
          },
        },
      }).runOnce()
      return 0n
    }
    case 'stop':
      await bench.database.transaction((tx) => stopActive(tx, resellerId, id))
      return 0n
    case 'go on':
      await goOn(bench, scheduled)
      return 0n
    case 'dearer':
      bench.setWholesale({ ...PERCENTAGE, unitPrice: 99_000_000n })
      return 0n
    case 'as before':
      bench.setCatalog()
      return 0n
    case 'deposit':
      await bench.deposit(resellerId, LINE_COST * 3n)
      return LINE_COST * 3n
    case 'next run':
      await bringForward(bench, scheduled)
      return 0n
  }
}
