import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Demo } from '../catalog.ts'
import { shareDemo } from '../catalog.ts'
import { newRefid, reload } from '../payments.ts'
import type { Member, Shop } from './members.ts'
import { dataOf, openShop } from './members.ts'

// Customers seldom remember the refid of a payment.

type Line = { refid: string; serial_number: string; pin: string }
type Found = { payments: { refid: string }[] }

let demo: Demo
let shop: Shop
let nova: Line
let voucher: Line

beforeAll(async () => {
  demo = await shareDemo()
  shop = await openShop(demo.service, '200')
  const paid = async (body: Record<string, unknown>) => {
    await shop.payer.pay(body)
    await shop.payer.untilStatus(body, 'Succesful')
    const [line] = dataOf<Line[]>(await shop.admin.get(`/payments?refid=${body.refid}`))
    if (line === undefined) throw new Error('the payment is not listed')
    return line
  }
  nova = await paid(reload({ account: '012-345 6781', amount: 30 }))
  voucher = await paid({ refid: newRefid(), product: 'PINTEN', account: 'Ali', amount: 10 })
  const favourite = { name: 'Uncle Lim', is_shared: true, product: 'NOVA', number: '60123456781' }
  dataOf(await shop.admin.send('POST', '/sell/favourites', favourite))
})
afterAll(() => demo?.end())

async function found(text: string, by: Member = shop.admin): Promise<string[]> {
  const { payments } = dataOf<Found>(await by.get(`/search?q=${encodeURIComponent(text)}`))
  return payments.map(({ refid }) => refid)
}

describe('one search finds a payment', () => {
  it.each<[string, () => string]>([
    ['the number as it was not written', () => '+60 12 345 6781'],
    ['the end of the number', () => '6781'],
    ['the end of the number with spaces', () => '345 6781'],
    ['the amount', () => 'RM 30.00'],
    ['the name of a favourite', () => 'uncle l'],
    ['the serial', () => nova.serial_number],
    ['the end of the serial', () => nova.serial_number.slice(-6).toLowerCase()],
    ['the beginning of the refid', () => nova.refid.slice(0, -2)],
  ])('by %s, and the list shows the same', async (_, text) => {
    expect(await found(text())).toContain(nova.refid)
    const listed = dataOf<Line[]>(await shop.viewer.get(`/payments?q=${encodeURIComponent(text())}`))
    expect(listed.map(({ refid }) => refid)).toContain(nova.refid)
  })

  it('by the end of its PIN, for those alone who may see PINs', async () => {
    const end = voucher.pin.replace(/[^0-9A-Za-z]/g, '').slice(-4)
    expect(await found(end)).toContain(voucher.refid)
    if (end !== voucher.serial_number.slice(-4))
      expect(await found(end, shop.viewer)).not.toContain(voucher.refid)
  })

  it('and none of another shop', async () => {
    const other = await openShop(demo.service, null)
    for (const text of ['6781', '60123456781', 'RM 30', nova.serial_number, nova.refid, 'Uncle Lim']) {
      expect(await found(text, other.admin)).toEqual([])
    }
  })
})

describe('a saved filter', () => {
  const view = { name: 'Failed', is_shared: false, query: 'status=failed%2Cpending' }

  it('is one’s own, or the shop’s', async () => {
    const { id } = dataOf<{ id: string }>(await shop.admin.send('POST', '/payment-filters', view))
    const names = async (member: Member) =>
      dataOf<{ name: string }[]>(await member.get('/payment-filters')).map(({ name }) => name)
    expect([await names(shop.admin), await names(shop.viewer)]).toEqual([['Failed'], []])
    dataOf(await shop.admin.send('POST', '/payment-filters', { ...view, name: 'Shop', is_shared: true }))
    expect(await names(shop.viewer)).toEqual(['Shop'])
    dataOf(await shop.admin.send('DELETE', `/payment-filters/${id}`))
    expect(await names(shop.admin)).toEqual(['Shop'])
  })

  it.each(['', 'limit=5', 'status=', 'javascript:alert(1)', 'q=a b', `q=${'x'.repeat(500)}`])(
    'has no query %j',
    async (query) => {
      expect((await shop.admin.send('POST', '/payment-filters', { ...view, query })).status).toBe(400)
    },
  )

  it('is refused past twenty', async () => {
    const { admin } = await openShop(demo.service, null)
    for (let index = 0; index < 20; index += 1) dataOf(await admin.send('POST', '/payment-filters', view))
    expect((await admin.send('POST', '/payment-filters', view)).status).toBe(409)
  })
})
