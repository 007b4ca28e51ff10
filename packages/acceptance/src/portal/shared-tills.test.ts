import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Demo } from '../catalog.ts'
import { shareDemo } from '../catalog.ts'
import { expectForbidden } from '../edge.ts'
import type { Answer } from '../http.ts'
import { newRefid } from '../payments.ts'
import type { Member, Shop } from './members.ts'
import { dataOf, newMember, openShop } from './members.ts'
import type { Browser } from './people.ts'
import { browserOf, call, cookieIn } from './people.ts'

const PIN = '482913'

let demo: Demo
let shop: Shop
let manager: Member
let cashier: Member

beforeAll(async () => {
  demo = await shareDemo()
  shop = await openShop(demo.service, '100')
  ;[manager, cashier] = (await Promise.all(
    (['manager', 'cashier'] as const).map((role) => newMember(demo.service, shop.payer.account, role)),
  )) as [Member, Member]
  for (const member of [shop.admin, cashier]) {
    expect((await member.send('PUT', '/pin', { pin: PIN })).status).toBe(204)
  }
})
afterAll(() => demo?.end())

type Till = { readonly id: string; readonly cookie: string; readonly attributes: string }

async function openTill(by: Member): Promise<Till> {
  const answer = await by.send('POST', '/shared-tills', { name: 'Kaunter 1', idle_seconds: 60 })
  const { id } = dataOf<{ id: string }>(answer)
  const [attributes = ''] = answer.headers['set-cookie'] ?? []
  return { id, cookie: attributes.split(';')[0] ?? '', attributes }
}

async function idOf(member: Member): Promise<string> {
  return dataOf<{ id: string }>(await member.get('/session')).id
}

function takeOver(
  cookie: string,
  id: string,
  pin = PIN,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const body = { member_id: id, pin }
  return call(demo.service, 'POST', '/portal/v1/shared-till/session', body, { Cookie: cookie, ...headers })
}

async function atTill(till: Till, member: Member): Promise<Browser> {
  const answer = await takeOver(till.cookie, await idOf(member))
  expect(answer.status, answer.text).toBe(200)
  return browserOf(demo.service, 'portal', answer)
}

describe('a shared till', () => {
  it('is a browser with a cookie that pages cannot read, and tells nobody else who has a PIN', async () => {
    const till = await openTill(manager)
    expect(till.attributes).toMatch(/^warung_member_till=[\w-]{43}; .*HttpOnly; SameSite=Lax/)
    const here = await call(demo.service, 'GET', '/portal/v1/shared-till', undefined, { Cookie: till.cookie })
    const { name, people } = dataOf<{ name: string; people: { name: string }[] }>(here)
    expect([name, people.map((each) => each.name).sort()]).toEqual([
      'Kaunter 1',
      [shop.admin.username, cashier.username].sort(),
    ])
    expect((await call(demo.service, 'GET', '/portal/v1/shared-till')).status).toBe(204)
    expect((await takeOver('', await idOf(cashier))).json<{ error: string }>().error).toBe('not_shared_till')
    const foreign = { Origin: 'https://elsewhere.example' }
    expectForbidden(await takeOver(till.cookie, await idOf(cashier), PIN, foreign), 'foreign_origin')
  })

  it('lets a person take over from the one before, whose session ends', async () => {
    const till = await openTill(manager)
    const first = await atTill(till, cashier)
    const both = `${till.cookie}; warung_member=${first.secret}`
    const second = await takeOver(both, await idOf(shop.admin))
    expect(second.status).toBe(200)
    expect(cookieIn(second, 'portal')).not.toBe(first.secret)
    expect((await first.get('/session')).status).toBe(401)
  })

  it('ends for whoever is there when it is closed, and an owner sees who is locked and ends it', async () => {
    const till = await openTill(manager)
    const there = await atTill(till, cashier)
    for (let wrong = 0; wrong < 5; wrong += 1) {
      const answer = await takeOver(till.cookie, await idOf(cashier), '739105')
      expect([answer.status, answer.json<{ error: string }>().error]).toEqual([401, 'invalid_pin'])
    }
    expectForbidden(await takeOver(till.cookie, await idOf(cashier)), 'pin_locked')
    const listed = dataOf<{ id: string; locked: string[] }[]>(await shop.admin.get('/shared-tills'))
    expect(listed.find(({ id }) => id === till.id)?.locked).toEqual([cashier.username])
    expect((await shop.admin.send('DELETE', `/shared-tills/${till.id}/locks`, {})).status).toBe(204)
    await atTill(till, cashier)
    expect((await manager.send('DELETE', `/shared-tills/${till.id}`)).status).toBe(204)
    expect((await there.get('/session')).status).toBe(401)
    expect((await takeOver(till.cookie, await idOf(cashier))).status).toBe(401)
  })
})

describe('an owner who came in by PIN', () => {
  it('sells under their own name and sees what a cashier sees', async () => {
    const owner = await atTill(await openTill(manager), shop.admin)
    const session = dataOf<Record<string, unknown>>(await owner.get('/session'))
    expect(session).toMatchObject({
      role: 'cashier',
      is_by_pin: true,
      shared_till: { name: 'Kaunter 1', idle_seconds: 60 },
    })
    const body = { product: 'KITA', account: '60132000001', amount: '5', refid: newRefid() }
    const { transaction_id: id } = dataOf<{ transaction_id: string }>(
      await owner.send('POST', '/sell/payments', body),
    )
    const sold = dataOf<{ sold_by: unknown }>(await manager.get(`/payments/${id}`))
    expect(sold.sold_by).toEqual({ kind: 'member', name: shop.admin.username })
    for (const path of ['/statement', '/members', '/api-keys', '/payments.csv', '/sessions', '/passkeys']) {
      expectForbidden(await owner.get(path), 'insufficient_role')
    }
  })

  it('gives no proof and changes no access, also with the right password', async () => {
    const owner = await atTill(await openTill(manager), shop.admin)
    const { password } = shop.admin
    const changes: [string, string, object][] = [
      ['POST', '/session/proof', { password }],
      ['POST', '/password', { current_password: password, password: 'a new and longer one' }],
      ['PUT', '/pin', { pin: '604817', password }],
      ['POST', '/passkeys/options', { password }],
      ['POST', '/two-factor', { password }],
      ['POST', '/shared-tills', { name: 'x', idle_seconds: 60, password }],
      ['POST', '/api-keys', { label: 'x', password }],
      ['POST', '/invitations', { email: 'a@b.example', role: 'admin', password }],
    ]
    for (const [method, path, body] of changes) {
      expectForbidden(await owner.sendWithoutProof(method, path, body), 'insufficient_role')
    }
    expect((await owner.send('DELETE', '/session')).status).toBe(204)
  })
})
