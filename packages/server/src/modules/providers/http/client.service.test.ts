import { createHash } from 'node:crypto'
import { afterEach, describe, expect, it } from 'vitest'
import { connectHttp, openLoopback, simulatorConnection } from '../../../testing/providers/http-connection.ts'
import { record } from '../../../testing/providers/http-recorder.ts'
import { IC_NUMBER, newOrder } from '../../../testing/providers/provider-bench.ts'
import type { Order, Provider } from '../port/types.ts'

const never = new AbortController().signal
const SECRETS = { callback: 'x'.repeat(20), password: 'p@ss word' }

const toClose: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of toClose.splice(0).reverse()) await close()
})

type Changes = Record<string, unknown>

function connect(url: string, changes: Changes = {}): Provider {
  const outbound = openLoopback()
  toClose.push(() => outbound.close())
  const config = { ...simulatorConnection(url), ...changes }
  return connectHttp({ config, secrets: SECRETS, outbound })
}

const NO = { outcome: 'failed', code: 48 }
const RESPONSE = { outcome: { path: 'status', table: { pending: { outcome: 'pending' } } } }

describe('a request to the supplier', () => {
  it('is what the configuration says, every value in its place and form', async () => {
    const { url, seen } = await record()
    const provider = connect(`${url}/api/`, {
      headers: { 'X-Partner': 'W1' },
      products: { NOVA: { by_amount: { '10.00': 'NV10' } } },
      submit: {
        method: 'PUT',
        path: '/buy/{{product_code}}/{{reference}}',
        query: { to: '{{account}}', pass: { secret: 'password' }, ref2: '{{ref2|or_absent}}' },
        headers: { 'X-Sku': '{{supplier_code}}' },
        body: {
          sen: '{{amount|cents|number}}',
          text: 'RM {{face_value}}',
          ic: '{{ic_number}}',
          plan: '{{subproduct_code|or_null}}',
          biller: '{{biller_code|or_absent}}',
          fixed: [1, true, null, { password: { secret: 'password' } }],
          value: { type: '{{product.type|or_absent}}', of: { unit: '{{product.unit|or_absent}}' } },
        },
        response: RESPONSE,
      },
    })
    const order = newOrder({ reference: 'W1/../ä', account: '60+1 2&3' })
    expect(await provider.submit(order, never)).toEqual({ kind: 'pending' })
    expect(seen).toHaveLength(1)
    expect(seen[0]).toMatchObject({
      method: 'PUT',
      url: '/api/buy/NOVA/W1%2F..%2F%C3%A4?to=60%2B1%202%263&pass=p%40ss%20word',
      headers: { 'x-partner': 'W1', 'x-sku': 'NV10', 'content-type': 'application/json' },
    })
    expect(JSON.parse(seen[0]?.body ?? '')).toEqual({
      sen: 1_000,
      text: 'RM 10.00',
      ic: IC_NUMBER,
      plan: null,
      fixed: [1, true, null, { password: SECRETS.password }],
    })
  })

  it('has texts and digests made of secrets and values, in every place', async () => {
    const { url, seen } = await record()
    const secret = { secret: 'password' }
    const sign = (encoding?: string) => ({ digest: 'md5', of: ['me', secret, '{{reference}}'], encoding })
    const provider = connect(url, {
      headers: { Accept: 'application/com.supplier-v1+json', Authorization: { text: ['Apikey ', secret] } },
      submit: {
        method: 'POST',
        path: '/',
        query: { sign: sign('base64url') },
        headers: { 'X-Sign': sign('hex_upper') },
        body: { ref: '{{reference}}', sign: sign(), text: 'text', digest: ['x'] },
        response: RESPONSE,
      },
    })
    await provider.submit(newOrder({ reference: 'W1-1' }), never)
    const digest = createHash('md5').update(`me${SECRETS.password}W1-1`).digest()
    expect(seen[0]).toMatchObject({
      url: `/?sign=${digest.toString('base64url')}`,
      headers: {
        accept: 'application/com.supplier-v1+json',
        authorization: `Apikey ${SECRETS.password}`,
        'x-sign': digest.toString('hex').toUpperCase(),
      },
    })
    const sign16 = digest.toString('hex')
    const body = { ref: 'W1-1', sign: sign16, text: 'text', digest: ['x'] }
    expect(JSON.parse(seen[0]?.body ?? '')).toEqual(body)
  })

  it('with a digest of a secret keeps it out of reasons', async () => {
    const digest = createHash('md5').update(`${SECRETS.password}W1-1`).digest('hex')
    const { url } = await record(JSON.stringify({ status: 'no', why: `sign ${digest} is wrong` }))
    const provider = connect(url, {
      submit: {
        method: 'POST',
        path: '/',
        body: {
          ref: '{{reference}}',
          sign: { digest: 'md5', of: [{ secret: 'password' }, '{{reference}}'] },
        },
        response: {
          outcome: { path: 'status', table: { ok: { outcome: 'succeeded' }, no: NO } },
          reason: ['message', 'why'],
        },
      },
    })
    const outcome = await provider.submit(newOrder({ reference: 'W1-1' }), never)
    expect(outcome).toMatchObject({ kind: 'failed', reason: expect.stringContaining('holds a secret') })
  })

  it('has the further values of its product', async () => {
    const { url, seen } = await record()
    const entry = { code: 'SKU', values: { send_value: '2.35', country: 'ID' } }
    const provider = connect(url, {
      products: { NOVA: { by_amount: { '10.00': entry } }, VOLT: 'V' },
      submit: {
        method: 'POST',
        path: '/',
        body: { ref: '{{reference}}', sku: '{{supplier_code}}', value: '{{product.send_value|number}}' },
        response: RESPONSE,
      },
    })
    await provider.submit(newOrder({ reference: 'W1-1' }), never)
    expect(JSON.parse(seen[0]?.body ?? '')).toEqual({ ref: 'W1-1', sku: 'SKU', value: 2.35 })
    const without = await provider.submit(newOrder({ productCode: 'VOLT' }), never)
    expect(without).toMatchObject({ kind: 'not_acted', code: 48 })
    expect(seen).toHaveLength(1)
  })

  it('is not sent for what the supplier has closed, which is asked about as ever', async () => {
    const { url, seen } = await record()
    const table = { pending: { outcome: 'pending' }, done: { outcome: 'succeeded' } }
    const request = { path: '/{{supplier_code}}', response: { outcome: { path: 'status', table } } }
    const provider = connect(url, {
      products: { NOVA: { by_amount: { '10.00': { code: 'SKU', closed: true } } } },
      submit: { method: 'POST', body: { ref: '{{reference}}' }, ...request },
      query: { method: 'GET', query: { ref: '{{reference}}' }, ...request },
    })
    expect(await provider.submit(newOrder(), never)).toMatchObject({ kind: 'not_acted', code: 45 })
    expect(await provider.query(newOrder(), never)).toMatchObject({ kind: 'pending' })
    expect(seen).toMatchObject([{ method: 'GET' }])
  })

  it('can be a form', async () => {
    const { url, seen } = await record()
    const form = { ref: '{{reference}}', pass: { secret: 'password' }, sum: '{{amount|plain}}' }
    const provider = connect(url, { submit: { method: 'POST', path: '/', form, response: RESPONSE } })
    await provider.submit(newOrder({ reference: 'W1-1' }), never)
    expect(seen[0]).toMatchObject({
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'ref=W1-1&pass=p%40ss%20word&sum=10',
    })
  })

  it.each<[string, Changes, Partial<Order>, number]>([
    ['a product without a code of the supplier', { path: '/{{supplier_code}}' }, { productCode: 'KITA' }, 48],
    ['an amount that has no whole sen', { body: { sen: '{{amount|cents}}' } }, { amount: 100_001n }, 61],
    ['a path that would lead elsewhere', { path: '/orders/{{account}}' }, { account: '..' }, 48],
    ['a path without its value', { path: '/orders/{{account}}' }, { account: '' }, 48],
    ['a value that is no text', { path: '/orders/{{account}}' }, { account: '\ud800' }, 48],
    ['a header with a line break', { headers: { 'X-A': '{{account}}' } }, { account: 'a\r\nX-B: c' }, 48],
  ])('is nothing for %s, and it is not the supplier that is ill', async (_, changes, order, code) => {
    const { url, seen } = await record()
    const provider = connect(url, {
      products: { NOVA: 'N' },
      submit: {
        method: 'POST',
        path: '/',
        query: { ref: '{{reference}}' },
        response: RESPONSE,
        ...changes,
      },
    })
    expect(await provider.submit(newOrder(order), never)).toMatchObject({ kind: 'not_acted', code })
    expect(seen).toEqual([])
  })
})
