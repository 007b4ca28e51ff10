import { beforeAll, describe, expect, it } from 'vitest'
import { shareDemo } from '../../catalog.ts'
import { expectForbidden, expectProblem, expectUnauthorized, untilKnown } from '../../edge.ts'
import type { Answer } from '../../http.ts'
import { signed } from '../../http.ts'
import { createOrder } from '../../orders.ts'
import type { Payer } from '../../payments.ts'
import { advanceClock, expectRejection, payerAt, reload } from '../../payments.ts'
import type { Shop } from '../../portal/members.ts'
import { dataOf, newMember, openShop } from '../../portal/members.ts'
import type { Service } from '../../service.ts'
import { until } from '../../service.ts'

// A key for a kiosk, a branch or a software agent: it sells what it is for, from where it stands, until its end.

let service: Service
let shop: Shop

beforeAll(async () => {
  service = (await shareDemo()).service
  shop = await openShop(service, '1000')
})

it('the demo has a key of a kiosk, which meets each of its bounds', async () => {
  const { demo } = service
  const { account = '', kiosk } = demo.shop ?? {}
  if (kiosk === undefined) throw new Error('demo.json names no kiosk')
  const credentials = { account, apiKey: kiosk.api_key, secretBase64: kiosk.signing_secret }
  const { send } = payerAt(service, credentials)
  const pay = (changes: object) => send(reload({ allow_duplicate: true, ...changes }))
  expectRejection(await pay({ product: 'KITAPOST' }), { code: 41, remarks: 'Key_Product_Not_Allowed' })
  expectRejection(await pay({ amount: 30 }), { code: 41, remarks: 'Key_Amount_Cap', fields: ['amount'] })
  for (let times = 0; times < 6; times += 1) {
    const answer = await pay({})
    if (answer.status === 200) continue
    expectRejection(answer, { code: 41, remarks: 'Key_Daily_Cap', fields: ['amount'] })
    break
  }
  const own = await signed(service.baseUrl, credentials, { path: '/v2/key' })
  expect(dataOf(own)).toMatchObject({ label: 'Kiosk', daily_cap: '50.00', used_today: '48.50' })
})

type Made = { id: string; key: string; signing_secret: string }
type Key = Payer & { readonly id: string; own(): Promise<Answer> }

async function known({ id, key, signing_secret: secretBase64 }: Made): Promise<Key> {
  const { account } = shop.payer
  const credentials = { account, apiKey: key, secretBase64 }
  await untilKnown(service, credentials)
  const own = () => signed(service.baseUrl, credentials, { path: '/v2/key' })
  return { ...payerAt(service, credentials), id, own }
}

/** Makes a key in the portal. */
async function make(members: object): Promise<Key> {
  return known(dataOf<Made>(await shop.admin.send('POST', '/api-keys', members)))
}

function change(id: string, members: object): Promise<Answer> {
  return shop.admin.sendWithoutProof('PATCH', `/api-keys/${id}`, members)
}

/** Waits until the key itself says so. */
function untilOwn(key: Key, members: object): Promise<unknown> {
  return until('the service knows the change', async () => {
    const answer = await key.own()
    const is = answer.status === 200 && expect.objectContaining(members).asymmetricMatch(dataOf(answer))
    return is ? true : undefined
  })
}

const TOMORROW = () => new Date(Date.now() + 86_400_000).toISOString()

const OPEN = {
  products: null,
  max_amount: null,
  daily_cap: null,
  monthly_cap: null,
  expires_at: null,
  ip_allowlist: null,
}

it('a key without a purpose says so, whatever its scopes are', async () => {
  for (const scope of ['read', 'pay', 'support', 'configure']) {
    const key = await make({ label: 'Till', scopes: [scope] })
    expect(dataOf(await key.own())).toEqual({
      label: 'Till',
      scopes: [scope],
      ...OPEN,
      used_today: null,
      used_this_month: null,
      resets_at: expect.stringMatching(/T16:00:00\.000Z$/),
    })
  }
})

it('a key says what it is for, and its list says it too', async () => {
  const purpose = {
    scopes: ['pay'],
    products: ['PREPAID_RELOAD', 'VOLT'],
    max_amount: '50.00',
    daily_cap: '200.00',
    monthly_cap: '1000.00',
    expires_at: TOMORROW(),
    ip_allowlist: ['127.0.0.0/8', '::1'],
  }
  const given = { ...purpose, max_amount: 50, daily_cap: '200', note: 'At the station' }
  const key = await make({ label: 'Kiosk 3', ...given })
  expect(dataOf(await key.own())).toMatchObject({ label: 'Kiosk 3', ...purpose })
  const [listed] = dataOf<object[]>(await shop.viewer.get('/api-keys'))
  expect(listed).toMatchObject({ id: key.id, ...purpose, note: 'At the station', state: 'active' })
})

describe('products', () => {
  it('a key sells its products, those of its categories and of its groups, and answers for what exists', async () => {
    const byCode = await make({ products: ['NOVA'] })
    const byCategory = await make({ products: ['PREPAID_RELOAD'] })
    const byGroup = await make({ products: ['MOBILE'] })
    const other = await make({ products: ['VOLT'] })
    for (const key of [byCode, byCategory, byGroup]) await key.pay(reload())
    const look = await signed(service.baseUrl, byCode.credentials, {
      path: '/v2/number-lookup?account=60123456789',
    })
    expect(dataOf(look)).toMatchObject({ products: ['NOVA'] })
    const body = reload()
    const refused = { code: 41, remarks: 'Key_Product_Not_Allowed', fields: ['product'] }
    expectRejection(await other.send(body), refused)
    expectRejection(await other.send(reload({ product: 'NOBODY' })), refused)
    expectRejection(await byCode.send(reload({ product: 'KITA' })), refused)
    // Nothing was consumed: another key may pay it, and then the refid is answered to every key.
    const paid = await byCode.pay(body)
    expect((await other.pay(body)).transaction_id).toBe(paid.transaction_id)
    // Form comes before it, the product and its account come after it.
    expectRejection(await other.send(reload({ amount: 'x' })), { code: 44, remarks: 'Invalid_Format' })
    expectRejection(await other.send(reload({ account: '1' })), refused)
  })

  it('a key of other products quotes nothing, shows no bill and confirms no order', async () => {
    const key = await make({ products: ['KITA'] })
    const { refid: _, ...body } = reload()
    const quoted = await key.send(body, { path: '/v2/quotes' })
    expect(quoted.json()).toMatchObject({ data: { statusCode: 41, remarks: 'Key_Product_Not_Allowed' } })
    const ask = (credentials: Payer['credentials'], path: string, json?: object) =>
      signed(service.baseUrl, credentials, { path, ...(json && { method: 'POST', json }) })
    const bill = '/v2/bill-presentment?product=VOLT&account=60123451000'
    expect((await ask(shop.payer.credentials, bill)).status).toBe(200)
    expect((await ask(key.credentials, bill)).status).toBe(400)
    const { order_id: id } = await createOrder(service, shop.payer)
    const paid = { payment_reference: 'bank-1' }
    expectForbidden(await ask(key.credentials, `/v2/orders/${id}/confirm`, paid), 'insufficient_scope')
  })
})

describe('caps', () => {
  it('a key pays no more than its caps say, also under its next key and secret, and says what it has spent', async () => {
    const key = await make({ scopes: ['pay'], max_amount: '9.70', daily_cap: '20', monthly_cap: '30.00' })
    expect(dataOf(await key.own())).toMatchObject({ used_today: '0.00', used_this_month: '0.00' })
    const refused = (remarks: string) => ({ code: 41, remarks, fields: ['amount'] })
    expectRejection(await key.send(reload({ amount: 30 })), refused('Key_Amount_Cap'))
    const paid = reload()
    const first = await key.pay(paid)
    await key.pay(reload())
    expectRejection(await key.send(reload()), refused('Key_Daily_Cap'))
    expect((await key.pay(paid)).transaction_id).toBe(first.transaction_id)
    await untilOwn(key, { used_today: '19.40', used_this_month: '19.40' })
    const turned = await shop.admin.send('POST', `/api-keys/${key.id}/rotate`, { grace_seconds: 60 })
    const next = await known(dataOf<Made>(turned))
    expect(dataOf(await next.own())).toMatchObject({ used_today: '19.40', daily_cap: '20.00' })
    expectRejection(await next.send(reload()), refused('Key_Daily_Cap'))
    dataOf(await shop.admin.send('PATCH', `/api-keys/${next.id}`, { daily_cap: null }))
    const again = reload()
    await until('the wider cap is known', async () =>
      (await next.send(again)).status === 200 ? true : undefined,
    )
    expectRejection(await next.send(reload()), refused('Key_Monthly_Cap'))
    // Payments of other keys of the account are not counted, and have no cap.
    await shop.payer.pay(reload())
    const [listed] = dataOf<object[]>(await shop.viewer.get('/api-keys'))
    expect(listed).toMatchObject({ id: next.id, used_today: '29.10', used_this_month: '29.10' })
  })

  it('a key whose cap is zero pays nothing', async () => {
    const key = await make({ daily_cap: '0' })
    expectRejection(await key.send(reload()), { code: 41, remarks: 'Key_Daily_Cap', fields: ['amount'] })
  })
})

describe('ends and addresses', () => {
  it('a key ends at its time, by the test clock of its account, and lives again when its end is moved', async () => {
    const key = await make({ expires_at: new Date(Date.now() + 3_600_000).toISOString() })
    await advanceClock(service, key.account, 3_700)
    await until('it has ended', async () => ((await key.own()).status === 401 ? true : undefined))
    expectUnauthorized(await key.own(), 'invalid_api_key')
    const [listed] = dataOf<{ state: string }[]>(await shop.viewer.get('/api-keys'))
    expect(listed?.state).toBe('expired')
    dataOf(await shop.admin.send('PATCH', `/api-keys/${key.id}`, { expires_at: null }))
    await untilOwn(key, { expires_at: null })
    expectProblem(await change(key.id, { expires_at: '2020-01-01T00:00:00Z' }), 400, ['expires_at'])
  })

  it('a key is refused to every address but its own', async () => {
    const key = await make({ ip_allowlist: ['203.0.113.0/28'] })
    expectForbidden(await key.own(), 'ip_not_allowed')
    const change = shop.admin.send('PATCH', `/api-keys/${key.id}`, { ip_allowlist: ['127.0.0.1', '::1'] })
    dataOf(await change)
    await until('it may call', async () => ((await key.own()).status === 200 ? true : undefined))
  })

  it('an address outside the account’s own allowlist is refused to a key', async () => {
    const own = await openShop(service, null)
    const { password } = own.admin
    dataOf(await own.admin.send('POST', '/ip-allowlist', { networks: ['203.0.113.0/24'], password }))
    const ask = (network: string) =>
      own.admin.send('POST', '/api-keys', { ip_allowlist: [network], password })
    expectProblem(await ask('203.0.114.0/28'), 400, ['ip_allowlist'])
    expectProblem(await ask('203.0.112.0/20'), 400, ['ip_allowlist'])
    expect((await ask('203.0.113.16/28')).status).toBe(201)
  })
})

describe('changes', () => {
  it('a bound that is misspelt or wrong makes no key and changes none', async () => {
    const { id } = await make({ daily_cap: '10' })
    const count = async () => dataOf<object[]>(await shop.viewer.get('/api-keys')).length
    const before = await count()
    const { password } = shop.admin
    for (const [members, ...fields] of [
      [{ daily_kap: '1' }, 'body', 'daily_kap'],
      [{ daily_cap: '-1' }, 'daily_cap'],
      [{ daily_cap: '1.00001' }, 'daily_cap'],
      [{ monthly_cap: '9'.repeat(40) }, 'monthly_cap'],
      [{ max_amount: '١٠' }, 'max_amount'],
      [{ max_amount: true }, 'max_amount'],
      [{ products: [] }, 'products'],
      [{ products: ['NOVAA'] }, 'products'],
      [{ expires_at: 'tomorrow' }, 'expires_at'],
      [{ ip_allowlist: ['10.0.0.0/99'] }, 'ip_allowlist'],
      [{ scopes: ['fly'] }, 'scopes'],
      [{ note: 'x'.repeat(501) }, 'note'],
    ] as const) {
      expectProblem(await shop.admin.send('POST', '/api-keys', { ...members, password }), 400, fields)
      expectProblem(await change(id, members), 400, fields)
    }
    expectProblem(await change(id, {}), 400, ['body'])
    expect(await count()).toBe(before)
  })

  it('a member narrows a key without a proof, and widens none without', async () => {
    const NARROW = {
      products: ['NOVA', 'KITA'],
      max_amount: '20.00',
      daily_cap: '50.00',
      expires_at: TOMORROW(),
      ip_allowlist: ['127.0.0.0/8', '::1'],
    }
    const key = await make({ label: 'Kiosk' })
    const thief = await newMember(service, key.account, 'admin')
    const change = (id: string, members: object) =>
      thief.sendWithoutProof('PATCH', `/api-keys/${id}`, members)
    dataOf(await change(key.id, NARROW))
    await untilOwn(key, NARROW)
    for (const wider of [
      { products: null },
      { products: ['NOVA', 'VOLT'] },
      { max_amount: '20.01' },
      { daily_cap: null },
      { expires_at: null },
      { ip_allowlist: ['127.0.0.0/7'] },
      { ip_allowlist: null },
    ]) {
      expectForbidden(await change(key.id, wider), 'proof_required')
    }
    dataOf(await change(key.id, { scopes: ['pay'], products: ['NOVA'], ip_allowlist: ['127.0.0.1', '::1'] }))
    expectForbidden(await change(key.id, { scopes: ['pay', 'read'] }), 'proof_required')
    const { password } = thief
    const wider = { ...OPEN, scopes: ['read', 'pay'], password }
    expect(dataOf(await change(key.id, wider))).toMatchObject({ label: 'Kiosk', ...OPEN })
  })

  it('a key of a group is narrowed to a category and to products of it without a proof, and to nothing beside it', async () => {
    const key = await make({ products: ['MOBILE'] })
    const member = await newMember(service, key.account, 'admin')
    const narrow = (products: readonly string[]) =>
      member.sendWithoutProof('PATCH', `/api-keys/${key.id}`, { products })
    for (const wider of [['VOLT'], ['NOVA', 'BILLS'], ['PREPAID_RELOAD', 'VOLT']]) {
      expectForbidden(await narrow(wider), 'proof_required')
    }
    const steps = [['PREPAID_RELOAD', 'NOVAD'], ['PREPAID_RELOAD'], ['NOVA', 'KITA'], ['NOVA']]
    for (const products of steps) dataOf(await narrow(products))
    expectForbidden(await narrow(['PREPAID_RELOAD']), 'proof_required')
    await untilOwn(key, { products: ['NOVA'] })
  })

  it('a rotated key keeps its purpose, and the old one in its grace is narrowed with it', async () => {
    const purpose = { products: ['NOVA'], daily_cap: '50.00', expires_at: TOMORROW(), scopes: ['pay'] }
    const old = await make({ ...purpose, note: 'Counter' })
    const turn = shop.admin.send('POST', `/api-keys/${old.id}/rotate`, { grace_seconds: 600 })
    const made = dataOf<Made>(await turn)
    expect(made).toMatchObject({ ...purpose, note: 'Counter', state: 'active' })
    const next = await known(made)
    dataOf(await change(next.id, { daily_cap: '20.00' }))
    await untilOwn(next, { daily_cap: '20.00' })
    await untilOwn(old, { daily_cap: '20.00' })
    dataOf(await shop.admin.send('DELETE', `/api-keys/${old.id}`))
    const answer = await change(old.id, { note: 'gone' })
    expect([answer.status, answer.json()]).toMatchObject([409, {}])
  })

  it('a person at the machine changes every bound, and takes bounds away', async () => {
    const { id, account } = await make({ daily_cap: '50.00' })
    const key = ['--reseller', account]
    const { keys } = await service.warungd<{ keys: { id: string; key: string }[] }>('key', 'list', ...key)
    const named = [...key, '--key', keys.find((each) => each.id === id)?.key ?? '']
    const update = (...options: string[]) => service.warungd('key', 'update', ...named, ...options)
    expect(
      await update('--product', 'NOVA', '--product', 'BILLS', '--max-amount', '5', '--daily-cap', '20.5'),
    ).toMatchObject({ products: ['NOVA', 'BILLS'], max_amount: '5.00', daily_cap: '20.50' })
    expect(await update('--product', 'none', '--daily-cap', 'none', '--note', 'free')).toMatchObject({
      products: null,
      daily_cap: null,
      max_amount: '5.00',
      note: 'free',
    })
  })
})
