import { beforeAll, describe, expect, it } from 'vitest'
import { METER } from '../bills.ts'
import { shareDemo } from '../catalog.ts'
import type { Answer } from '../http.ts'
import type { Client, Shop } from './api-client.ts'
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

describe('floods', () => {
  async function flood(
    client: Client,
    path: string,
    times: number,
    step = { method: 'GET' },
  ): Promise<Answer[]> {
    const answers: Answer[] = []
    for (let sent = 0; sent < times; sent += 20) {
      const batch = Array.from({ length: Math.min(20, times - sent) }, () => client.ask(path, step))
      answers.push(...(await Promise.all(batch)))
    }
    return answers
  }

  it('of one order are refused with the time to wait, and other orders go on', async () => {
    const client = await openOrder(shop)
    const calm = await openOrder(shop)
    const answers = await flood(client, '', 160)
    const refused = answers.filter(({ status }) => status === 429)
    // A new minute may begin on the way: then another 120 are allowed.
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(120)
    expect(refused.length).toBeGreaterThan(0)
    for (const answer of refused) {
      expectCoded(answer, 429, 'too_many_requests')
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
      expect(Number(answer.headers['retry-after'])).toBeLessThanOrEqual(60)
    }
    expect((await calm.ask()).status).toBe(200)
    // The same customer from another address is the same customer.
    const elsewhere = clientOf(shop, { order_id: client.orderId, client_token: client.token })
    const again = await flood(elsewhere, '', 121)
    expect(again.some(({ status }) => status === 429)).toBe(true)
  })

  it('of bill questions are refused earlier, while the order itself can be read', async () => {
    const client = await openOrder(shop)
    const answers = await flood(client, `/bill?product=VOLT&account=${METER}`, 45)
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(40)
    expect(answers.some(({ status }) => status === 429)).toBe(true)
    expect((await client.ask()).status).toBe(200)
  })

  it('of guesses at a token do not keep its holder out', async () => {
    const client = await openOrder(shop)
    const guess = clientOf(shop, { order_id: client.orderId, client_token: `ct_${'B'.repeat(43)}` })
    const answers = await flood(guess, '', 140)
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([404]))
    expect((await client.ask()).status).toBe(200)
  })
})
