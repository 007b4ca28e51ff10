import { afterAll, beforeAll, expect, it } from 'vitest'
import type { OrdersBench } from '../../../testing/orders.ts'
import { openOrdersBench } from '../../../testing/orders.ts'
import { expectSoundMoney, until } from '../../../testing/payments/payments.ts'
import {
  expectSoundRuns,
  LINE_COST,
  makeDue,
  newSchedule,
  readSchedule,
  runnerOf,
  scheduledLine,
} from '../../../testing/payments/schedules.ts'

let bench: OrdersBench

beforeAll(async () => {
  bench = await openOrdersBench()
})
afterAll(() => bench.closeOrders())

const linesOf = (count: number) => Array.from({ length: count }, (_, index) => scheduledLine(index + 1))

it('two nodes that take every turn at once, with leases that end at any time, pay each line once', async () => {
  const BALANCE = LINE_COST * 1_000n
  const [one, two] = [bench.openNode2(), bench.openNode2()]
  const runners = [one, two, one, two].map((node) => runnerOf(node))
  const made = await Promise.all(
    Array.from({ length: 6 }, () => newSchedule(bench, { lines: linesOf(25), balance: BALANCE })),
  )
  await until('all schedules have ended', async () => {
    await Promise.all([
      ...made.map((each) => makeDue(bench, each)),
      ...runners.map((runner) => runner.runOnce()),
      ...made.map((each) => makeDue(bench, each)),
    ])
    const states = await Promise.all(made.map((each) => readSchedule(bench, each)))
    return states.every(({ state }) => state === 'ended') ? states : undefined
  })
  for (const each of made) {
    expect(await bench.refidsOf(each.resellerId)).toHaveLength(25)
    await expectSoundRuns(bench, each, BALANCE)
    await expectSoundMoney(bench.database)
  }
})

it('a reseller with many schedules has one turn at a time, and a turn ends: others do not wait for it', async () => {
  const resellerId = await bench.newReseller(LINE_COST * 1_000n)
  const many = await Promise.all(
    Array.from({ length: 6 }, () => newSchedule(bench, { lines: linesOf(30), resellerId })),
  )
  const other = await newSchedule(bench, { lines: linesOf(3) })
  const runner = runnerOf(bench.openNode2())
  await Promise.all(many.map((each) => makeDue(bench, each)))
  await makeDue(bench, other)
  expect(await runner.runOnce()).toBe(2)
  expect(await readSchedule(bench, other)).toMatchObject({ state: 'ended' })
  expect(await bench.refidsOf(resellerId)).toHaveLength(10)
})

it('a node at which payments wait that somebody asked for pays no schedule', async () => {
  const scheduled = await newSchedule(bench, { lines: linesOf(1) })
  const runner = runnerOf(bench.openNode2(), { isBusy: () => true })
  expect(await runner.runOnce()).toBe(0)
  expect(await bench.refidsOf(scheduled.resellerId)).toEqual([])
})
