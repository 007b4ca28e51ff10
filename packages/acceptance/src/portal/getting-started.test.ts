import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Demo } from '../catalog.ts'
import { shareDemo } from '../catalog.ts'
import { balanceOf } from '../edge.ts'
import { signInAs } from '../operator/operators.ts'
import { newRefid, reload } from '../payments.ts'
import type { Receiver } from '../receiver/receiver.ts'
import { startReceiver } from '../receiver/receiver.ts'
import { stopServices, until } from '../service.ts'
import type { Shop } from './members.ts'
import { dataOf, newMember, openShop } from './members.ts'
import { enrol, signInOperator } from './people.ts'

// The checklist of a new account, and the search of both sides.

let demo: Demo
let receiver: Receiver
let shop: Shop

beforeAll(async () => {
  receiver = await startReceiver()
  demo = await shareDemo()
  shop = await openShop(demo.service, '1000')
})
afterAll(() => stopServices())

type Checklist = { done: boolean; steps: { code: string; done_at: string | null; page: string }[] }

async function done(member = shop.admin): Promise<string[]> {
  const { steps } = dataOf<Checklist>(await member.get('/checklist'))
  return steps.filter((step) => step.done_at !== null).map(({ code }) => code)
}

describe('the checklist', () => {
  it('ticks each step when it was really done, and no other', async () => {
    const { admin, payer } = shop
    expect((await balanceOf(demo.service, payer.credentials)).status).toBe(200)
    await until('the signed call is ticked', async () => (await done()).includes('first_signed_call'))
    expect(await done()).toEqual(['key_made', 'first_signed_call'])
    await admin.send('POST', '/thresholds', { amount: '50.00' })
    expect(await done()).toEqual(['key_made', 'first_signed_call', 'low_balance_threshold'])
    await admin.send('PUT', '/endpoints/callback', { url: `${receiver.urls.secure}/in` })
    await payer.untilStatus(reload(), 'Succesful')
    await until('the callback is ticked', async () => (await done()).includes('callback_verified'))
    await admin.send('POST', '/ip-allowlist', {
      networks: ['0.0.0.0/1', '128.0.0.0/1'],
      password: admin.password,
    })
    await enrol(admin, admin.password)
    expect(await done()).toEqual([
      'key_made',
      'first_signed_call',
      'callback_verified',
      'first_payment',
      'second_factor',
      'low_balance_threshold',
      'allowlist',
    ])
    // Staging cannot be live, and a second factor protects its owner alone.
    expect(await done(shop.viewer)).not.toContain('second_factor')
    expect(dataOf<Checklist>(await admin.get('/checklist')).done).toBe(false)
  })
})

describe('the list of members', () => {
  it('says who has a second factor, and who was seen when', async () => {
    const guarded = await newMember(demo.service, shop.payer.account, 'viewer')
    await enrol(guarded, guarded.password)
    const { data } = (await shop.viewer.get('/members')).json<{
      data: { username: string; two_factor: boolean; last_seen_at: string | null }[]
    }>()
    const of = (username: string) => data.find((each) => each.username === username)
    expect(of(guarded.username)?.two_factor).toBe(true)
    expect(of(shop.viewer.username)).toMatchObject({ two_factor: false })
    expect(Date.parse(of(shop.viewer.username)?.last_seen_at ?? '')).toBeGreaterThan(Date.now() - 3_600_000)
  })
})

type Found = {
  payments: { id: string; refid: string; reseller?: string }[]
  products: { code: string }[]
  resellers: { account: string }[]
  providers: { code: string }[]
  cases: { number: string; refid: string }[]
}

describe('the search', () => {
  it('the search of the portal finds own payments by the beginning of refid or id, products and cases', async () => {
    const start = `find-${newRefid()}`
    const refids = [`${start}-a`, `${start}-b`, `${start}_%`]
    for (const refid of refids) await shop.payer.untilStatus(reload({ refid }), 'Succesful')
    const find = async (q: string) =>
      dataOf<Found>(await shop.viewer.get(`/search?q=${encodeURIComponent(q)}`))
    const byRefid = await find(start)
    expect(byRefid.payments.map(({ refid }) => refid)).toEqual(refids)
    expect((await find(`${start}_%`)).payments).toHaveLength(1)
    const [first] = byRefid.payments
    const opened = await shop.admin.send('POST', '/cases/disputes', { refid: first?.refid })
    expect(opened.status, opened.text).toBe(200)
    const byId = await find(String(first?.id))
    expect(byId.payments.map(({ id }) => id)).toEqual([first?.id])
    expect(byId.cases).toMatchObject([{ refid: first?.refid }])
    expect((await find(String(first?.id).slice(0, 17))).payments.map(({ id }) => id)).toContain(first?.id)
    expect((await find(String(byId.cases[0]?.number).toLowerCase())).cases).toEqual(byId.cases)
    expect((await find('nova')).products.map(({ code }) => code)).toContain('NOVA')
    await shop.payer.untilStatus(reload({ account: '013-555 0123', product: 'KITA' }), 'Succesful')
    for (const spelled of ['0135550123', '+60 (0)13-555 0123', '135550123', '60135550123']) {
      expect((await find(spelled)).payments, spelled).toMatchObject([{ account: '013-555 0123' }])
    }
    const rival = await openShop(demo.service, null)
    for (const q of [start, '60135550123']) {
      expect(dataOf<Found>(await rival.viewer.get(`/search?q=${q}`)).payments).toEqual([])
    }
    expect((await shop.viewer.get('/search?q=a')).status).toBe(400)
  })

  it('the search of operators finds a payment by refid, id and reference, and what else the role may read', async () => {
    const refid = newRefid()
    const account = '013-555 0124'
    const body = reload({ refid, account, product: 'KITA' })
    const { transaction_id: id } = await shop.payer.untilStatus(body, 'Succesful')
    const admin = await signInOperator(demo.service)
    const find = async (q: string, who = admin) =>
      dataOf<Found>(await who.get(`/search?q=${encodeURIComponent(q)}`))
    for (const q of [refid, id, `W${id}-1`, ` ${refid} `, '0135550124', '+60 13 555 0124']) {
      expect((await find(q)).payments, q).toMatchObject([{ id, refid, reseller: shop.payer.account }])
    }
    expect((await find(shop.payer.account)).resellers).toMatchObject([{ account: shop.payer.account }])
    expect((await find('NOVA')).products.map(({ code }) => code)).toContain('NOVA')
    const catalogue = await signInAs(demo.service, 'catalogue')
    expect((await find(refid, catalogue)).payments).toEqual([])
    expect((await find('NOVA', catalogue)).products).not.toEqual([])
  })
})
