import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { shareDemo } from '../catalog.ts'
import { balanceOf, expectForbidden, expectProblem, untilKnown } from '../edge.ts'
import { signed } from '../http.ts'
import { reload } from '../payments.ts'
import type { Receiver } from '../receiver/receiver.ts'
import { startReceiver } from '../receiver/receiver.ts'
import type { Service } from '../service.ts'
import { stopServices, until } from '../service.ts'
import type { Shop } from './members.ts'
import { dataOf, newMember, openShop, walk } from './members.ts'
import { createOperator, signIn } from './people.ts'

let service: Service
let receiver: Receiver
let shop: Shop
let other: Shop

beforeAll(async () => {
  receiver = await startReceiver()
  service = (await shareDemo()).service
  ;[shop, other] = await Promise.all([openShop(service, '1000'), openShop(service, '1000')])
})

afterAll(() => stopServices())

type Line = { denomination: string; cost: string; price: string; margin: string; has_loss_risk: boolean }
type Side = { name: string; lines: Line[]; has_loss_risk: boolean }
type Preview = {
  fingerprint: string
  products: { code: string; before: Side; after: Side }[]
  newly_losing: string[]
}

describe('editing the catalogue', () => {
  const cheaper = { products: [{ code: 'NOVA', adjustment: { type: 'fixed', value: '-2.00' } }] }

  it('shows cost, price and margin before and after, and changes nothing', async () => {
    const before = (await shop.viewer.get('/catalogue/products/NOVA')).text
    const edits = {
      products: [{ code: 'NOVA', name: 'Nova ku', adjustment: { type: 'percentage', value: '1.1' } }],
    }
    const preview = dataOf<Preview>(await shop.admin.send('POST', '/catalogue/preview', edits))
    const [nova] = preview.products
    expect(nova).toMatchObject({ code: 'NOVA', after: { name: 'Nova ku' } })
    const ten = (side: Side | undefined) => side?.lines.find(({ denomination }) => denomination === '10.00')
    expect(ten(nova?.before)).toMatchObject({ cost: '9.70', price: '10.00', margin: '0.30' })
    expect(ten(nova?.after)).toMatchObject({ cost: '9.70', price: '11.00', margin: '1.30' })
    expect(preview.newly_losing).toEqual([])
    expect((await shop.viewer.get('/catalogue/products/NOVA')).text).toBe(before)
  })

  it('applies what was previewed, and the customers of the account see it', async () => {
    const edits = {
      products: [{ code: 'KITA', name: 'Kita kami', adjustment: { type: 'fixed', value: '0.50' } }],
    }
    const { fingerprint } = dataOf<Preview>(await shop.admin.send('POST', '/catalogue/preview', edits))
    const applied = await shop.admin.send('POST', '/catalogue/apply', { ...edits, fingerprint })
    expect(dataOf(applied)).toMatchObject({ is_changed: true })
    expect(dataOf(await shop.viewer.get('/catalogue/products/KITA'))).toMatchObject({
      name: 'Kita kami',
      is_customised: true,
      adjustment: { type: 'fixed', value: '0.50' },
    })
    expect(dataOf(await other.viewer.get('/catalogue/products/KITA'))).toMatchObject({ is_customised: false })
    const sold = (await shop.viewer.get('/sell/catalog?product_code=KITA')).text
    expect(sold).toContain('Kita kami')
    const again = await shop.admin.send('POST', '/catalogue/apply', { ...edits, fingerprint })
    expect([again.status, again.json()]).toMatchObject([409, { message: expect.stringContaining('changed') }])
    await shop.admin.send('POST', '/catalogue/apply', { reset: { products: ['KITA'] } })
    expect(dataOf(await shop.viewer.get('/catalogue/products/KITA'))).toMatchObject({ is_customised: false })
  })

  it('below cost is refused until the loss is accepted', async () => {
    const preview = dataOf<Preview>(await shop.admin.send('POST', '/catalogue/preview', cheaper))
    expect(preview.newly_losing).toEqual(['NOVA'])
    expect(preview.products[0]?.after.has_loss_risk).toBe(true)
    const refused = await shop.admin.send('POST', '/catalogue/apply', cheaper)
    expect([refused.status, refused.json()]).toMatchObject([
      409,
      { errors: { accept_loss: [expect.any(String)] } },
    ])
    expect(dataOf(await shop.viewer.get('/catalogue/products/NOVA'))).toMatchObject({ adjustment: null })
    dataOf(await shop.admin.send('POST', '/catalogue/apply', { ...cheaper, accept_loss: true }))
    const { attention } = dataOf<{ attention: { kind: string }[] }>(await shop.viewer.get('/overview'))
    expect(attention.map(({ kind }) => kind)).toContain('products_at_loss')
    await shop.admin.send('POST', '/catalogue/apply', { reset: { products: ['NOVA'] } })
  })

  it('refuses what cannot be, in the same words in the preview and when applied', async () => {
    const edits = { products: [{ code: 'NOVA', min_amount: '1,5', category: 'NOWHERE' }] }
    const bad = { products: [{ code: 'KITA', category: 'NOWHERE' }] }
    for (const [body, field] of [
      [edits, 'products.NOVA.min_amount'],
      [bad, 'products.KITA.categoryCode'],
    ] as const) {
      const [previewed, applied] = await Promise.all([
        shop.admin.send('POST', '/catalogue/preview', body),
        shop.admin.send('POST', '/catalogue/apply', body),
      ])
      expect(previewed.json()).toMatchObject({ errors: { [field]: [expect.any(String)] } })
      expect([applied.status, applied.text]).toEqual([400, previewed.text])
    }
  })

  it('edits of a product that the account may not sell are answered like edits of an unknown one', async () => {
    const ask = async (code: string) => {
      const answer = await shop.admin.send('POST', '/catalogue/preview', {
        products: [{ code, name: 'Mine' }],
      })
      const page = await shop.admin.get(`/catalogue/products/${code}`)
      return [answer.status, answer.text.replaceAll(code, 'X'), page.status, page.text]
    }
    expect(await ask('FD')).toEqual(await ask('GHOST'))
    expect((await shop.admin.get('/catalogue')).text).not.toContain('"FD"')
  })
})

type Key = { id: string; key: string; signing_secret: string; state: string }

describe('an API key', () => {
  it('shows its secret once, signs, is replaced with a grace, and ends when it is revoked', async () => {
    const { password } = shop.admin
    const made = await shop.admin.send('POST', '/api-keys', { label: 'Till', scopes: ['read'], password })
    expect([made.status, made.headers['cache-control']]).toEqual([201, 'no-store'])
    const first = dataOf<Key>(made)
    const credentialsOf = ({ key, signing_secret }: Key) => ({ apiKey: key, secretBase64: signing_secret })
    await untilKnown(service, credentialsOf(first))
    expect((await balanceOf(service, credentialsOf(first))).status).toBe(200)
    for (const who of [shop.admin, shop.viewer]) {
      const list = await who.get('/api-keys')
      expect(list.text).toContain(first.key)
      expect(list.text).not.toContain(first.signing_secret)
    }
    const rotated = await shop.admin.send('POST', `/api-keys/${first.id}/rotate`, {
      grace_seconds: 600,
      password,
    })
    const second = dataOf<Key>(rotated)
    await untilKnown(service, credentialsOf(second))
    for (const each of [first, second])
      expect((await balanceOf(service, credentialsOf(each))).status).toBe(200)
    expect(dataOf(await shop.admin.send('DELETE', `/api-keys/${second.id}`, { password }))).toMatchObject({
      state: 'revoked',
    })
    await until(
      'it has stopped working',
      async () => (await balanceOf(service, credentialsOf(second))).status === 401,
    )
  })

  it('an API key of another account is as unknown as one that does not exist', async () => {
    const [theirs] = dataOf<Key[]>(await other.admin.get('/api-keys'))
    for (const [method, path] of [
      ['POST', '/rotate'],
      ['DELETE', ''],
    ] as const) {
      const answers = await Promise.all(
        [theirs?.id, '99999999', 'x'].map((id) =>
          shop.admin.send(method, `/api-keys/${id}${path}`, { password: shop.admin.password }),
        ),
      )
      expect(answers.map(({ status }) => status)).toEqual([404, 404, 404])
      expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    }
    expect(dataOf<Key[]>(await other.admin.get('/api-keys'))[0]?.state).toBe('active')
  })
})

describe('the allowlist', () => {
  it('is kept, and shuts out whoever is not on it', async () => {
    const own = await openShop(service, null)
    const { password } = own.admin
    expect(
      dataOf(
        await own.admin.send('POST', '/ip-allowlist', {
          networks: ['203.0.113.0/24'],
          label: 'Office',
          password,
        }),
      ),
    ).toMatchObject([{ network: '203.0.113.0/24', label: 'Office' }])
    await until(
      'others are shut out',
      async () => (await balanceOf(service, own.payer.credentials)).status === 403,
    )
    expect(
      dataOf(await own.admin.send('DELETE', '/ip-allowlist?network=203.0.113.0%2F24', { password })),
    ).toEqual([])
    await until(
      'others are let in',
      async () => (await balanceOf(service, own.payer.credentials)).status === 200,
    )
    expect((await own.admin.send('POST', '/ip-allowlist', { networks: ['x'], password })).status).toBe(400)
  })
})

describe('a credential of a program', () => {
  const CHANGES = [
    ['POST', '/api-keys', { label: 'Till' }],
    ['POST', '/api-keys/ID/rotate', {}],
    ['DELETE', '/api-keys/ID', {}],
    ['POST', '/ip-allowlist', { networks: ['203.0.113.0/24'] }],
    ['DELETE', '/ip-allowlist?network=198.51.100.0%2F24', {}],
  ] as const

  it('is changed by nobody who does not say the password once more', async () => {
    const { admin } = await openShop(service, null)
    const networks = ['198.51.100.0/24']
    dataOf(await admin.send('POST', '/ip-allowlist', { networks, password: admin.password }))
    const keys = async () => (await admin.get('/api-keys')).text.replaceAll(/"last_used_at":[^,}]*/g, '')
    const state = async () => [await keys(), (await admin.get('/ip-allowlist')).text]
    const before = await state()
    const [key] = dataOf<Key[]>(await admin.get('/api-keys'))
    for (const [method, path, body] of CHANGES) {
      const change = (more: object) => admin.sendWithoutProof(method, path.replace('ID', key?.id ?? ''), more)
      expectProblem(await change({ ...body, password: '' }), 400, ['password'])
      expectForbidden(await change(body), 'proof_required')
      expectForbidden(await change({ ...body, password: 'not the password' }), 'wrong_password')
    }
    expect(await state()).toEqual(before)
  })

  it('is in the audit log with who changed it, what and from where, without key and secret', async () => {
    const { admin, payer } = await openShop(service, null)
    const { password } = admin
    const made = dataOf<Key>(await admin.send('POST', '/api-keys', { label: 'Till', password }))
    const turned = dataOf<Key>(await admin.send('POST', `/api-keys/${made.id}/rotate`, { password }))
    dataOf(await admin.send('DELETE', `/api-keys/${turned.id}`, { password }))
    dataOf(await admin.send('POST', '/ip-allowlist', { networks: ['203.0.113.0/24'], password }))
    dataOf(await admin.send('DELETE', '/ip-allowlist?network=203.0.113.0%2F24', { password }))
    const operator = await signIn(service, 'operator', await createOperator(service, 'admin'))
    const log = await operator.get(`/audit?actor=${encodeURIComponent(admin.username)}`)
    const rows = dataOf<Record<string, unknown>[]>(log)
    expect(rows.map(({ action }) => action).reverse()).toEqual([
      'key.create',
      'key.rotate',
      'key.revoke',
      'allowlist.add',
      'allowlist.remove',
    ])
    expect(log.text).toContain(`${payer.account}/${made.id}`)
    for (const { actor } of rows) {
      expect(actor).toEqual({
        kind: 'member',
        name: admin.username,
        address: expect.stringMatching(/^[\d.a-f:]+$/),
      })
    }
    for (const { key, signing_secret } of [made, turned]) {
      expect(log.text).not.toContain(key)
      expect(log.text).not.toContain(signing_secret)
    }
  })
})

type Delivery = { id: string; status: string; event_id: string }

describe('endpoints', () => {
  it('show their secret once, and what was sent with each try', async () => {
    const path = '/portal-balance'
    await receiver.behave(path, { kind: 'answer', status: 500, body: 'no way' })
    const url = `${receiver.urls.plain}${path}`
    const put = await shop.admin.send('PUT', '/endpoints/balance', { url: `${url}?token=hush` })
    const { secret } = dataOf<{ secret: string }>(put)
    expect(secret).toMatch(/^whsec_/)
    const list = await shop.viewer.get('/endpoints')
    expect(list.text).not.toContain(secret)
    expect(list.text).not.toContain('hush')
    expect(list.text).toContain(`${url}?****`)
    expect(dataOf(list)).toContainEqual(
      expect.objectContaining({ stream: 'balance', enabled: true, secret_last_four: secret.slice(-4) }),
    )
    const types = { types: ['balance.deducted', 'balance.added'] }
    expect(dataOf(await shop.admin.send('PATCH', '/endpoints/balance', types))).toMatchObject({
      types: ['balance.added', 'balance.deducted'],
    })
    const sent = dataOf<{ delivery_id: string }>(await shop.admin.send('POST', '/endpoints/balance/test', {}))
    const place = `/endpoints/balance/deliveries/${sent.delivery_id}`
    const seen = await until('it was tried', async () => {
      const data = dataOf<Delivery>(await shop.admin.get(place))
      return data.status === 'failed' ? data : undefined
    })
    expect(seen).toMatchObject({ is_test: true, response_body: 'no way', tries: [{ response_status: 500 }] })
    expect(dataOf(await shop.viewer.get(place))).toMatchObject({ response_body: '' })
    const all = await walk(shop.viewer, '/endpoints/balance/deliveries?status=failed', 1)
    expect(all.map(({ id }) => id)).toContain(sent.delivery_id)
    const [foreign, unknown] = await Promise.all([
      other.admin.get(place),
      other.admin.get('/endpoints/balance/deliveries/00000000-0000-0000-0000-000000000000'),
    ])
    expect([foreign.status, foreign.text]).toEqual([404, unknown.text])
    const many = await shop.admin.send('POST', '/endpoints/balance/replays', {
      delivery_ids: [sent.delivery_id, 'x'],
    })
    expect(dataOf(many)).toMatchObject([
      { delivery_id: sent.delivery_id, replayed: false },
      { delivery_id: 'x', replayed: false, error: 'not_found' },
    ])
    expect((await shop.admin.send('DELETE', '/endpoints/balance')).status).toBe(204)
  })

  it('are sent again what failed, one by one and many at once', async () => {
    const path = '/portal-replayed'
    await receiver.answer(path, 500)
    const url = `${receiver.urls.plain}${path}`
    dataOf(await shop.admin.send('PUT', '/endpoints/callback', { url }))
    await shop.payer.untilStatus(reload(), 'Succesful')
    const list = '/endpoints/callback/deliveries'
    const failed = await until('it was given up', async () => {
      const advance = { method: 'POST', path: '/v2/test-clock?advance_seconds=300' }
      await signed(service.baseUrl, shop.payer.credentials, advance)
      return dataOf<Delivery[]>(await shop.viewer.get(`${list}?status=failed`))[0]
    })
    await receiver.answer(path, 200)
    const one = await shop.admin.send('POST', `${list}/${failed.id}/replay`, {})
    const replayed = dataOf<{ new_delivery_id: string; event_id: string }>(one)
    expect(replayed.event_id).toBe(failed.event_id)
    await until('it was taken', async () => {
      const data = dataOf<Delivery>(await shop.viewer.get(`${list}/${replayed.new_delivery_id}`))
      return data.status === 'success'
    })
    const many = await shop.admin.send('POST', '/endpoints/callback/replays', { delivery_ids: [failed.id] })
    expect(dataOf(many)).toMatchObject([{ delivery_id: failed.id, replayed: true, error: null }])
    await shop.admin.send('DELETE', '/endpoints/callback')
  })
})

describe('members', () => {
  it('are changed by another admin, at once in their open sessions', async () => {
    const own = await openShop(service, '50')
    const second = await newMember(service, own.payer.account, 'admin')
    const self = dataOf<{ id: string }>(await second.get('/session'))
    expect((await own.admin.send('PATCH', `/members/${self.id}`, { role: 'viewer' })).status).toBe(200)
    // The change may end a session, or leave it with fewer rights.
    expect([401, 403]).toContain((await second.send('POST', '/sell/payments', reload())).status)
    const me = dataOf<{ id: string }>(await own.admin.get('/session'))
    expect((await own.admin.send('PATCH', `/members/${me.id}`, { status: 'disabled' })).status).toBe(409)
    const [foreign, unknown] = await Promise.all(
      [me.id, '99999999'].map((id) => other.admin.send('PATCH', `/members/${id}`, { status: 'disabled' })),
    )
    expect([foreign?.status, foreign?.text]).toEqual([404, unknown?.text])
  })

  it('choose their mails, and the registered address is always told what it must be', async () => {
    const [registered] = dataOf<{ member_id: null }[]>(await shop.viewer.get('/mail-preferences'))
    expect(registered).toMatchObject({ member_id: null, role: 'registered' })
    const off = { member_id: null, kind: 'deposit', on: false }
    expect(dataOf(await shop.admin.send('PATCH', '/mail-preferences', off))).toMatchObject([
      { mails: { deposit: false, case: true } },
      {},
      {},
    ])
    expect((await shop.admin.send('PATCH', '/mail-preferences', { ...off, kind: 'case' })).status).toBe(409)
  })
})
