import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { shareDemo } from '../catalog.ts'
import { from } from '../clients.ts'
import type { PaymentData } from '../payments.ts'
import { newRefid, PHONE, reload } from '../payments.ts'
import type { Receiver } from '../receiver/receiver.ts'
import { startReceiver } from '../receiver/receiver.ts'
import type { Service } from '../service.ts'
import { stopServices, until } from '../service.ts'
import type { AuthenticationResult } from '../tokens.ts'
import { askToken, createUser } from '../tokens.ts'
import type { Shop } from './members.ts'
import { dataOf, openShop, walk } from './members.ts'
import { call } from './people.ts'

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

async function paid(): Promise<{ id: string; refid: string }> {
  const body = reload()
  const { transaction_id: id, refid } = await shop.payer.untilStatus(body, 'Succesful')
  return { id, refid }
}

describe('payments', () => {
  it('are all there, once each, whatever the size of the pages, and the same in the CSV', async () => {
    const member = await openShop(service, '200')
    const refids: string[] = []
    for (let n = 0; n < 7; n += 1) {
      refids.push((await member.payer.untilStatus(reload(), 'Succesful')).refid)
    }
    refids.reverse()
    for (const size of [1, 3, 200]) {
      expect((await walk(member.viewer, '/payments', size)).map(({ refid }) => refid)).toEqual(refids)
    }
    const csv = await member.viewer.get('/payments.csv')
    expect(csv.headers['content-type']).toBe('text/csv; charset=utf-8')
    expect(csv.headers['content-disposition']).toContain(`payments-${member.payer.account}-`)
    const [header, ...lines] = csv.text.trimEnd().split('\r\n')
    expect(header?.startsWith('id,refid,created_at')).toBe(true)
    expect(lines.map((line) => line.split(',')[1])).toEqual(refids)
  })

  it('are summed over all pages as the list has them', async () => {
    const member = await openShop(service, '200')
    for (const product of ['NOVA', 'NOVA', 'KITA']) {
      await member.payer.untilStatus(reload({ product }), 'Succesful')
    }
    const sum = async (query: string) => dataOf(await member.viewer.get(`/payments/totals?${query}`))
    const all = { payments: 3, successful: 3, pending: 0, failed: 0, refunded: 0, success_rate: 1 }
    expect(await sum('')).toMatchObject({ ...all, sales: '30.00' })
    expect(await sum('product=NOVA')).toMatchObject({
      payments: 2,
      sales: '20.00',
      cost: '19.40',
      margin: '0.60',
    })
    expect(await sum('status=failed')).toMatchObject({ payments: 0, sales: '0.00', success_rate: null })
    expect(await sum(`account=${PHONE}`)).toMatchObject(all)
    expect((await member.viewer.get('/payments/totals?status=done')).status).toBe(400)
  })

  it('are found by status, product, account, refid and day', async () => {
    const member = await openShop(service, '200')
    const good = await member.payer.untilStatus(reload({ account: '60111111111' }), 'Succesful')
    const kita = await member.payer.untilStatus(reload({ product: 'KITA', amount: 12 }), 'Succesful')
    const found = async (query: string) =>
      (await walk(member.viewer, `/payments?${query}`, 50)).map(({ refid }) => refid)
    expect(await found('account=60111111111')).toEqual([good.refid])
    expect(await found('product=KITA')).toEqual([kita.refid])
    expect(await found(`refid=${good.refid}`)).toEqual([good.refid])
    expect(await found('status=successful')).toEqual([kita.refid, good.refid])
    expect(await found('status=failed&status=pending')).toEqual([])
    expect(await found('from=2020-01-01&to=2020-02-01')).toEqual([])
    expect((await member.viewer.get('/payments?status=done&limit=0&from=x')).json()).toMatchObject({
      errors: { status: [expect.any(String)] },
    })
  })

  it('show their PIN to admins and a mask to viewers, in the list, on the page, in the CSV and in the feed', async () => {
    const body = { refid: newRefid(), product: 'PINTEN', account: PHONE, amount: 10 }
    const { pin, transaction_id: id } = await shop.payer.untilStatus(body, 'Succesful')
    expect(pin).not.toBe('')
    const places = [`/payments?refid=${body.refid}`, `/payments/${id}`, '/payments.csv', '/events?limit=200']
    await until('the feed has it', async () => (await shop.admin.get('/events?limit=200')).text.includes(pin))
    for (const place of places) {
      expect((await shop.admin.get(place)).text, place).toContain(pin)
      const seen = await shop.viewer.get(place)
      expect(seen.status, place).toBe(200)
      expect(seen.text, place).toContain('****')
      expect(seen.text, place).not.toContain(pin)
    }
  })

  it('show it to the bearer token of an admin and not to a viewer’s, in history, feed and delivery log', async () => {
    const member = await openShop(service, '100')
    await receiver.behave('/told-with-pin', { kind: 'answer', status: 200, body: 'taken' })
    const token = 'of-the-receiver-alone'
    const url = `${receiver.urls.plain}/told-with-pin?token=${token}`
    dataOf(await member.admin.send('PUT', '/endpoints/callback', { url, method: 'GET' }))
    const bearerOf = async (role: 'admin' | 'viewer') => {
      const { username, password } = await createUser(service, { account: member.payer.account, role })
      const answer = (await askToken(service, { username, password })).json<{
        AuthenticationResult: AuthenticationResult
      }>()
      return { Authorization: `Bearer ${answer.AuthenticationResult.IdToken}` }
    }
    const [admin, viewer] = [await bearerOf('admin'), await bearerOf('viewer')]
    const body = { refid: newRefid(), product: 'PINTEN', account: PHONE, amount: 10 }
    const { pin } = await member.payer.untilStatus(body, 'Succesful')
    expect(pin).not.toBe('')
    const day = new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 10)
    const places = [
      `/v2/transactions?date=${day}&limit=10`,
      '/v2/events?after=0&limit=200',
      '/v2/callback-url/deliveries',
    ]
    for (const place of places) {
      const seen = (headers: Record<string, string>) => call(service, 'GET', place, undefined, headers)
      await until(`${place} has it`, async () => (await seen(admin)).text.includes(pin))
      const masked = await seen(viewer)
      expect(masked.status, place).toBe(200)
      expect(masked.text, place).toContain('****')
      expect(masked.text, place).not.toContain(pin)
    }
    for (const place of ['/v2/callback-url', '/v2/callback-url/deliveries']) {
      expect((await call(service, 'GET', place, undefined, admin)).text, place).toContain(token)
      expect((await call(service, 'GET', place, undefined, viewer)).text, place).not.toContain(token)
    }
  })

  it('have a page with their states, what moved in the wallet, and their callbacks', async () => {
    const path = '/portal-callback'
    await receiver.behave(path, { kind: 'answer', status: 200, body: 'taken' })
    const url = `${receiver.urls.plain}${path}`
    dataOf(await shop.admin.send('PUT', '/endpoints/callback', { url, method: 'POST' }))
    const { id, refid } = await paid()
    const page = await until('the callback was taken', async () => {
      const data = dataOf<{ callbacks: { status: string }[] }>(await shop.admin.get(`/payments/${id}`))
      return data.callbacks.some(({ status }) => status === 'success') ? data : undefined
    })
    expect(page).toMatchObject({
      id,
      refid,
      status: 'successful',
      timeline: [
        { kind: 'request', status: 'accepted' },
        { kind: 'state', status: 'successful' },
      ],
      movements: [{ kind: 'payment', amount: '-9.70' }],
      callbacks: [{ status: 'success', response_status: 200, response_body: 'taken' }],
    })
    const seen = dataOf<{ callbacks: unknown[] }>(await shop.viewer.get(`/payments/${id}`))
    expect(seen.callbacks).toMatchObject([{ status: 'success', response_body: '' }])
    await shop.admin.send('DELETE', '/endpoints/callback')
  })

  it('payments of other accounts are as unknown as those that do not exist', async () => {
    const { id, refid } = await paid()
    const [foreign, unknown, malformed] = await Promise.all(
      [id, '999999999999', 'x'].map((each) => other.admin.get(`/payments/${each}`)),
    )
    expect(foreign?.status).toBe(404)
    expect([foreign?.text, malformed?.text]).toEqual([unknown?.text, unknown?.text])
    expect(await walk(other.admin, `/payments?refid=${refid}`, 10)).toEqual([])
  })
})

describe('days', () => {
  it('may lie anywhere in the calendar', async () => {
    for (const days of [
      'from=9999-12-31',
      'from=9999-12-01&to=9999-12-31',
      'to=0000-01-01',
      'to=0000-12-31',
    ]) {
      const places = [
        '/payments',
        '/payments/totals',
        '/payments.csv',
        '/reports/sales',
        '/reports/sales.csv',
        '/reports/sales.pdf',
        '/statement',
        '/statement.csv',
        '/request-log',
      ]
      for (const place of places) {
        const answer = await shop.viewer.get(`${place}?${days}`)
        expect([200, 400], `${place}?${days}: ${answer.text}`).toContain(answer.status)
      }
    }
  })
})

describe('an answer', () => {
  it('is kept by no browser and no proxy', async () => {
    const document = (await service.get('/portal/v1/openapi.json')).json<{
      paths: Record<string, Record<string, unknown>>
    }>()
    const [prefix, own] = ['/portal/v1', '/portal/v1/openapi.json']
    const paths = Object.entries(document.paths).flatMap(([path, methods]) =>
      'get' in methods && !path.includes('{') && path !== own ? [path.slice(prefix.length)] : [],
    )
    expect(paths.length).toBeGreaterThan(20)
    for (const path of paths) {
      const answer = await shop.admin.get(path)
      if (answer.status === 200) expect(answer.headers['cache-control'], path).toBe('no-store')
    }
  })
})

describe('the statement', () => {
  it('has every entry once, and its summary adds up', async () => {
    const member = await openShop(service, '100')
    const paid: PaymentData[] = []
    for (let n = 0; n < 3; n += 1) paid.unshift(await member.payer.untilStatus(reload(), 'Succesful'))
    const entries = await walk(member.viewer, '/statement', 2)
    expect(entries.map(({ number }) => number)).toEqual(['4', '3', '2', '1'])
    expect(entries.map(({ kind }) => kind)).toEqual(['payment', 'payment', 'payment', 'deposit'])
    // Entries name their payments as the signed API's statement does.
    expect(entries.map(({ refid, trxid }) => [refid, trxid])).toEqual([
      ...paid.map(({ refid, transaction_id: trxid }) => [refid, trxid]),
      [null, null],
    ])
    expect((await walk(member.viewer, '/statement?type=deposit', 2)).map(({ number }) => number)).toEqual([
      '1',
    ])
    expect(await walk(member.viewer, '/statement?type=payment', 2)).toHaveLength(3)
    const { summary } = (await member.viewer.get('/statement')).json<{ summary: unknown }>()
    const sums = {
      opening: '0.00',
      closing: '70.90',
      deposits: { amount: '100.00', count: 1 },
      payments: { amount: '-29.10', count: 3 },
      refunds: { amount: '0.00', count: 0 },
      commissions: { amount: '0.00', count: 0 },
    }
    expect(summary).toMatchObject(sums)
    const months = dataOf<unknown[]>(await member.viewer.get('/statement/months?months=3'))
    expect(months).toMatchObject([sums, { opening: '0.00', closing: '0.00' }, { closing: '0.00' }])
    const { text } = await member.viewer.get('/statement.csv')
    const rows = text.trimEnd().split('\r\n')
    expect(rows).toHaveLength(5)
    expect(rows[0]).toContain('payment_id,refid,remarks')
    for (const { refid, transaction_id: id } of paid) expect(text).toContain(`,${id},${refid},`)
  })
})

describe('selling', () => {
  it("is the reseller API's own payment, in the member's name", async () => {
    const body = reload({ account: '60123456770' })
    const answer = await shop.admin.send('POST', '/sell/payments', body)
    expect(answer.status, answer.text).toBe(200)
    const self = dataOf<{ id: string }>(await shop.admin.get('/session'))
    const [listed] = await walk(shop.admin, `/payments?refid=${body.refid}`, 1)
    expect(listed).toMatchObject({ refid: body.refid, member_id: self.id, product: 'NOVA' })
    const again = await shop.admin.send('POST', '/sell/payments', body)
    expect(again.json()).toMatchObject({ data: { refid: body.refid } })
    expect(await walk(shop.admin, `/payments?refid=${body.refid}`, 1)).toHaveLength(1)
  })

  it('is refused where only API keys may pay', async () => {
    const member = await openShop(service, '100')
    dataOf(await member.admin.send('PATCH', '/settings', { topup_requires_api_key: true }))
    await until('the node knows', async () => {
      const answer = await member.admin.send('POST', '/sell/payments', reload())
      return answer.status === 403 && answer.text.includes('api_key_required')
    })
    expect((await member.payer.send(reload())).status).toBe(200)
  })

  it('is refused from an address that the account does not allow, and everything else is not', async () => {
    const member = await openShop(service, '100')
    const [office, elsewhere] = ['203.0.113.9', '203.0.113.200']
    // The node may let the first ones pass: the same payment again would be asked about.
    const body = () => reload({ allow_duplicate: true })
    const pay = (address: string) => member.admin.send('POST', '/sell/payments', body(), from(address))
    dataOf(
      await member.admin.send('POST', '/ip-allowlist', {
        networks: [office],
        password: member.admin.password,
      }),
    )
    await until('the node knows', async () => {
      const answer = await pay(elsewhere)
      return answer.status === 403 && answer.text.includes('ip_not_allowed')
    })
    expect((await pay(office)).status).toBe(200)
    const unchanged = { topup_requires_api_key: false }
    const seen = await member.admin.send('PATCH', '/settings', unchanged, from(elsewhere))
    expect(dataOf(seen)).toMatchObject({ your_address: elsewhere })
  })

  it('shows forms and bills as integrators get them', async () => {
    expect((await shop.viewer.get('/sell/catalog?product_code=NOVA')).text).toContain('"NOVA"')
    expect((await shop.viewer.get('/sell/options?product_code=NOVA&field_id=amount')).status).toBe(200)
    expect((await shop.viewer.get('/sell/network-status?product=FP')).text).toContain('Interruption')
  })
})

describe('a case', () => {
  it('is opened by an admin, and seen by viewers', async () => {
    const { id, refid } = await paid()
    const opened = await shop.admin.send('POST', '/cases/disputes', { refid })
    expect(opened.json()).toMatchObject({ data: { refid, status: 'Success' } })
    const { data } = (await shop.viewer.get('/cases')).json<{ data: { refid: string; number: string }[] }>()
    const number = data.find((each) => each.refid === refid)?.number ?? ''
    const page = dataOf(await shop.viewer.get(`/payments/${id}`))
    expect(page).toMatchObject({ amount_currency: 'MYR', cases: [{ number, kind: 'dispute' }] })
    expect(dataOf(await shop.viewer.get(`/cases/${number}`))).toMatchObject({ kind: 'dispute', refid })
    const [foreign, unknown] = await Promise.all([
      other.viewer.get(`/cases/${number}`),
      other.viewer.get('/cases/C-2026-99999999'),
    ])
    expect([foreign.status, foreign.text]).toEqual([404, unknown.text])
  })
})
