import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Demo, DemoNode } from '../catalog.ts'
import { openDemo } from '../catalog.ts'
import { TRUST_TEST_PROXY } from '../clients.ts'
import type { Page } from '../live.ts'
import { openPage } from '../live.ts'
import { hireOperator, signInAs } from '../operator/operators.ts'
import type { PayBody } from '../payments.ts'
import { deposit, payerAt, reload } from '../payments.ts'
import type { Shop } from './members.ts'
import { dataOf, newMember, openShop } from './members.ts'
import type { Browser } from './people.ts'
import { signIn } from './people.ts'

// Pages that are told of changes as they happen. Two processes serve one database.

let demo: Demo
let other: DemoNode
let shop: Shop
const pages: Page[] = []

beforeAll(async () => {
  demo = await openDemo(TRUST_TEST_PROXY)
  other = await demo.startAnother()
  shop = await openShop(demo.service, '1000')
})
afterAll(() => demo?.end())
afterEach(() => {
  for (const page of pages.splice(0)) page.close()
})

async function open(
  node: DemoNode,
  browser: Pick<Browser, 'side' | 'secret'>,
  lastId?: string,
): Promise<Page> {
  const page = await openPage(node.service.baseUrl, browser, lastId)
  pages.push(page)
  if (page.status === 200) await page.message('hello')
  return page
}

/** Pays through the other process, and returns the refid. */
async function payElsewhere({ payer }: Shop, changes: PayBody = {}): Promise<string> {
  const body = reload(changes)
  const { account, credentials } = payer
  await payerAt(other.service, { account, ...credentials }).untilStatus(body, 'Succesful')
  return String(body.refid)
}

describe('the pages of an account', () => {
  it('are told of a payment that another process took, on every process, with the balance that it left', async () => {
    const here = await open(demo, shop.viewer)
    const there = await open(other, shop.admin)
    const second = await open(demo, shop.viewer)
    const refid = await payElsewhere(shop)
    for (const page of [here, there, second]) {
      const payment = await page.message(
        'payment',
        (data) => data.refid === refid && data.status === 'successful',
      )
      expect(payment).toMatchObject({ code: 20, product: 'NOVA', account: '60123456789', cost: '9.70' })
      const { balance } = await page.message('balance')
      expect(balance).toMatch(/^\d+\.\d{2,4}$/)
    }
  })

  it('are told which products do not work as soon as they are there', async () => {
    const page = await open(demo, shop.viewer)
    const { interruptions } = dataOf<{ interruptions: unknown[] }>(await shop.viewer.get('/overview'))
    expect(await page.message('network')).toEqual({ interruptions })
  })

  it('miss nothing when they connect again, also to another process', async () => {
    const page = await open(demo, shop.viewer)
    const before = await payElsewhere(shop)
    await page.message('payment', (data) => data.refid === before)
    page.close()
    const missed = [await payElsewhere(shop), await payElsewhere(shop), await payElsewhere(shop)]
    for (const node of [demo, other]) {
      const again = await open(node, shop.viewer, page.lastId())
      expect(await again.message('hello')).toEqual({ resumed: true })
      for (const refid of missed) await again.message('payment', (data) => data.refid === refid)
      const after = await payElsewhere(shop)
      await again.message('payment', (data) => data.refid === after)
    }
  })

  it('the pages of an account that were away for too long, or come from elsewhere, are told to read everything again', async () => {
    for (const lastId of ['999999999', 'nonsense']) {
      const page = await open(demo, shop.viewer, lastId)
      expect(await page.message('reset')).toEqual({ reason: 'lost' })
      expect(await page.message('hello')).toEqual({ resumed: false })
    }
    const busy = await openShop(demo.service, '10')
    const first = await open(demo, busy.viewer, '0')
    await first.message('hello')
    await deposit(demo.service, busy.payer.account, '5')
    await first.message('balance', ({ balance }) => balance === '15.00')
  })

  it('are never told of another account', async () => {
    const rival = await openShop(demo.service, '100')
    const theirs = await open(demo, rival.viewer)
    const ours = await payElsewhere(shop)
    const own = await payElsewhere(rival)
    await theirs.message('payment', (data) => data.refid === own)
    expect(JSON.stringify(theirs.messages)).not.toContain(ours)
    const again = await open(other, rival.viewer, '0')
    await again.message('payment', (data) => data.refid === own)
    expect(JSON.stringify(again.messages)).not.toContain(ours)
  })

  it('are told of cases and deposits', async () => {
    const page = await open(demo, shop.viewer)
    const refid = await payElsewhere(shop)
    const opened = await shop.admin.send('POST', '/cases/disputes', { refid })
    expect(opened.status, opened.text).toBe(200)
    expect(await page.message('case', (data) => data.refid === refid)).toMatchObject({
      kind: 'dispute',
      state: 'open',
    })
  })
})

describe('a live connection', () => {
  it('ends when its session is ended', async () => {
    const member = await newMember(demo.service, shop.payer.account, 'viewer')
    const page = await open(demo, member)
    expect((await member.send('DELETE', '/session')).status).toBeLessThan(300)
    expect(await page.message('bye')).toEqual({ reason: 'session_ended' })
    await page.untilEnded()
    expect((await openPage(demo.service.baseUrl, member)).status).toBe(401)
  })

  it('ends when the role of its person changes', async () => {
    const member = await newMember(demo.service, shop.payer.account, 'viewer')
    const page = await open(other, member)
    const { data } = (await shop.admin.get('/members')).json<{ data: { id: string; username: string }[] }>()
    const id = data.find(({ username }) => username === member.username)?.id
    expect((await shop.admin.send('PATCH', `/members/${id}`, { role: 'admin' })).status).toBe(200)
    expect(await page.message('bye')).toEqual({ reason: 'session_ended' })
  })

  it('is one of ten at most of a session, and a place is free again when one is closed', async () => {
    const member = await newMember(demo.service, shop.payer.account, 'viewer')
    const ten: Page[] = []
    for (let n = 0; n < 10; n += 1) ten.push(await open(demo, member))
    expect(ten.map(({ status }) => status)).toEqual(Array(10).fill(200))
    const refused = await member.get('/live')
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '10'])
    ten[0]?.close()
    await expect.poll(async () => (await member.get('/live')).status).toBe(200)
  })
})

describe('the pages of operators', () => {
  it('are told of requests, cases and payments that their role may read, and of no others', async () => {
    const finance = await signIn(demo.service, 'operator', await hireOperator(demo.service, 'finance'))
    const [admin, support, catalogue] = [
      await open(demo, await signInAs(demo.service, 'admin')),
      await open(other, await signInAs(demo.service, 'support')),
      await open(demo, await signInAs(demo.service, 'catalogue')),
    ]
    // The demo's shop has one.
    expect(await admin.message('stuck')).toEqual({ count: 1 })
    const { providers } = (await admin.message('providers')) as { providers: { state: string }[] }
    expect(new Set(providers.map(({ state }) => state))).toEqual(new Set(['closed']))
    const refid = await payElsewhere(shop)
    const opened = await shop.admin.send('POST', '/cases/disputes', { refid })
    expect(opened.status, opened.text).toBe(200)
    const asked = await finance.send('POST', '/deposits', {
      account: shop.payer.account,
      amount: '10.00',
      remarks: 'Bank transfer',
      reason: `slip of ${refid}`,
    })
    expect(asked.status, asked.text).toBeLessThan(300)
    for (const page of [admin, support]) {
      await page.message('case', ({ state }) => state === 'open')
      await page.message('payments', ({ changed }) => (changed as unknown[]).length > 0)
    }
    await admin.message('approval', ({ change, kind }) => change === 'requested' && kind === 'deposit')
    const heard = (page: Page) => new Set(page.messages.map(({ event }) => event))
    expect(heard(support)).not.toContain('approval')
    for (const event of ['case', 'payments', 'approval', 'stuck']) {
      expect(heard(catalogue)).not.toContain(event)
    }
  })

  it('are told of the cases that they missed', async () => {
    const admin = await signInAs(demo.service, 'admin')
    const page = await open(demo, admin)
    await expect.poll(() => page.lastId()).toBeDefined()
    page.close()
    const refid = await payElsewhere(shop)
    await shop.admin.send('POST', '/cases/disputes', { refid })
    const again = await open(other, admin, page.lastId())
    expect(await again.message('hello')).toEqual({ resumed: true })
    expect(await again.message('payments', ({ more }) => more === true)).toEqual({ changed: [], more: true })
    await again.message('case')
  })
})

describe('a process that stops', () => {
  it('tells its pages to connect again, and waits for none of them', async () => {
    const third = await demo.startAnother()
    const page = await open(third, shop.viewer)
    const code = await third.service.stop()
    expect(code).toBe(0)
    expect(await page.message('bye')).toEqual({ reason: 'stopping' })
    await page.untilEnded()
    const again = await open(demo, shop.viewer, page.lastId())
    expect(await again.message('hello')).toEqual({ resumed: true })
  })
})
