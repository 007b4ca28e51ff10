import { beforeAll, describe, expect, it } from 'vitest'
import { METER } from '../bills.ts'
import { shareDemo } from '../catalog.ts'
import type { Answer } from '../http.ts'
import { until } from '../service.ts'
import type { Shop } from './api-client.ts'
import { clientOf, expectCoded, openOrder, PHONE, RELOAD } from './api-client.ts'

let shop: Shop

beforeAll(async () => {
  const { service, first } = await shareDemo()
  shop = { baseUrl: service.baseUrl, credentials: first.credentials }
})

const reload = (more: object = {}) => ({ product_code: RELOAD, account: PHONE, amount: '10', ...more })

describe('hostile input', () => {
  const HOSTILE = [
    '',
    ' ',
    '\u0000',
    'a\u0000b',
    '\ud800',
    '\u202e\u2066',
    '<script>alert(1)</script>',
    "'; drop table orders; --",
    '{{7*7}}#{7*7}',
    '../../etc/passwd',
    '%00%0d%0aSet-Cookie:a=b',
    '𐀀'.repeat(100),
    'x'.repeat(10_000),
    '__proto__',
    'constructor',
    'NaN',
    '1e999',
  ]

  it('no text in any field breaks a step, and none is repeated as markup', async () => {
    const client = await openOrder(shop)
    for (const text of HOSTILE) {
      const extras = { subproduct_code: text, biller_code: text, ref2: text, ic_number: text }
      const json = { product_code: text, account: text, amount: text, extras, quantity: 1 }
      // A query has a limit of its own: the head of a request is at most 16 kB.
      const encoded = encodeURIComponent(text.replace(/\p{Cs}/gu, '\ufffd').slice(0, 300))
      const answers = [
        await client.ask('/quote', { method: 'POST', json }),
        await client.ask('/items', {
          method: 'PUT',
          json: { version: 1, items: [json, reload({ account: text, extras })] },
        }),
        await client.ask(`/options?product_code=${encoded}&field_id=${encoded}&search=${encoded}`),
        await client.ask(
          `/options?product_code=BILLPAY&field_id=biller&search=${encoded}&biller_code=${encoded}`,
        ),
        await client.ask(`/bill?product=${encoded}&account=${encoded}&amount=${encoded}`),
      ]
      for (const answer of answers) {
        expect(answer.status, `${JSON.stringify(text)} ${answer.text}`).toBeLessThan(500)
        expect(answer.headers['content-type']).toMatch(/^application\/json/)
      }
    }
    expect((await client.order()).items).toEqual([])
  })

  it.each([
    ['ten million brackets', '['.repeat(10_000_000), 413, 'body_too_large'],
    ['brackets in a small body', `{"version":1,"items":${'['.repeat(30_000)}`, 400, undefined],
    ['no JSON', 'version=1', 400, undefined],
    ['null', 'null', 400, undefined],
    ['a list', '[]', 400, undefined],
  ])('a body of %s is refused, and the service goes on', async (_, body, status, code) => {
    const client = await openOrder(shop)
    const headers = { 'Content-Type': 'application/json' }
    for (const [method, path] of [
      ['PUT', '/items'],
      ['POST', '/quote'],
      ['POST', '/submit'],
    ] as const) {
      const answer = await client.ask(path, { method, headers, body })
      expect(answer.status, `${path} ${answer.text.slice(0, 200)}`).toBe(status)
      if (code !== undefined) expect(answer.json<{ error: string }>().error).toBe(code)
    }
    expect((await client.order()).version).toBe(1)
  })
})

type Flood = { readonly good: number; readonly refused: Answer }

const BATCH = 10

/** Repeats a step until it is refused. Limits count by the minute, so a slow machine may need more of them. */
function floodUntilRefused(step: () => Promise<Answer>): Promise<Flood> {
  let good = 0
  return until('a request is refused', async () => {
    const answers = await Promise.all(Array.from({ length: BATCH }, step))
    const refused = answers.find(({ status }) => status === 429)
    good += answers.filter(({ status }) => status !== 429).length
    return refused && { good, refused }
  })
}

describe('a flood', () => {
  it('requests of one order are refused with the time to wait, and other orders go on', async () => {
    const client = await openOrder(shop)
    const calm = await openOrder(shop)
    const { good, refused } = await floodUntilRefused(() => client.ask())
    expect(good).toBeGreaterThanOrEqual(120)
    expectCoded(refused, 429, 'too_many_requests')
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60)
    expect((await calm.ask()).status).toBe(200)
  })

  it('a customer at another address is the same customer', async () => {
    const client = await openOrder(shop)
    const elsewhere = clientOf(shop, { order_id: client.orderId, client_token: client.token })
    const answer = await until('the time to wait is not over when the other asks', async () => {
      const { refused } = await floodUntilRefused(() => client.ask())
      const endsMs = Date.now() + (Number(refused.headers['retry-after']) - 1) * 1_000
      const other = await elsewhere.ask()
      return Date.now() < endsMs && other
    })
    expectCoded(answer, 429, 'too_many_requests')
  })

  it('bill questions are refused earlier, while the order itself can be read', async () => {
    const client = await openOrder(shop)
    const { good } = await floodUntilRefused(() => client.ask(`/bill?product=VOLT&account=${METER}`))
    expect(good).toBeGreaterThanOrEqual(20)
    expect((await client.ask()).status).toBe(200)
  })

  it('items that need a question to a supplier are counted one by one', async () => {
    const client = await openOrder(shop)
    // No number has an offer at this price.
    const offers = Array.from({ length: 16 }, (_, index) => ({
      product_code: 'NOVAMY',
      account: `601234560${10 + index}`,
      amount: '0.01',
    }))
    const first = await client.put(offers)
    expect(first.status, first.text).toBe(422)
    await until(
      'the questions of a minute are used up',
      async () => (await client.put(offers)).status === 429,
    )
    expect((await client.put([reload()])).status).toBe(200)
  })

  it('guesses at a token do not keep its holder out', async () => {
    const client = await openOrder(shop)
    const guess = clientOf(shop, { order_id: client.orderId, client_token: `ct_${'B'.repeat(43)}` })
    const statuses = new Set<number>()
    for (let sent = 0; sent < 130; sent += BATCH) {
      const answers = await Promise.all(Array.from({ length: BATCH }, () => guess.ask()))
      for (const { status } of answers) statuses.add(status)
    }
    expect([...statuses]).toEqual([404])
    expect((await client.ask()).status).toBe(200)
  })
})
