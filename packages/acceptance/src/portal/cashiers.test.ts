import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Demo } from '../catalog.ts'
import { shareDemo } from '../catalog.ts'
import { newRefid, reload } from '../payments.ts'
import type { Listed, Member, Shop } from './members.ts'
import { dataOf, newMember, openShop } from './members.ts'

type Row = { id: string; refid: string; sold_by: { kind: string; name: string } | null }

let demo: Demo
let shop: Shop
let manager: Member
let cashier: Member
let accountant: Member

beforeAll(async () => {
  demo = await shareDemo()
  shop = await openShop(demo.service, '200')
  ;[manager, cashier, accountant] = (await Promise.all(
    (['manager', 'cashier', 'accountant'] as const).map((role) =>
      newMember(demo.service, shop.payer.account, role),
    ),
  )) as [Member, Member, Member]
})
afterAll(() => demo?.end())

let number = 60_132_000_000

async function sell(by: Member): Promise<{ id: string; refid: string }> {
  number += 1
  const body = { product: 'KITA', account: String(number), amount: '5', refid: newRefid() }
  const { transaction_id: id } = dataOf<{ transaction_id: string }>(
    await by.send('POST', '/sell/payments', body),
  )
  return { id, refid: body.refid }
}

async function listedTo(by: Member): Promise<Row[]> {
  return (await by.get('/payments')).json<Listed>().data as unknown as Row[]
}

describe('a cashier', () => {
  it('sees what they sold themselves, in lists, totals, searches and by its id', async () => {
    const [own, foreign] = [await sell(cashier), await sell(manager)]
    expect((await listedTo(cashier)).map(({ id }) => id)).toContain(own.id)
    expect((await listedTo(cashier)).map(({ id }) => id)).not.toContain(foreign.id)
    expect((await listedTo(manager)).map(({ id }) => id)).toEqual(
      expect.arrayContaining([own.id, foreign.id]),
    )
    const { payments } = dataOf<{ payments: number }>(await cashier.get('/payments/totals'))
    expect(payments).toBe((await listedTo(cashier)).length)
    expect((await cashier.get(`/payments?member=${foreign.id}`)).json<Listed>().data.length).toBe(payments)
    expect((await cashier.get(`/payments?refid=${foreign.refid}`)).json<Listed>().data).toEqual([])
    expect((await cashier.get(`/payments/${own.id}`)).status).toBe(200)
    expect((await cashier.get(`/payments/${foreign.id}`)).status).toBe(404)
    const found = dataOf<{ payments: Row[] }>(await cashier.get(`/search?q=${foreign.refid}`))
    expect(found.payments).toEqual([])
    const statuses = await cashier.send('POST', '/payments/statuses', { refids: [own.refid, foreign.refid] })
    expect(dataOf<{ payment: Row | null }[]>(statuses).map(({ payment }) => payment?.id)).toEqual([
      own.id,
      undefined,
    ])
  })

  it('is told nothing about a payment of somebody else by sending its refid again, nor by its receipt', async () => {
    const foreign = await sell(shop.admin)
    const again = { product: 'KITA', account: '60132345678', amount: '5', refid: foreign.refid }
    const answer = await cashier.send('POST', '/sell/payments', again)
    expect([answer.status, answer.json<{ error: string }>().error]).toEqual([403, 'foreign_payment'])
    expect(answer.text).not.toContain(foreign.id)
    expect((await cashier.get(`/receipts/${foreign.id}`)).status).toBe(404)
  })

  it('is not given another member’s payments by an API key of the same number', async () => {
    const { refid } = await shop.payer.untilStatus(reload(), 'Succesful')
    expect((await cashier.get(`/payments?refid=${refid}`)).json<Listed>().data).toEqual([])
  })
})

describe('a payment', () => {
  it('names who sold it in list, page and file: a member by the name, a key by its label', async () => {
    await shop.payer.untilStatus(reload(), 'Succesful')
    const { id } = await sell(cashier)
    const seller = { kind: 'member', name: cashier.username }
    expect((await listedTo(shop.admin)).find((row) => row.id === id)?.sold_by).toEqual(seller)
    expect(dataOf<Row>(await accountant.get(`/payments/${id}`)).sold_by).toEqual(seller)
    const lines = (await accountant.get('/payments.csv')).text.split('\r\n')
    expect(lines[0]).toMatch(/,sold_by$/)
    expect(lines.find((line) => line.startsWith(id))).toMatch(new RegExp(`,${cashier.username}$`))
    const keys = (await listedTo(shop.admin)).filter(({ sold_by: by }) => by?.kind === 'key')
    expect(keys.length).toBeGreaterThan(0)
    expect(keys.every(({ sold_by: by }) => by?.name !== '')).toBe(true)
  })

  it('is found by its member', async () => {
    await sell(cashier)
    const { id } = dataOf<{ id: string }>(await cashier.get('/session'))
    const rows = (await manager.get(`/payments?member=${id}`)).json<Listed>().data as unknown as Row[]
    expect(rows.length).toBeGreaterThan(0)
    expect(rows.every((row) => row.sold_by?.name === cashier.username)).toBe(true)
  })
})
