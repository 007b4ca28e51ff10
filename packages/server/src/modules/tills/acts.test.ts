import { afterAll, beforeAll, expect, it } from 'vitest'
import { payWith } from '../../testing/payments/payments.ts'
import type { TillsBench } from '../../testing/tills.ts'
import { openTillsBench } from '../../testing/tills.ts'
import { findShiftDetails, findTillOfBrowser, maySellNow } from './service.ts'

let bench: TillsBench

beforeAll(async () => {
  bench = await openTillsBench()
})
afterAll(() => bench.close())

it('a browser is one till, and a till one browser: the last that was chosen', async () => {
  const shop = await bench.newShop()
  const first = await shop.newTill()
  const second = await shop.newTill()
  const tillOf = (secret: string) => findTillOfBrowser(bench.database, shop.id, secret)
  expect((await tillOf(first.browser))?.id).toBe(first.id)
  expect((await tillOf(second.browser))?.id).toBe(second.id)
  expect(await tillOf('another')).toBeUndefined()
  const other = await bench.newShop()
  expect(await findTillOfBrowser(bench.database, other.id, first.browser)).toBeUndefined()
})

it('a shift is opened at the till of the browser alone', async () => {
  const shop = await bench.newShop()
  const cashier = await shop.newPerson()
  const stranger = { id: 0n, browser: 'a secret that nobody gave' }
  await expect(shop.open(cashier, stranger)).rejects.toMatchObject({ status: 409, code: 'no_till' })
})

it('names of branches are unique in whatever letters', async () => {
  const shop = await bench.newShop()
  await shop.newTill('Jalan Ampang')
  await expect(shop.newTill('JALAN ampang')).rejects.toMatchObject({ status: 409, code: 'name_taken' })
})

it('a shift is closed by its people or a manager, and by no other cashier', async () => {
  const shop = await bench.newShop()
  const [cashier, other, manager] = [
    await shop.newPerson(),
    await shop.newPerson(),
    await shop.newPerson('manager'),
  ]
  const { id } = await shop.open(cashier, await shop.newTill())
  await expect(shop.close(other, id)).rejects.toMatchObject({ status: 404 })
  await expect(shop.move(other, id, 'pay_out', '1.00')).rejects.toMatchObject({ status: 404 })
  const { end } = await shop.close(manager, id)
  expect(end?.closedBy).toBe(manager.userId)
  await expect(shop.move(cashier, id, 'pay_in', '1.00')).rejects.toMatchObject({ code: 'shift_closed' })
})

it('a report names who sold what, and what was taken back after it, and its sums stay', async () => {
  const shop = await bench.newShop()
  const [first, second] = [await shop.newPerson(), await shop.newPerson()]
  const till = await shop.newTill()
  const node = bench.openNode()
  const { id } = await shop.open(first, till, '100.00')
  await shop.join(second, till)
  const sell = (memberId: bigint, category: string) =>
    payWith(node, shop.id, { memberId: String(memberId), category, cost: 9_000n, amount: 10_000n })
  await sell(first.userId, 'GAMES')
  const lost = await sell(second.userId, 'BILLS')
  await shop.move(second, id, 'not_cash', '0.50')
  await shop.move(first, id, 'pay_out', '20.00')
  const { end } = await shop.close(first, id, '81.00')
  expect(end).toMatchObject({ expected: 815_000n, counted: 810_000n, number: 1 })
  const outcome = { kind: 'failed', code: 48, reason: 'no' } as const
  await node.resolver.submit({ resellerId: shop.id, id: lost.id, nextMs: 0, outcome })
  const details = await findShiftDetails(bench.database, shop.id, id)
  expect(details?.sales.map(({ memberId, category, faceValue }) => [memberId, category, faceValue])).toEqual([
    [first.userId, 'GAMES', 10_000n],
    [second.userId, 'BILLS', 10_000n],
  ])
  expect(details?.takenBack.map((each) => [each.id, each.memberId])).toEqual([[lost.id, second.userId]])
})

it('a member sells without a shift unless the owner asks for one', async () => {
  const shop = await bench.newShop()
  const cashier = await shop.newPerson()
  const may = () => maySellNow(bench.database, shop.id, cashier.userId)
  expect(await may()).toBe(true)
  await bench.database.query('insert into till_settings values ($1, true)', [shop.id])
  expect(await may()).toBe(false)
  await shop.open(cashier, await shop.newTill())
  expect(await may()).toBe(true)
})
