import { beforeAll, describe, expect, it } from 'vitest'
import { METER } from '../bills.ts'
import type { Demo } from '../catalog.ts'
import { shareDemo } from '../catalog.ts'
import { from, newAddress } from '../clients.ts'
import { expectUnauthorized } from '../edge.ts'
import type { Answer } from '../http.ts'
import { send } from '../http.ts'
import type { CreatedOrder, Shop } from './api-client.ts'
import {
  clientOf,
  createOrder,
  expectCoded,
  expectRetail,
  openOrder,
  orderIn,
  PHONE,
  RELOAD,
  RETURN_URL,
} from './api-client.ts'

let demo: Demo
let shop: Shop
let other: Shop

beforeAll(async () => {
  demo = await shareDemo()
  const { baseUrl } = demo.service
  shop = { baseUrl, credentials: demo.first.credentials }
  other = { baseUrl, credentials: demo.second.credentials }
})

const reload = (more: object = {}) => ({ product_code: RELOAD, account: PHONE, amount: '10', ...more })
const UNKNOWN = 'ord_00000000000000000000zzzz'

type Step = { readonly method: string; readonly path: string; readonly json?: object }

/** Every step that a token allows, with a body that is right for it. */
const STEPS: readonly Step[] = [
  { method: 'GET', path: '' },
  { method: 'GET', path: '/catalog' },
  { method: 'GET', path: `/options?product_code=${RELOAD}&field_id=amount` },
  { method: 'GET', path: `/bill?product=VOLT&account=${METER}` },
  { method: 'POST', path: '/quote', json: reload() },
  { method: 'PUT', path: '/items', json: { version: 1, items: [reload()] } },
  { method: 'POST', path: '/submit', json: { version: 1 } },
  { method: 'POST', path: '/cancel' },
  { method: 'POST', path: '/results' },
]

describe('a token opens its own order and nothing else', () => {
  let mine: CreatedOrder
  let theirs: CreatedOrder
  let foreign: CreatedOrder

  beforeAll(async () => {
    mine = await createOrder(shop)
    theirs = await createOrder(shop)
    foreign = await createOrder(other)
  })

  it.each(STEPS)('$method $path', async ({ method, path, json }) => {
    const wrong: readonly [orderId: string, authorization: string | undefined][] = [
      [UNKNOWN, `Bearer ${mine.client_token}`],
      [mine.order_id, `Bearer ${theirs.client_token}`],
      [mine.order_id, `Bearer ${foreign.client_token}`],
      [foreign.order_id, `Bearer ${mine.client_token}`],
      [mine.order_id, undefined],
      [mine.order_id, 'Bearer '],
      [mine.order_id, `Bearer ct_${'A'.repeat(43)}`],
      [mine.order_id, `Bearer ${mine.client_token.slice(0, -1)}`],
      [mine.order_id, `Bearer ${mine.client_token}x`],
      [mine.order_id, `Basic ${mine.client_token}`],
      [mine.order_id, `Bearer ${shop.credentials.apiKey}`],
      [mine.order_id, `Bearer ${shop.credentials.secretBase64}`],
      [mine.order_id.toUpperCase(), `Bearer ${mine.client_token}`],
      ['x%00y', `Bearer ${mine.client_token}`],
      ["'%20or%201=1--", `Bearer ${mine.client_token}`],
    ]
    const address = from(newAddress())
    const texts = new Set<string>()
    for (const [orderId, authorization] of wrong) {
      const answer = await send({
        baseUrl: shop.baseUrl,
        method,
        path: `/checkout/v1/orders/${orderId}${path}`,
        headers: {
          ...address,
          ...(authorization !== undefined && { Authorization: authorization }),
          ...(json !== undefined && { 'Content-Type': 'application/json' }),
        },
        ...(json !== undefined && { body: JSON.stringify(json) }),
      })
      expectCoded(answer, 404, 'order_not_found')
      expect(answer.headers['cache-control']).toBe('no-store')
      texts.add(answer.text)
    }
    // A missing order and a wrong token cannot be told apart.
    expect(texts.size).toBe(1)
  })

  it('nothing was changed by any of them', async () => {
    for (const [at, order] of [
      [shop, mine],
      [shop, theirs],
      [other, foreign],
    ] as const) {
      expect(await clientOf(at, order).order()).toMatchObject({ status: 'draft', version: 1, items: [] })
    }
  })

  it.each(['/v2/balance', '/v2/orders', '/v2/catalog', '/portal/v1/session', '/operator/v1/session'])(
    'it is nothing at %s',
    async (path) => {
      const answer = await send({
        baseUrl: shop.baseUrl,
        path,
        headers: { ...from(newAddress()), Authorization: `Bearer ${mine.client_token}` },
      })
      expect(answer.status).toBe(401)
      if (path.startsWith('/v2')) expectUnauthorized(answer, 'invalid_token')
    },
  )

  it('signing headers of the reseller open no order here', async () => {
    const answer = await send({
      baseUrl: shop.baseUrl,
      path: `/checkout/v1/orders/${mine.order_id}`,
      headers: { ...from(newAddress()), 'X-Api-Key': shop.credentials.apiKey },
    })
    expectCoded(answer, 404, 'order_not_found')
  })

  it('no token stands in the log', () => {
    const output = demo.service.output()
    for (const { client_token } of [mine, theirs, foreign]) expect(output).not.toContain(client_token)
  })
})

describe('prices and products are not the customer’s to set', () => {
  it('a price in a request is not read', async () => {
    const client = await openOrder(shop)
    const cheap = reload({
      price: '0.01',
      unit_price: '0.01',
      cost: '0',
      discount: '100%',
      total_amount: '0',
    })
    const order = orderIn(await client.put([cheap]))
    expect(order).toMatchObject({ total_amount: '10.00', items: [{ unit_price: '10.00', price: '10.00' }] })
    const again = {
      version: order.version,
      items: [{ line: 1, unit_price: '0.01', price: '0.01' }],
      total_amount: '0',
    }
    expect(orderIn(await client.ask('/items', { method: 'PUT', json: again })).total_amount).toBe('10.00')
  })

  it.each([
    ['outside the products of the order', { products: ['VOLT'] }, RELOAD],
    ['hidden from customers', {}, 'FD'],
    ['that nobody sells', {}, 'OLDONE'],
    ['that is not there', {}, 'NOTHING'],
    ['named like a member of every object', {}, '__proto__'],
  ])('a product %s is refused like one that does not exist', async (_, body, code) => {
    const client = await openOrder(shop, body)
    const item = { product_code: code, account: PHONE, amount: '10' }
    expectCoded(await client.ask('/quote', { method: 'POST', json: item }), 422, 'invalid_items', [
      'product_code',
    ])
    expectCoded(await client.put([item]), 422, 'invalid_items', ['items.0.product_code'])
    expectCoded(await client.ask(`/options?product_code=${code}&field_id=amount`), 404, 'not_found')
    const bill = await client.ask(`/bill?product=${code}&account=${METER}`)
    expect(bill.json()).toMatchObject({ error_message: 'The provided product is invalid' })
    expect((await client.ask('/catalog')).text).not.toContain(`"code":"${code}"`)
    expect((await client.order()).items).toEqual([])
  })

  it('a product that the reseller switched off is not for its customers', async () => {
    const client = await openOrder(other)
    const item = { product_code: 'KOPIKU', account: PHONE, amount: '10' }
    expectCoded(await client.put([item]), 422, 'invalid_items', ['items.0.product_code'])
    const hidden =
      '/options?product_code=KOPIKU&field_id=amount&include_inactive=true&include_hidden=true&is_active=false'
    expectCoded(await client.ask(hidden), 404, 'not_found')
  })

  it.each([
    ['quantity', { quantity: 21 }],
    ['quantity', { quantity: 0 }],
    ['quantity', { quantity: -1 }],
    ['quantity', { quantity: 1.5 }],
    ['amount', { amount: '-10' }],
    ['amount', { amount: '0' }],
    ['amount', { amount: '1e3' }],
    ['amount', { amount: '10.00001' }],
    ['amount', { amount: '99999999999999999999' }],
  ])('a wrong %s is refused: %j', async (field, wrong) => {
    const client = await openOrder(shop)
    const answer = await client.put([reload(wrong)])
    expect([400, 422], answer.text).toContain(answer.status)
    expect(Object.keys(answer.json<{ errors: object }>().errors)).toContain(`items.0.${field}`)
    expect((await client.order()).items).toEqual([])
  })

  it('a basket has at most 20 lines and 50 units', async () => {
    const client = await openOrder(shop)
    const many = await client.put(Array.from({ length: 21 }, () => reload()))
    expect([400, 422]).toContain(many.status)
    expectCoded(
      await client.put([
        reload({ quantity: 20 }),
        reload({ quantity: 20, amount: '5' }),
        reload({ quantity: 11, amount: '30' }),
      ]),
      422,
      'invalid_items',
      ['items'],
    )
  })

  it.each([
    ['product', { product_code: 'KITA' }],
    ['amount', { amount: '5' }],
    ['quantity', { quantity: 1 }],
    ['account that the shop set', { account: '60198765432' }],
  ])('a basket that the shop chose keeps its %s', async (_, change) => {
    const items = [reload({ quantity: 2 }), { product_code: 'KITA', amount: '20' }]
    const client = await openOrder(shop, { items })
    const before = await client.order()
    const answer = await client.put([
      { line: 1, ...change },
      { line: 2, account: PHONE },
    ])
    expect([answer.status, answer.json<{ error: string }>().error]).toEqual([422, 'invalid_items'])
    expect(await client.order()).toMatchObject({ items: before.items, total_amount: before.total_amount })
    for (const fewer of [
      [],
      [{ line: 1 }],
      [{ line: 2 }, { line: 1 }],
      [{ line: 1 }, { line: 2 }, reload()],
    ]) {
      expect((await client.put(fewer)).status).toBe(422)
    }
    expectCoded(
      await client.ask('/quote', {
        method: 'POST',
        json: { product_code: 'VOLT', amount: '5', account: METER },
      }),
      422,
      'invalid_items',
      ['product_code'],
    )
  })
})

describe('customers read nothing of the wholesale side', () => {
  async function answersOf(at: Shop): Promise<Answer[]> {
    const client = await openOrder(at)
    const answers: Answer[] = []
    for (const { path, ...step } of STEPS) answers.push(await client.ask(path, step))
    for (const code of ['SELAT', 'ZAMRUD', 'LANGIT', 'NOVAMY', 'EDULOAN', 'BILLPAY']) {
      for (const field of ['amount', 'plan', 'loan_account', 'biller']) {
        const query = `product_code=${code}&field_id=${field}&account_number=900101145678&search=a`
        answers.push(await client.ask(`/options?${query}`))
      }
    }
    answers.push(await client.ask('/quote', { method: 'POST', json: reload({ amount: '11' }) }))
    answers.push(await client.put([reload({ account: 'x' })]))
    return answers
  }

  it('no answer has a cost, a discount, a margin, a recommended price or a word of the account', async () => {
    for (const [at, { account }] of [
      [shop, demo.first],
      [other, demo.second],
    ] as const) {
      for (const answer of await answersOf(at)) expectRetail(answer, account)
    }
  })

  it('an account that sells below cost shows the same as any other', async () => {
    const client = await openOrder(other, { products: ['LANGIT'] })
    const answer = await client.ask('/options?product_code=LANGIT&field_id=amount')
    expectRetail(answer, demo.second.account)
    const [item] = answer.json<{ data: { items: object[] } }>().data.items
    expect(Object.keys(item ?? {}).sort()).toEqual(['code', 'denomination', 'label', 'price'])
  })
})

describe('the way back to the shop is the shop’s own', () => {
  it('no parameter and no member of a body changes it', async () => {
    const evil = 'https://evil.example/'
    const client = await openOrder(shop)
    const query = `?return_url=${encodeURIComponent(evil)}&continue_url=${encodeURIComponent(evil)}&status=completed`
    const json = { version: 1, items: [reload({ return_url: evil })], return_url: evil, continue_url: evil }
    const filled = orderIn(await client.ask(`/items${query}`, { method: 'PUT', json }))
    const submitting = {
      method: 'POST',
      json: { version: filled.version, return_url: evil, continue_url: evil },
    }
    const submitted = orderIn(await client.ask(`/submit${query}`, submitting))
    const read = orderIn(
      await client.ask(query, { headers: { Referer: evil, 'X-Forwarded-Host': 'evil.example' } }),
    )
    for (const { continue_url } of [submitted, read]) {
      expect(continue_url).toBe(`${RETURN_URL}&order_id=${client.orderId}&status=awaiting_payment`)
    }
  })
})
