import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Demo } from '../catalog.ts'
import { shareDemo } from '../catalog.ts'
import type { Answer } from '../http.ts'
import { newRefid } from '../payments.ts'
import { until } from '../service.ts'
import type { Listed, Member, Shop } from './members.ts'
import { dataOf, newMember, openShop } from './members.ts'
import type { Till } from './tills.ts'
import { at, newTill } from './tills.ts'

type Shift = {
  id: string
  float: string
  end: { number: number; expected: string; difference: string } | null
}
type Report = {
  shift: Shift
  people: string[]
  total: { payments: number; sales: string } | null
  categories: { code: string; sales: string }[]
}

let demo: Demo
let shop: Shop
let manager: Member
let cashier: Member
let other: Member
let till: Till

beforeAll(async () => {
  demo = await shareDemo()
  shop = await openShop(demo.service, '200')
  const { account } = shop.payer
  manager = await newMember(demo.service, account, 'manager')
  cashier = await newMember(demo.service, account, 'cashier')
  other = await newMember(demo.service, account, 'cashier')
  till = await newTill(manager)
})
afterAll(() => demo?.end())

let number = 60_131_000_000

function sell(by: Member) {
  number += 1
  const body = { product: 'KITA', account: String(number), amount: '5', refid: newRefid() }
  return by.send('POST', '/sell/payments', body)
}

const saidBy = ({ status, text }: Answer) => `${status} ${text}`
const NO_TILL = /^409 .*no till/

it('a shift is opened at the till of the browser, and its Z report has what its people sold', async () => {
  expect(saidBy(await cashier.send('POST', '/shifts', { float: '50.00' }))).toMatch(NO_TILL)
  const { id } = dataOf<Shift>(await cashier.send('POST', '/shifts', { float: '50.00' }, at(till, cashier)))
  dataOf(await sell(cashier))
  dataOf(await other.send('POST', '/shifts/join', undefined, at(till, other)))
  dataOf(await sell(other))
  dataOf(await sell(manager))
  const taken = { kind: 'pay_out', amount: '2.50', reason: 'Ice' }
  dataOf(await cashier.send('POST', `/shifts/${id}/movements`, taken))
  // Sales are told when the cash has been counted.
  expect(dataOf<Report>(await cashier.get(`/shifts/${id}`)).total).toBeNull()
  const closed = dataOf<Shift>(await cashier.send('POST', `/shifts/${id}/close`, { counted: '57.00' }))
  expect(closed.end).toMatchObject({ number: 1, expected: '57.50', difference: '-0.50' })
  const report = dataOf<Report>(await manager.get(`/shifts/${id}`))
  expect(report.total).toEqual({ payments: 2, sales: '10.00' })
  expect(report.people).toEqual([cashier.username, other.username])
  expect(report.categories.map(({ sales }) => sales)).toEqual(['10.00'])
  expect(saidBy(await cashier.send('POST', `/shifts/${id}/close`, { counted: '1.00' }))).toMatch(
    /^409 .*closed, for good/,
  )
})

it('reports tell sales by till and branch, and what was sold in no shift', async () => {
  type Lines = { total: { sales: string }; lines: { key: string; name: string | null; sales: string }[] }
  const report = async (by: string) => dataOf<Lines>(await manager.get(`/reports/sales?by=${by}`))
  const { lines, total } = await report('till')
  expect(total.sales).toBe('15.00')
  expect(lines.map(({ key, sales }) => [key, sales])).toEqual([
    [till.id, '10.00'],
    ['', '5.00'],
  ])
  expect(lines[0]?.name).toMatch(/^Branch \d+, Till 1$/)
  expect((await report('branch')).lines.map(({ key, sales }) => [key, sales])).toEqual([
    [till.branchId, '10.00'],
    ['', '5.00'],
  ])
  const file = await manager.get('/reports/sales.csv?by=branch')
  expect(file.text).toMatch(new RegExp(`^${till.branchId},Branch \\d+,2,`, 'm'))
})

it('a cashier sees the shifts in which they sold, and neither tills nor shifts of others', async () => {
  const { id } = dataOf<Shift>(await manager.send('POST', '/shifts', { float: '0.00' }, at(till, manager)))
  const listed = (await cashier.get('/shifts')).json<Listed>().data.map((each) => each.id)
  expect(listed).not.toContain(id)
  expect(listed.length).toBeGreaterThan(0)
  expect((await cashier.get(`/shifts/${id}`)).status).toBe(404)
  expect((await cashier.send('POST', `/shifts/${id}/close`, { counted: '0.00' })).status).toBe(404)
  expect((await shop.viewer.get('/shifts')).json<Listed>().data.map((each) => each.id)).toContain(id)
  dataOf(await shop.admin.send('POST', `/shifts/${id}/close`, { counted: '0.00' }))
})

it('a sale without a shift is refused where the owner asks for one, and an earlier payment is answered all the same', async () => {
  const body = { product: 'KITA', account: '60131999999', amount: '5', refid: newRefid() }
  const { transaction_id } = dataOf<{ transaction_id: string }>(
    await cashier.send('POST', '/sell/payments', body),
  )
  dataOf(await shop.admin.send('PUT', '/till-settings', { requires_shift: true }))
  expect(saidBy(await sell(cashier))).toMatch(/^403 .*shift_required/)
  expect(dataOf(await cashier.send('POST', '/sell/payments', body))).toMatchObject({ transaction_id })
  const { id } = dataOf<Shift>(await cashier.send('POST', '/shifts', { float: '0.00' }, at(till, cashier)))
  dataOf(await sell(cashier))
  await cashier.send('POST', `/shifts/${id}/close`, { counted: '5.00' })
  dataOf(await shop.admin.send('PUT', '/till-settings', { requires_shift: false }))
})

it('a till is another browser’s when a manager says so, and a name is there once', async () => {
  const again = await newTill(manager)
  expect(saidBy(await manager.send('POST', '/tills', { branch_id: again.branchId, name: 'till 1' }))).toMatch(
    /^409 .*called till 1 already/,
  )
  await shop.admin.send('POST', `/tills/${again.id}/browser`)
  expect(saidBy(await cashier.send('POST', '/shifts', { float: '0.00' }, at(again, cashier)))).toMatch(
    NO_TILL,
  )
  const retired = await manager.send('PATCH', `/branches/${again.branchId}`, { is_retired: true })
  expect(dataOf<{ is_retired: boolean }>(retired).is_retired).toBe(true)
  await until('the shop lists its places', async () => {
    const { branches } = dataOf<{ branches: { id: string }[] }>(await manager.get('/tills'))
    return branches.some(({ id }) => id === again.branchId) ? branches : undefined
  })
})
