import { beforeAll, describe, expect, it } from 'vitest'
import { METER } from '../bills.ts'
import type { Demo } from '../catalog.ts'
import { shareDemo } from '../catalog.ts'
import { signed } from '../http.ts'
import { createPayer } from '../payments.ts'
import { until } from '../service.ts'
import type { CheckoutItem, Client, Shop } from './api-client.ts'
import { clientOf, createOrder, expectCoded, openOrder, orderIn, PHONE, RELOAD } from './api-client.ts'
import { confirm } from './customers.ts'

let demo: Demo
let shop: Shop

beforeAll(async () => {
  demo = await shareDemo()
  shop = { baseUrl: demo.service.baseUrl, credentials: demo.first.credentials }
})

const reload = (amount = '10', more: object = {}) => ({
  product_code: RELOAD,
  account: PHONE,
  amount,
  ...more,
})

const STUDENT = '900101145678'

/** Finds the first loan of a student, as the form would. */
async function loanOf(client: Client) {
  const query = `product_code=EDULOAN&field_id=loan_account&account_number=${STUDENT}`
  const answer = await client.ask(`/options?${query}`)
  expect(answer.status, answer.text).toBe(200)
  const [loan] = answer.json<{ data: { items: { code: string; account_number: string }[] } }>().data.items
  if (loan === undefined) throw new Error('the student has a loan')
  const extras = { subproduct_code: loan.code, ic_number: STUDENT }
  return { product_code: 'EDULOAN', account: loan.account_number, amount: '25', extras }
}

describe('an order that its customer reads', () => {
  it('says who sells, until when, and that nothing is in the basket yet', async () => {
    const client = await openOrder(shop, { language: 'ms' })
    const order = await client.order()
    expect(order).toMatchObject({
      order_id: client.orderId,
      status: 'draft',
      merchant: { name: expect.stringMatching(/\S/) },
      language: 'ms',
      items: [],
      total_amount: '0.00',
      refund_amount: '0.00',
      version: 1,
      continue_url: null,
    })
    const leftMs = Date.parse(order.expires_at) - Date.parse(order.server_time)
    expect(leftMs).toBeGreaterThan(0)
    expect(leftMs).toBeLessThanOrEqual(1_800_000)
  })

  it('no answer is stored, and none names its address to another site', async () => {
    const client = await openOrder(shop)
    for (const path of ['', '/catalog', '/options', '/bill', '/nothing']) {
      const { headers } = await client.ask(path)
      if (path === '/nothing') continue
      expect(headers, path).toMatchObject({
        'cache-control': 'no-store',
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
        vary: expect.stringContaining('Origin'),
      })
    }
  })
})

describe('the products of an order', () => {
  it('are those that the account sells, with their forms', async () => {
    const client = await openOrder(shop)
    const answer = await client.ask('/catalog')
    expect(answer.status, answer.text).toBe(200)
    const { products } = answer.json<{ data: { products: Record<string, { fields: object[] }> } }>().data
    const sold = await demo.first.catalog()
    // Fund disbursement is listed for the account, and hidden from its customers.
    const expected = Object.keys(sold.products).filter((code) => code !== 'FD')
    expect(Object.keys(products).sort()).toEqual(expected.sort())
    expect(products[RELOAD]?.fields).toEqual(sold.products[RELOAD]?.fields)
  })

  it('are those that the order names, if it names some', async () => {
    const client = await openOrder(shop, { products: [RELOAD, 'VOLT'] })
    const { data } = (await client.ask('/catalog')).json<{ data: { products: object; tree: object } }>()
    expect(Object.keys(data.products).sort()).toEqual([RELOAD, 'VOLT'].sort())
    expect(JSON.stringify(data.tree)).not.toContain('BILLPAY')
  })

  it('options have their price, can be searched, and come in pages', async () => {
    const client = await openOrder(shop)
    type Page = { data: { items: { code: string; label: string; price?: object }[]; meta: object } }
    const read = async (query: string) => (await client.ask(`/options?${query}`)).json<Page>().data
    const amounts = await read(`product_code=${RELOAD}&field_id=amount`)
    expect(amounts.items[0]).toMatchObject({ price: { amount: '5.00', currency: 'MYR' } })
    const third = await read('product_code=BILLPAY&field_id=biller&limit=3&page=3')
    expect(third.items).toHaveLength(3)
    expect(third.meta).toMatchObject({ per_page: 3, current_page: 3 })
    const label = String(third.items[0]?.label)
    const found = await read(`product_code=BILLPAY&field_id=biller&search=${encodeURIComponent(label)}`)
    expect(found.items[0]?.label).toBe(label)
    expectCoded(
      await client.ask('/options?product_code=BILLPAY&field_id=biller&limit=101'),
      400,
      'validation_failed',
      ['limit'],
    )
    expectCoded(await client.ask('/options'), 400, 'validation_failed', ['product_code', 'field_id'])
    expectCoded(await client.ask(`/options?product_code=${RELOAD}&field_id=phone`), 404, 'not_found')
  })

  it('a bill is shown as the resellers see it', async () => {
    const client = await openOrder(shop)
    const answer = await client.ask(`/bill?product=VOLT&account=${METER}`)
    expect(answer.status, answer.text).toBe(200)
    expect(answer.json()).toMatchObject({
      data: { message: 'Account no is valid', Outstanding: expect.any(Number) },
    })
    const wrong = await client.ask('/bill?product=VOLT&account=1')
    expect([wrong.status, wrong.json<{ error_message: string }>().error_message]).toEqual([
      400,
      'Invalid account no',
    ])
  })
})

describe('the operator of a number', () => {
  it('is told by its prefix, with the products that the order lets choose, whatever the shop sold before', async () => {
    const payer = await createPayer(demo.service, '100')
    const own = { baseUrl: demo.service.baseUrl, credentials: payer.credentials }
    const account = '60125550177'
    await payer.untilStatus({ refid: 'sold', product: 'KITA', account, amount: 5 }, 'Succesful')
    const client = await openOrder(own, { products: ['KITA', 'NOVA', 'PINTEN'] })
    const look = (typed: string) => client.ask(`/number-lookup?account=${encodeURIComponent(typed)}`)
    const answer = await look('012-555 0177')
    expect(answer.status, answer.text).toBe(200)
    expect(answer.json()).toMatchObject({
      data: {
        e164: `+${account}`,
        operator: { name: 'Nova' },
        source: 'prefix',
        is_certain: false,
        products: ['NOVA', 'KITA'],
      },
    })
    expectCoded(await look('1'), 400, 'validation_failed', ['account'])
  })

  it('is asked for 30 times a minute at most, so that a token tries no thousands of numbers', async () => {
    const client = await openOrder(shop)
    const statuses: number[] = []
    for (let last = 10; last < 41; last += 1) {
      statuses.push((await client.ask(`/number-lookup?account=601255501${last}`)).status)
    }
    expect(statuses).toEqual([...Array<number>(30).fill(200), 429])
  })
})

describe('the basket', () => {
  it('is priced by the server, locked, submitted once, and leads back to the shop', async () => {
    const client = await openOrder(shop)
    const quoted = await client.ask('/quote', { method: 'POST', json: reload('10', { quantity: 2 }) })
    expect(quoted.json()).toEqual({ data: { unit_price: '10.00', price: '20.00', currency: 'MYR' } })
    const filled = orderIn(await client.put([reload('10', { quantity: 2 }), reload('5')]))
    expect(filled).toMatchObject({ status: 'draft', version: 2, total_amount: '25.00', continue_url: null })
    expect(filled.items).toMatchObject([
      {
        line: 1,
        product_code: RELOAD,
        account: PHONE,
        unit_price: '10.00',
        price: '20.00',
        status: 'pending',
      },
      { line: 2, amount: '5.00', quantity: 1, is_fixed: false, missing: [] },
    ])
    const submit = () => client.ask('/submit', { method: 'POST', json: { version: 2 } })
    const submitted = orderIn(await submit())
    expect(submitted.status).toBe('awaiting_payment')
    expect(submitted.continue_url).toBe(
      `https://shop.example/return?cart=7&order_id=${client.orderId}&status=awaiting_payment`,
    )
    expect(orderIn(await submit()).status).toBe('awaiting_payment')
    expectCoded(await client.put([reload()]), 409, 'order_not_open')
    expectCoded(await client.ask('/quote', { method: 'POST', json: reload() }), 409, 'order_not_open')
    expectCoded(await client.ask(`/bill?product=VOLT&account=${METER}`), 409, 'order_not_open')
  })

  it('a page that was loaded anew keeps lines by their numbers, with values that are never shown', async () => {
    const client = await openOrder(shop)
    const loan = await loanOf(client)
    const first = await client.put([loan])
    expect(orderIn(first).items).toHaveLength(1)
    const second = await client.put([{ line: 1 }, reload()])
    expect(orderIn(second).items.map((each) => each.product_code)).toEqual(['EDULOAN', RELOAD])
    const third = orderIn(await client.put([{ line: 2, quantity: 3 }, { line: 1 }]))
    expect(third.items).toMatchObject([{ product_code: RELOAD, quantity: 3 }, { product_code: 'EDULOAN' }])
    for (const { text } of [first, second]) expect(text).not.toContain(STUDENT)
    const { version } = third
    expect(orderIn(await client.ask('/submit', { method: 'POST', json: { version } })).status).toBe(
      'awaiting_payment',
    )
  })

  it('a payment of a moment ago is asked about before the same is bought again, and tells no secret', async () => {
    const own = { ...shop, ...(await createPayer(demo.service, '100')) }
    const filled = async (account: string, amount: string) => {
      const client = await openOrder(own)
      orderIn(await client.put([reload(amount), reload('10', { account })]))
      return client
    }
    const submit = (client: Client, more: object = {}) =>
      client.ask('/submit', { method: 'POST', json: { version: 2, ...more } })
    const first = await filled(PHONE, '5')
    expect(orderIn(await submit(first)).status).toBe('awaiting_payment')
    await confirm(own, first.orderId)
    await until('the order is completed', async () => (await first.order()).status === 'completed')

    const second = await filled(`+${PHONE}`, '30')
    const asked = await submit(second)
    const seconds = expect.any(Number)
    expect([asked.status, asked.json()]).toEqual([
      409,
      {
        error: 'possible_duplicate',
        message: 'The same was paid a moment ago.',
        errors: {},
        repeats: [{ line: 2, seconds }],
      },
    ])
    expect((await second.order()).status).toBe('draft')
    expect(orderIn(await submit(second, { allow_duplicate: true })).status).toBe('awaiting_payment')
  })

  it('an old version changes nothing, and submits nothing', async () => {
    const client = await openOrder(shop)
    orderIn(await client.put([reload('10')]))
    const old = { method: 'PUT', json: { version: 1, items: [reload('5')] } }
    expectCoded(await client.ask('/items', old), 409, 'order_changed')
    expectCoded(await client.ask('/submit', { method: 'POST', json: { version: 1 } }), 409, 'order_changed')
    expect(await client.order()).toMatchObject({ status: 'draft', total_amount: '10.00' })
  })

  it('an item that could not be paid is refused by its fields', async () => {
    const client = await openOrder(shop)
    const bad = { product_code: RELOAD, account: '12', amount: '11' }
    const quoted = await client.ask('/quote', { method: 'POST', json: bad })
    expect([quoted.status, quoted.json<{ error: string }>().error]).toEqual([422, 'invalid_items'])
    expect(
      Object.keys(quoted.json<{ errors: object }>().errors).every((name) => !name.startsWith('items')),
    ).toBe(true)
    const put = await client.put([reload(), bad])
    expect(Object.keys(put.json<{ errors: object }>().errors).join()).toMatch(/^items\.1\./)
    expect((await client.order()).items).toEqual([])
    expectCoded(await client.ask('/submit', { method: 'POST', json: { version: 1 } }), 422, 'invalid_items', [
      'items',
    ])
  })

  it('is cancelled by its customer, also twice, and never submitted after that', async () => {
    const client = await openOrder(shop)
    const cancel = () => client.ask('/cancel', { method: 'POST' })
    expect(orderIn(await cancel())).toMatchObject({
      status: 'cancelled',
      continue_url: expect.stringMatching(/status=cancelled$/),
    })
    expect(orderIn(await cancel()).status).toBe('cancelled')
    expectCoded(await client.ask('/submit', { method: 'POST', json: { version: 1 } }), 409, 'order_cancelled')
  })
})

describe('a basket that the shop chose', () => {
  it('lacks only what the customer types, and takes nothing else', async () => {
    const items = [{ product_code: RELOAD, amount: '10', quantity: 2 }]
    const client = await openOrder(shop, { items })
    const before = await client.order()
    expect(before).toMatchObject({ status: 'draft', total_amount: '20.00' })
    expect(before.items).toMatchObject([{ account: null, is_fixed: true, missing: ['account'] }])
    expectCoded(
      await client.ask('/submit', { method: 'POST', json: { version: before.version } }),
      422,
      'invalid_items',
      ['items.0.account'],
    )
    const filled = orderIn(await client.put([{ line: 1, account: PHONE }]))
    expect(filled.items).toMatchObject([{ account: PHONE, missing: [], price: '20.00' }])
    const { version } = filled
    expect(orderIn(await client.ask('/submit', { method: 'POST', json: { version } })).status).toBe(
      'awaiting_payment',
    )
  })
})

describe('results', () => {
  async function paid(body: object): Promise<Client> {
    const [product] = Object.values((await demo.first.catalog()).products).filter(
      ({ processing_time, fields }) => processing_time === 'pin' && fields.length === 1,
    )
    if (product === undefined) throw new Error('the demo sells PINs')
    const items = [{ product_code: product.code, amount: '10', account: PHONE }]
    const order = await createOrder(shop, { items, ...body })
    const json = { payment_reference: `bank-${order.order_id}` }
    const path = `/v2/orders/${order.order_id}/confirm`
    const confirmed = await signed(shop.baseUrl, shop.credentials, { method: 'POST', path, json })
    expect(confirmed.status, confirmed.text).toBe(200)
    const client = clientOf(shop, order)
    await until('the order is completed', async () => (await client.order()).status === 'completed')
    return client
  }

  it('are shown where the order says so, and to nobody who only reads the order', async () => {
    const client = await paid({ show_results: true })
    const read = await client.ask()
    expect(orderIn(read).items).toMatchObject([{ status: 'succeeded' } satisfies Partial<CheckoutItem>])
    const answer = await client.ask('/results', { method: 'POST' })
    expect(answer.status, answer.text).toBe(200)
    const [result] = answer.json<{ data: { line: number; number: number; pin: string }[] }>().data
    expect(result).toMatchObject({ line: 1, number: 1, pin: expect.stringMatching(/\S/) })
    expect(read.text).not.toContain(String(result?.pin))
    expect(answer.headers['cache-control']).toBe('no-store')
  })

  it('are not shown otherwise', async () => {
    const client = await paid({})
    expect((await client.ask('/results', { method: 'POST' })).json()).toEqual({ data: [] })
  })
})
