import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { PERCENTAGE } from '../../../testing/catalog/catalog-samples.ts'
import type { OrdersBench, OrdersNode } from '../../../testing/orders.ts'
import { openOrdersBench } from '../../../testing/orders.ts'
import type { Scheduled } from '../../../testing/payments/schedules.ts'
import {
  bringForward,
  expectSoundRuns,
  goOn,
  LINE_COST,
  makeDue,
  newMember,
  newSchedule,
  readSchedule,
  refusalsOf,
  runnerOf,
  runToEnd,
  scheduledLine,
} from '../../../testing/payments/schedules.ts'
import type { RunningSchedules } from './jobs.ts'
import { stopActive } from './sql.ts'

let bench: OrdersBench
let node: OrdersNode
let runner: RunningSchedules

beforeAll(async () => {
  bench = await openOrdersBench()
  node = bench.openNode2()
  runner = runnerOf(node)
})
afterEach(() => bench.setCatalog())
afterAll(async () => {
  await runner.stop()
  await bench.closeOrders()
})

const LINES = Array.from({ length: 12 }, (_, index) => scheduledLine(index + 1))
const BALANCE = LINE_COST * 100n

async function noticesOf({ resellerId }: Scheduled): Promise<unknown[]> {
  const { rows } = await bench.database.query<{ data: unknown }>(
    `select data from mail_notices where reseller_id = $1 and kind = 'schedule' order by id`,
    [resellerId],
  )
  return rows.map(({ data }) => data)
}

const paidBy = ({ resellerId }: Scheduled) => bench.refidsOf(resellerId)

it('a file that is due is paid line by line, once, and its member is told', async () => {
  const scheduled = await newSchedule(bench, { lines: LINES, balance: BALANCE })
  expect(await runToEnd(bench, runner, scheduled)).toMatchObject({ state: 'ended', runs: 1, batchId: null })
  expect(await paidBy(scheduled)).toHaveLength(LINES.length)
  await expectSoundRuns(bench, scheduled, BALANCE)
  expect(await noticesOf(scheduled)).toEqual([
    expect.objectContaining({ reason: null, lines: 12, unpaid: 0, cost: String(LINE_COST * 12n) }),
  ])
  await makeDue(bench, scheduled)
  expect(await runner.runOnce()).toBe(0)
})

it('each run of a weekly file pays all lines again, under refids of its own', async () => {
  const scheduled = await newSchedule(bench, { lines: LINES.slice(0, 3), balance: BALANCE, every: 'week' })
  const first = await runToEnd(bench, runner, scheduled)
  expect(first).toMatchObject({ state: 'active', runs: 1 })
  expect(first.runAt.getTime() - first.firstAt.getTime()).toBe(7 * 86_400_000)
  await bringForward(bench, scheduled)
  expect(await runToEnd(bench, runner, scheduled, 2)).toMatchObject({ runs: 2 })
  expect(new Set(await paidBy(scheduled)).size).toBe(6)
  await expectSoundRuns(bench, scheduled, BALANCE)
})

it('a line that is wrong by itself is left out, and the next ones are paid', async () => {
  const lines = [scheduledLine(1), scheduledLine(2, { account: 'nobody' }), scheduledLine(3)]
  const scheduled = await newSchedule(bench, { lines, balance: BALANCE })
  expect(await runToEnd(bench, runner, scheduled)).toMatchObject({ state: 'ended' })
  expect(await paidBy(scheduled)).toHaveLength(2)
  expect(await refusalsOf(bench, scheduled)).toEqual({ 1: [null, 'Invalid_Account', null] })
  expect(await noticesOf(scheduled)).toEqual([expect.objectContaining({ lines: 3, unpaid: 1 })])
})

it('a line that repeats a payment of a moment before is skipped, unless the person wants repeats', async () => {
  const skipping = await newSchedule(bench, { lines: LINES.slice(0, 2), repeats: 'skip' })
  await runToEnd(bench, runner, skipping)
  expect(await paidBy(skipping)).toHaveLength(1)
  expect(await refusalsOf(bench, skipping)).toEqual({ 1: [null, 'Possible_Duplicate'] })
  const paying = await newSchedule(bench, { lines: LINES.slice(0, 2), repeats: 'pay' })
  await runToEnd(bench, runner, paying)
  expect(await paidBy(paying)).toHaveLength(2)
})

describe('a run stops, says why, and pays the rest once somebody goes on with it', () => {
  async function expectStopped(scheduled: Scheduled, reason: string, paid: number): Promise<void> {
    expect(await runToEnd(bench, runner, scheduled)).toMatchObject({ state: 'stopped', reason })
    expect(await paidBy(scheduled)).toHaveLength(paid)
    expect(await noticesOf(scheduled)).toEqual([expect.objectContaining({ reason })])
  }

  async function expectEnds(scheduled: Scheduled, deposited = BALANCE): Promise<void> {
    await goOn(bench, scheduled)
    expect(await runToEnd(bench, runner, scheduled)).toMatchObject({ state: 'ended' })
    expect(await paidBy(scheduled)).toHaveLength(LINES.length)
    await expectSoundRuns(bench, scheduled, deposited)
  }

  it('when the balance does not suffice', async () => {
    const scheduled = await newSchedule(bench, { lines: LINES, balance: LINE_COST * 5n })
    await expectStopped(scheduled, 'balance', 5)
    await bench.deposit(scheduled.resellerId, BALANCE)
    await expectEnds(scheduled, LINE_COST * 5n + BALANCE)
  })

  it('when a price has risen', async () => {
    const scheduled = await newSchedule(bench, { lines: LINES, balance: BALANCE })
    bench.setWholesale({ ...PERCENTAGE, unitPrice: 99_000_000n })
    await expectStopped(scheduled, 'price', 0)
    bench.setCatalog()
    await expectEnds(scheduled)
  })

  it('when a product was withdrawn', async () => {
    const scheduled = await newSchedule(bench, { lines: LINES, balance: BALANCE })
    bench.setCatalog({ isActive: false })
    await expectStopped(scheduled, 'product', 0)
    bench.setCatalog()
    await expectEnds(scheduled)
  })

  it.each([
    ['was removed', `status = 'disabled'`],
    ['may not pay files any more', `role = 'cashier'`],
  ])('when its member %s', async (_, change) => {
    const scheduled = await newSchedule(bench, { lines: LINES, balance: BALANCE })
    await runner.runOnce()
    await bench.database.query(`update users set ${change} where id = $1`, [scheduled.memberId])
    await expectStopped(scheduled, 'member', 10)
    await expectEnds({ ...scheduled, memberId: await newMember(bench, scheduled.resellerId, 'admin') })
  })

  it('when the account takes payments by API key alone by then', async () => {
    const scheduled = await newSchedule(bench, { lines: LINES, balance: BALANCE })
    const findReseller = (id: bigint) => ({ ...bench.accountOf(id), topupRequiresApiKey: true })
    await runnerOf(node, { directory: { findReseller } }).runOnce()
    await expectStopped(scheduled, 'not_allowed', 0)
    await expectEnds(scheduled)
  })

  it('when its time was missed by a day', async () => {
    const scheduled = await newSchedule(bench, { lines: LINES, balance: BALANCE })
    await bench.database.query(
      `update batch_schedules set run_at = now() - interval '25 hours' where reseller_id = $1`,
      [scheduled.resellerId],
    )
    await expectStopped(scheduled, 'late', 0)
    await expectEnds(scheduled)
  })

  it('when nobody answers for an hour, and not before', async () => {
    const scheduled = await newSchedule(bench, { lines: LINES, balance: BALANCE })
    const silent = runnerOf(node, { payments: { pay: () => Promise.reject(new Error('no answer')) } })
    await silent.runOnce()
    expect(await readSchedule(bench, scheduled)).toMatchObject({ state: 'active' })
    await bench.database.query(
      `update batch_schedules set failing_since = now() - interval '61 minutes' where reseller_id = $1`,
      [scheduled.resellerId],
    )
    await expectStopped(scheduled, 'unavailable', 0)
    await expectEnds(scheduled)
  })
})

it('a schedule that a person stops pays no further line, also one that a node holds', async () => {
  const scheduled = await newSchedule(bench, { lines: LINES, balance: BALANCE })
  let paid = 0
  const stopping = runnerOf(node, {
    payments: {
      async pay(input) {
        paid += 1
        if (paid === 3) {
          await bench.database.transaction((tx) => stopActive(tx, scheduled.resellerId, scheduled.id))
        }
        return node.payments.pay(input)
      },
    },
  })
  await stopping.runOnce()
  expect(await paidBy(scheduled)).toHaveLength(3)
  await runner.runOnce()
  expect(await readSchedule(bench, scheduled)).toMatchObject({ state: 'stopped', reason: 'person' })
})

it('an identity number is sealed while it waits, is sent with its line, and goes when the schedule ends', async () => {
  const scheduled = await newSchedule(bench, { lines: [scheduledLine(1, { icNumber: '800101145678' })] })
  const sealed = async () =>
    (
      await bench.database.query<{ sealed_input: Buffer | null }>(
        'select sealed_input from batch_schedule_lines where reseller_id = $1',
        [scheduled.resellerId],
      )
    ).rows[0]?.sealed_input
  expect((await sealed())?.toString('latin1')).not.toContain('800101145678')
  const sent: unknown[] = []
  const watching = runnerOf(node, {
    payments: {
      pay(input) {
        sent.push(input.request.extras.icNumber)
        return node.payments.pay(input)
      },
    },
  })
  await runToEnd(bench, watching, scheduled)
  expect(sent).toEqual(['800101145678'])
  expect(await sealed()).toBeNull()
})
