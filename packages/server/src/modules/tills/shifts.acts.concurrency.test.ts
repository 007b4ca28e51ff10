import { afterAll, beforeAll, expect, it } from 'vitest'
import { payWith } from '../../testing/payments/payments.ts'
import type { BoundTill, TillsBench } from '../../testing/tills.ts'
import { openTillsBench } from '../../testing/tills.ts'
import { findShiftDetails } from './service.ts'

let bench: TillsBench

beforeAll(async () => {
  bench = await openTillsBench()
})
afterAll(() => bench.close())

const settled = async (work: readonly Promise<unknown>[]) =>
  (await Promise.allSettled(work))
    .map((each) => (each.status === 'fulfilled' ? 'done' : each.reason.code))
    .sort()

it('one of ten closes at once makes the Z report, and the others are told that the shift is closed', async () => {
  const shop = await bench.newShop()
  const till = await shop.newTill()
  const cashier = await shop.newPerson()
  const { id } = await shop.open(cashier, till)
  const ends = await settled(Array.from({ length: 10 }, () => shop.close(cashier, id)))
  expect(ends).toEqual(['done', ...Array.from({ length: 9 }, () => 'shift_closed')])
  expect((await shop.close(cashier, (await shop.open(cashier, till)).id)).end?.number).toBe(2)
})

it('one of ten people who open a shift at one till at once has it', async () => {
  const shop = await bench.newShop()
  const till = await shop.newTill()
  const people = await Promise.all(Array.from({ length: 10 }, () => shop.newPerson()))
  const ends = await settled(people.map((person) => shop.open(person, till)))
  expect(ends).toEqual(['done', ...Array.from({ length: 9 }, () => 'shift_open')])
})

it('a person who opens shifts at ten tills at once is in one', async () => {
  const shop = await bench.newShop()
  const tills: BoundTill[] = []
  for (let count = 0; count < 10; count += 1) tills.push(await shop.newTill())
  const cashier = await shop.newPerson()
  const ends = await settled(tills.map((till) => shop.open(cashier, till)))
  expect(ends).toEqual(['done', ...Array.from({ length: 9 }, () => 'in_shift')])
})

it('fifty sales that race with the close of a shift are in its report or behind it, and none in both or between', async () => {
  const shop = await bench.newShop()
  const till = await shop.newTill()
  const cashier = await shop.newPerson()
  const node = bench.openNode()
  const change = { memberId: String(cashier.userId), category: 'A', cost: 10_000n }
  const first = await shop.open(cashier, till)
  const reopened = shop.close(cashier, first.id).then(() => shop.open(cashier, till))
  await Promise.all(Array.from({ length: 50 }, () => payWith(node, shop.id, change)))
  const second = await reopened
  await payWith(node, shop.id, change)
  await shop.close(cashier, second.id)
  const soldIn = async (id: bigint) =>
    (await findShiftDetails(bench.database, shop.id, id))?.sales.reduce(
      (sum, sale) => sum + sale.payments,
      0n,
    ) ?? 0n
  const { rows } = await bench.database.query<{ between: bigint }>(
    `select count(*) as between from payments
      where reseller_id = $1 and id >= $2::bigint << 20 and id < $3::bigint << 20`,
    [
      shop.id,
      (await findShiftDetails(bench.database, shop.id, first.id))?.shift.end?.closedMs,
      second.openedMs,
    ],
  )
  expect((await soldIn(first.id)) + (await soldIn(second.id)) + (rows[0]?.between ?? 0n)).toBe(51n)
})

it('a close waits for a sale that is under way, and its moment is over when it ends', async () => {
  const shop = await bench.newShop()
  const cashier = await shop.newPerson()
  const { id } = await shop.open(cashier, await shop.newTill())
  const node = bench.openNode()
  let isClosed = false
  const closing = await bench.database.transaction(async (tx) => {
    await tx.query('select * from hold_wallet($1)', [shop.id])
    const close = shop.close(cashier, id).then((shift) => {
      isClosed = true
      return shift
    })
    await until(async () => {
      const { rows } = await bench.database.query(
        `select from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock' and query like '%dividing_moment%'`,
      )
      return rows.length > 0
    })
    expect(isClosed).toBe(false)
    return { close }
  })
  const { end } = await closing.close
  const { rows } = await bench.database.query<{ now: bigint }>(
    'select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as now',
  )
  expect(end?.closedMs).toBeLessThanOrEqual(rows[0]?.now ?? 0n)
  const later = await payWith(node, shop.id, { memberId: String(cashier.userId), category: 'A' })
  expect(later.id >> 20n).toBeGreaterThanOrEqual(end?.closedMs ?? 0n)
})

/** Waits for a condition. */
async function until(holds: () => Promise<boolean>): Promise<void> {
  const deadlineMs = performance.now() + 30_000
  while (!(await holds())) {
    if (performance.now() > deadlineMs) throw new Error('nothing waits for the wallet')
  }
}
