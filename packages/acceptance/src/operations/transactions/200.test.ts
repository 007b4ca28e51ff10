import { beforeAll, describe, expect, it } from 'vitest'
import type { Demo } from '../../catalog.ts'
import { shareDemo } from '../../catalog.ts'
import type { TestReseller } from '../../edge.ts'
import { createReseller, expectEdgeHeaders, issueTokens } from '../../edge.ts'
import { send, signed } from '../../http.ts'
import { until } from '../../service.ts'
import { list, matching, nullable, object, oneOf, text, words } from '../../shapes.ts'

const PATH = '/v2/transactions'
const TIME = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}$/
const AMOUNT = matching(/^-?\d+\.\d{2,4}$/)
const COUNT = matching(/^\d+$/)

const historyShape = object({
  data: list(
    object({
      trxid: COUNT,
      date: matching(TIME),
      product_code: words,
      product_name: words,
      biller_code: nullable(words),
      product_image_url: words,
      category: words,
      amount: AMOUNT,
      account: words,
      sender: words,
      member_id: words,
      status_code: COUNT,
      status_name: oneOf('Successful', 'Pending', 'Failed', 'Refund'),
      response_date: text,
      price: AMOUNT,
      sn: text,
      pin: text,
      expiry: text,
      remarks: text,
      refid: words,
      voucherlink: text,
      currency: words,
    }),
  ),
  meta: object({
    transaction_count: COUNT,
    total_amount: AMOUNT,
    total_price: AMOUNT,
    profit: AMOUNT,
    successful_count: COUNT,
    failed_count: COUNT,
    pending_count: COUNT,
    refund_count: COUNT,
  }),
})

type Row = Record<string, string | null>
type History = { data: Row[]; meta: Record<string, string> }

let demo: Demo
let reseller: TestReseller
const ids = new Map<string, string>()

/** Account whose payment is never answered, so that it stays Processing. */
const SILENT = '60123453003'
/** Account whose payment fails with 48 at once. */
const FAILING = '60123452000'
const CUSTOMER = '60123456789'

beforeAll(async () => {
  demo = await shareDemo()
  reseller = await createReseller(demo.service)
  await demo.service.warungd(
    ...(['deposit', '--reseller', reseller.account, '--amount', '500', '--remarks', 'bank'] as const),
  )
  // The product has no billers, so the code means nothing.
  await pay('first', 'NOVA', CUSTOMER, 10, { biller_code: 'UNUSED' })
  await pay('second', 'KITA', CUSTOMER, '25.50')
  await pay('third', 'NOVA', FAILING, 30)
  await pay('fourth', 'NOVA', SILENT, 5)
  await pay('fifth', 'PINTEN', CUSTOMER, 10)
  await until('all but one are final', async () => {
    const { meta } = await history()
    return meta.pending_count === '1' && meta.failed_count === '1'
  })
})

async function pay(
  refid: string,
  product: string,
  account: string,
  amount: string | number,
  extras: Record<string, string> = {},
): Promise<void> {
  const json = { refid, product, account, amount, extras, remarks: `for ${refid}` }
  const answer = await signed(demo.service.baseUrl, reseller, { method: 'POST', path: '/v2/topup', json })
  expect(answer.status, answer.text).toBe(200)
  ids.set(refid, answer.json<{ data: { transaction_id: string } }>().data.transaction_id)
}

/** Returns a day by GMT+8, counted from today. */
function day(offset: number): string {
  return new Date(Date.now() + (8 + 24 * offset) * 3_600_000).toISOString().slice(0, 10)
}

/** Range of days: the payments may be on both sides of a midnight. */
const AROUND = `date=${day(-1)}+-+${day(1)}`

async function history(query = '', whose = reseller): Promise<History> {
  const path = `${PATH}?${AROUND}&limit=1000${query && `&${query}`}`
  const answer = await signed(demo.service.baseUrl, whose, {
    path: path.replace(/limit=1000(?=.*limit=)&?/, ''),
  })
  expect(answer.status, answer.text.slice(0, 300)).toBe(200)
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
  expectEdgeHeaders(answer)
  expect(historyShape(answer.json(), 'history')).toEqual([])
  return answer.json<History>()
}

const refids = ({ data }: History) => data.map(({ refid }) => refid)

describe('the answer', () => {
  it('has every payment, newest first, in the shape of the contract', async () => {
    const found = await history()
    expect(refids(found)).toEqual(['fifth', 'fourth', 'third', 'second', 'first'])
    expect(found.data.map(({ trxid }) => trxid)).toEqual(
      ['fifth', 'fourth', 'third', 'second', 'first'].map((refid) => ids.get(refid)),
    )
    for (const { response_date, status_name } of found.data) {
      if (status_name === 'Pending') expect(response_date).toBe('')
      else expect(response_date).toMatch(TIME)
    }
  })

  it('shows what was asked for and what came of it', async () => {
    const { data } = await history()
    const [fifth, fourth, third, second, first] = data
    expect(first).toMatchObject({
      product_code: 'NOVA',
      biller_code: null,
      amount: '10.00',
      account: CUSTOMER,
      sender: '127.0.0.1',
      status_code: '20',
      status_name: 'Successful',
      remarks: 'for first',
      currency: 'MYR',
      pin: '',
    })
    expect(first?.sn).toMatch(/\S/)
    expect(second).toMatchObject({ product_code: 'KITA', amount: '25.50', status_name: 'Successful' })
    expect(third).toMatchObject({ amount: '30.00', status_code: '48', status_name: 'Failed' })
    expect(third?.remarks).not.toBe('for third')
    expect(fourth).toMatchObject({ status_name: 'Pending', remarks: 'for fourth', sn: '' })
    expect(fifth).toMatchObject({ product_code: 'PINTEN', status_name: 'Successful' })
    expect(fifth?.pin).toMatch(/\S/)
  })

  it('counts everything, and sums what succeeded or may', async () => {
    const { data, meta } = await history()
    expect(meta).toMatchObject({
      transaction_count: '5',
      successful_count: '3',
      pending_count: '1',
      failed_count: '1',
      refund_count: '0',
      total_amount: '50.50',
    })
    const price = data
      .filter(({ status_name }) => status_name !== 'Failed')
      .reduce((sum, row) => sum + Number(row.price), 0)
    expect(Number(meta.total_price)).toBeCloseTo(price, 4)
    expect(Number(meta.profit)).toBeCloseTo(50.5 - price, 4)
  })

  async function historyOf(role: 'admin' | 'viewer'): Promise<History> {
    const { IdToken } = await issueTokens(demo.service, reseller.account, role)
    const headers = { Authorization: `Bearer ${IdToken}` }
    const path = `${PATH}?${AROUND}&limit=1000`
    const answer = await send({ baseUrl: demo.service.baseUrl, path, headers })
    expect(answer.status).toBe(200)
    return answer.json()
  }

  it('is the same to the holder of a bearer token who may sell', async () => {
    expect(await historyOf('admin')).toEqual(await history())
  })

  it('shows viewers all but the PINs, by a bearer token too', async () => {
    const { data, meta } = await history()
    const masked = data.map((row) => ({ ...row, pin: row.pin ? `****${row.pin.slice(-4)}` : row.pin }))
    expect(masked).not.toEqual(data)
    expect(await historyOf('viewer')).toEqual({ data: masked, meta })
  })

  it("has nothing of another account's payments", async () => {
    const other = await createReseller(demo.service)
    expect(await history('', other)).toEqual({
      data: [],
      meta: {
        transaction_count: '0',
        total_amount: '0.00',
        total_price: '0.00',
        profit: '0.00',
        successful_count: '0',
        failed_count: '0',
        pending_count: '0',
        refund_count: '0',
      },
    })
  })
})

describe('filters', () => {
  it.each([
    ['status=SUCCESSFUL', ['fifth', 'second', 'first']],
    ['status=PENDING', ['fourth']],
    ['status=FAILED', ['third']],
    ['status=REFUND', []],
    ['status=PENDING&status=FAILED', ['fourth', 'third']],
    ['status[]=PENDING&status[]=FAILED', ['fourth', 'third']],
    ['status[0]=PENDING&status[1]=FAILED', ['fourth', 'third']],
    ['status%5B%5D=PENDING', ['fourth']],
    ['status=PENDING&status[]=FAILED', ['fourth', 'third']],
    [
      'status=FAILED&status=PENDING&status=SUCCESSFUL&status=REFUND',
      ['fifth', 'fourth', 'third', 'second', 'first'],
    ],
    ['status=', ['fifth', 'fourth', 'third', 'second', 'first']],
    ['product=NOVA', ['fourth', 'third', 'first']],
    ['product=', ['fifth', 'fourth', 'third', 'second', 'first']],
    ['product=nova', []],
    [`account=${CUSTOMER}`, ['fifth', 'second', 'first']],
    [`account=${CUSTOMER}&product=NOVA`, ['first']],
    [`account=${SILENT}&status=SUCCESSFUL`, []],
    ['account=%27%22%3B--', []],
  ])('%s gives %j, and meta speaks of just these', async (query, expected) => {
    const found = await history(query)
    expect(refids(found)).toEqual(expected)
    expect(found.meta.transaction_count).toBe(String(expected.length))
  })
})

describe('pages', () => {
  it('limit and offset walk through everything; meta stays what it is', async () => {
    const all = await history()
    const seen: (string | null | undefined)[] = []
    for (let offset = 0; offset < 8; offset += 2) {
      const page = await history(`limit=2&offset=${offset}`)
      expect(page.meta).toEqual(all.meta)
      seen.push(...refids(page))
    }
    expect(seen).toEqual(refids(all))
  })

  it.each(['limit=1&offset=5', 'limit=1000&offset=999999999'])('%s is past the end: empty', async (query) => {
    const page = await history(query)
    expect(page.data).toEqual([])
    expect(page.meta.transaction_count).toBe('5')
  })
})

describe('days', () => {
  it.each(['0001-01-01', '2020-02-29', '9999-12-31', '2020-01-01 - 2020-12-31'])(
    '%s has nothing',
    async (date) => {
      const path = `${PATH}?${new URLSearchParams({ date, limit: '10' })}`
      const answer = await signed(demo.service.baseUrl, reseller, { path })
      expect(answer.status, answer.text).toBe(200)
      expect(answer.json()).toMatchObject({
        data: [],
        meta: { transaction_count: '0', total_amount: '0.00' },
      })
    },
  )

  it('366 days that end tomorrow have everything', async () => {
    const path = `${PATH}?${new URLSearchParams({ date: `${day(-364)} - ${day(1)}`, limit: '10' })}`
    const answer = await signed(demo.service.baseUrl, reseller, { path })
    expect(answer.json<History>().meta.transaction_count).toBe('5')
  })

  it('a payment lies on the day that its own date names, and on no other', async () => {
    const [newest] = (await history()).data
    const own = newest?.date?.slice(0, 10) ?? ''
    const on = async (date: string) => {
      const path = `${PATH}?${new URLSearchParams({ date, limit: '10' })}`
      const answer = await signed(demo.service.baseUrl, reseller, { path })
      return answer.json<History>().data.map(({ trxid }) => trxid)
    }
    expect(await on(own)).toContain(newest?.trxid)
    const next = new Date(Date.parse(`${own}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10)
    expect(await on(next)).not.toContain(newest?.trxid)
  })
})
