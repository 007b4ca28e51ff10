import { createPublicKey, verify } from 'node:crypto'
import pg from 'pg'
import { beforeAll, expect, it } from 'vitest'
import type { Demo } from '../../catalog.ts'
import { shareDemo } from '../../catalog.ts'
import { expectEdgeHeaders } from '../../edge.ts'
import type { Answer } from '../../http.ts'
import { send, signed } from '../../http.ts'
import type { PayBody, Payer, PaymentData } from '../../payments.ts'
import { createPayer, reload } from '../../payments.ts'
import { openShop } from '../../portal/members.ts'
import { SLIPS } from '../../portal/slips.ts'
import type { ServiceProcess } from '../../service.ts'
import { until } from '../../service.ts'

// Receipts as their seller gets them, and as a stranger with the link sees them. Signatures are verified without JOSE.

/** Account whose payment succeeds at once, and whose void is approved. */
const VOIDABLE = '60123454001'

let demo: Demo<ServiceProcess>
let payer: Payer

beforeAll(async () => {
  demo = await shareDemo()
  payer = await createPayer(demo.service, '1000')
})

type Receipt = {
  number: string
  transaction_id: string
  account: string
  state: string
  verify_url: string
}

function ask(id: string, by = payer): Promise<Answer> {
  return signed(demo.service.baseUrl, by.credentials, { method: 'GET', path: `/v2/receipts/${id}` })
}

async function get(id: string): Promise<{ data: Receipt; jws: string; text: string }> {
  const answer = await ask(id)
  expect(answer.status, answer.text).toBe(200)
  expectEdgeHeaders(answer)
  return { ...answer.json<{ data: Receipt; jws: string }>(), text: answer.text }
}

function payFor(body: PayBody, status: PaymentData['status'] = 'Succesful'): Promise<PaymentData> {
  return payer.untilStatus(body, status)
}

/** Reads a compact JWS, whose signature must be by a published key. */
async function open(jws: string): Promise<Record<string, unknown>> {
  const [head = '', payload = '', signature = ''] = jws.split('.')
  const header = JSON.parse(Buffer.from(head, 'base64url').toString()) as { alg: string; kid: string }
  expect(header.alg).toBe('ES256')
  const { keys } = (await demo.service.get('/.well-known/jwks.json')).json<{ keys: { kid: string }[] }>()
  const jwk = keys.find(({ kid }) => kid === header.kid)
  const key = createPublicKey({ key: jwk as never, format: 'jwk' })
  const given = Buffer.from(signature, 'base64url')
  const holds = (text: string) =>
    verify('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' }, given)
  expect(holds(`${head}.${payload}`)).toBe(true)
  expect(holds(`${head}.${payload}x`)).toBe(false)
  return JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, unknown>
}

function show(url: string, language = 'en'): Promise<Answer> {
  const path = new URL(url).pathname
  return send({ baseUrl: demo.service.baseUrl, path, headers: { 'accept-language': language } })
}

it('a receipt has what the customer may see, signed, and neither PIN nor link', async () => {
  const body = reload({ product: 'PINTEN' })
  const paid = await payFor(body)
  expect(paid.pin).not.toBe('')
  const { data, jws, text } = await get(paid.transaction_id)
  expect(data).toMatchObject({
    number: expect.stringMatching(/^[0-9A-Z]{4}-[0-9A-Z]{4}$/),
    transaction_id: paid.transaction_id,
    account: expect.stringMatching(/^\d{3}\*+789$/),
    state: 'succeeded',
  })
  const claims = await open(jws)
  expect(claims).toEqual({
    trxid: paid.transaction_id,
    refid: body.refid,
    product: 'PINTEN',
    account: data.account,
    amount: 10,
    currency: 'MYR',
    status: 'Succesful',
    time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    digest: expect.stringMatching(/^[\w-]{43}$/),
    entry: expect.any(Number),
  })
  const page = await show(data.verify_url)
  expect(page.text).toContain('Dial *128*PIN#')
  expect((await show(data.verify_url, 'ms')).text).toContain('Dail *128*PIN#')
  for (const each of [text, JSON.stringify(claims)]) expect(each).not.toContain('128')
  for (const each of [text, JSON.stringify(claims), page.text]) {
    expect(each).not.toContain(paid.pin)
    expect(each).not.toContain('456')
  }
})

it('a receipt keeps its number and its link, however many ask for it at once', async () => {
  const { transaction_id: id } = await payFor(reload())
  const all = await Promise.all(Array.from({ length: 20 }, () => get(id)))
  expect(new Set(all.map(({ data, jws }) => JSON.stringify([data, jws]))).size).toBe(1)
})

it('the page of a receipt says that it is genuine and when it was voided, in the language of the reader', async () => {
  const body = reload({ product: 'VOLT', account: VOIDABLE })
  const { transaction_id: id } = await payFor(body)
  const { data } = await get(id)
  const paid = await show(data.verify_url)
  expect(paid.status).toBe(200)
  expect(paid.headers['content-security-policy']).toMatch(/^default-src 'none'/)
  for (const part of [data.number, 'is genuine', 'Paid, and delivered', data.account]) {
    expect(paid.text).toContain(part)
  }
  for (const [language, words] of [
    ['ms-MY,en;q=0.5', 'Resit ini tulen'],
    ['id', 'Struk ini asli'],
    ['en;q=0.3, zh-CN', '此收据真实有效'],
    ['ta-SG', 'இந்த ரசீது உண்மையானது'],
  ] as const) {
    expect((await show(data.verify_url, language)).text).toContain(words)
  }

  const path = '/v2/transactions/void'
  const json = { refid: body.refid, refund_type: 1 }
  await signed(demo.service.baseUrl, payer.credentials, { method: 'POST', path, json })
  const voided = await until('it is voided', async () => {
    const { text } = await show(data.verify_url)
    return text.includes('Voided') ? text : undefined
  })
  // The signature of before is still ours.
  expect(voided).toContain('is genuine')
  const now = await get(id)
  expect(now.data).toEqual({ ...data, state: 'voided' })
  expect((await open(now.jws)).status).toBe('Failed')
  expect((await show(data.verify_url)).text).toContain('is genuine')
})

it('the page of a receipt has the head and the foot of its shop', async () => {
  const shop = await openShop(demo.service, '100')
  const header = {
    name: 'Kedai <Ali>',
    address: '12 Jalan Besar, Kajang',
    registration_number: '202601012345',
    footer: 'Open from 9 to 9',
    logo: SLIPS.png.toString('base64'),
  }
  const put = await shop.admin.send('PUT', '/receipt-header', header)
  expect(put.status, put.text).toBe(200)
  const { transaction_id: id } = await shop.payer.untilStatus(reload(), 'Succesful')
  const { data } = (await ask(id, shop.payer)).json<{ data: Receipt }>()
  const { text } = await show(data.verify_url)
  const shown = [header.address, header.registration_number, header.footer, header.logo, 'Kedai &lt;Ali&gt;']
  for (const part of shown) expect(text).toContain(part)
})

it('the page of a receipt whose signature is of another one says that it is not genuine', async () => {
  const [one, other] = [await payFor(reload()), await payFor(reload())]
  const [{ data }, { jws }] = [await get(one.transaction_id), await get(other.transaction_id)]
  const database = new pg.Client({ connectionString: String(demo.service.environment.DATABASE_URL) })
  await database.connect()
  await database.query('update receipts set jws = $2 where number = $1', [data.number, jws])
  await database.end()
  const { text } = await show(data.verify_url)
  expect(text).toContain('is not genuine')
})

it('there is no receipt of what did not succeed, of another reseller or of nothing', async () => {
  const failed = await payFor(reload({ account: '60123450048' }), 'Failed')
  const refused = await ask(failed.transaction_id)
  expect(refused.status).toBe(409)
  expect(refused.json()).toMatchObject({ message: expect.stringContaining('This one is Failed') })
  const stranger = await createPayer(demo.service, null)
  const paid = await payFor(reload())
  for (const answer of [
    await ask(paid.transaction_id, stranger),
    await ask('1'),
    await ask('x'),
    await ask('9'.repeat(30)),
  ]) {
    expect(answer.status).toBe(404)
  }
  for (const token of ['A'.repeat(22), 'x', '%00', '..%2F..']) {
    expect((await show(`${demo.service.baseUrl}/r/${token}`)).status).toBe(404)
  }
})
