import { beforeAll, describe, expect, it } from 'vitest'
import type { Demo } from '../../catalog.ts'
import { shareDemo } from '../../catalog.ts'
import { createReseller, expectProblem } from '../../edge.ts'
import type { FeedEvent } from '../../feed.ts'
import { balanceShape, EVENTS, readFeed, readPage } from '../../feed.ts'
import { signed } from '../../http.ts'
import type { PayBody, Payer, PaymentData } from '../../payments.ts'
import { createPayer, reload } from '../../payments.ts'
import { until } from '../../service.ts'
import { paymentShape } from '../../shapes.ts'

let demo: Demo
let payer: Payer
let events: FeedEvent[]

/** Account whose payment is Processing, and succeeds after a second. */
const DELAYED = '60123451001'
/** Account whose payment fails with 48 at once. */
const FAILING = '60123450048'

const good: PayBody = reload({ refid: "good & 'odd' +1", remarks: 'for "good"' })
const bad: PayBody = reload({ refid: 'bad', account: FAILING })
const slow: PayBody = reload({ refid: 'slow', account: DELAYED })
const pin: PayBody = reload({ refid: 'pin', product: 'PINTEN' })
const last = new Map<unknown, PaymentData>()

beforeAll(async () => {
  demo = await shareDemo()
  payer = await createPayer(demo.service, '100')
  const threshold = { method: 'POST', path: '/v2/low-balance-threshold?amount=85' }
  expect((await signed(demo.service.baseUrl, payer.credentials, threshold)).status).toBe(200)
  await payAndWait(good, 'Succesful')
  await payAndWait(bad, 'Failed')
  await payAndWait(slow, 'Succesful')
  await payAndWait(pin, 'Succesful')
  const whose = ['--reseller', payer.account]
  await demo.service.warungd('adjust', ...whose, '--amount=-1.5', '--remarks', 'wrong deposit')
  await demo.service.warungd('overlay', 'set', ...whose, '--product', 'KITA', '--name', 'Kita kami')
  events = await until('all of it is told', async () => {
    const told = await readFeed(demo.service.baseUrl, payer.credentials, 4)
    return told.some(({ type }) => type === 'product.updated') && told
  })
})

async function payAndWait(body: PayBody, status: PaymentData['status']): Promise<void> {
  last.set(body.refid, await payer.untilStatus(body, status))
}

const typesOf = (some: readonly FeedEvent[]) => some.map(({ type }) => type)
const aboutPayment = (refid: unknown) => events.filter(({ data }) => data.refid === refid)

describe('the feed', () => {
  it('tells everything that happened to the account, in order', () => {
    const expected = [
      'balance.added',
      ...['payment.accepted', 'balance.deducted', 'payment.succeeded'],
      ...['payment.accepted', 'balance.deducted', 'balance.low', 'payment.failed', 'balance.refunded'],
      ...['payment.accepted', 'balance.deducted', 'balance.low', 'payment.processing', 'payment.succeeded'],
      ...['payment.accepted', 'balance.deducted', 'payment.succeeded'],
      'balance.deducted',
      'product.updated',
    ]
    expect(typesOf(events)).toEqual(expected)
  })

  it('shows a payment in its last state as the payment operation does', () => {
    for (const body of [good, bad, slow, pin]) {
      const told = aboutPayment(body.refid).filter(({ type }) => type.startsWith('payment.'))
      for (const { data } of told) expect(paymentShape({ data }, 'event')).toEqual([])
      expect(told.at(-1)?.data).toEqual(last.get(body.refid))
    }
  })

  it('shows a payment in an earlier state as it was then', () => {
    const [accepted, , processing] = aboutPayment('slow')
    const { cost, balance } = last.get('slow') as PaymentData
    const then = { cost, balance, sn: '', pin: '', transaction_id: last.get('slow')?.transaction_id }
    expect(accepted?.data).toMatchObject({ ...then, statusCode: 0, status: 'Accepted' })
    expect(processing?.data).toMatchObject({ ...then, statusCode: 1, status: 'Processing' })
    expect(aboutPayment('pin').map(({ data }) => data.pin !== '' && data.pin !== undefined)).toEqual([
      false,
      false,
      true,
    ])
  })

  it('shows what moved in the wallet so that each balance follows on the one before', () => {
    let balance = 0
    for (const { type, data } of events) {
      if (!type.startsWith('balance.')) continue
      expect(balanceShape(data, type)).toEqual([])
      expect(data.resellerCode).toBe(payer.account)
      if (type === 'balance.low') {
        expect(data).toMatchObject({ threshold: 85, amount: 85, balance })
        continue
      }
      const amount = type === 'balance.deducted' ? -Number(data.amount) : Number(data.amount)
      balance = Math.round((balance + amount) * 10_000) / 10_000
      expect(data.balance).toBe(balance)
    }
    const failed = last.get('bad')
    expect(aboutPayment('bad').at(-1)).toMatchObject({
      type: 'balance.refunded',
      data: { amount: failed?.cost, balance: failed?.balance, transactionId: failed?.transaction_id },
    })
    expect(events[0]?.data).toEqual({
      resellerCode: payer.account,
      amount: 100,
      balance: 100,
      description: 'bank',
    })
    expect(events.at(-2)?.data).toMatchObject({ amount: 1.5, description: 'wrong deposit' })
  })

  it('shows a change of the catalogue as the envelope of its webhook', () => {
    expect(events.at(-1)?.data).toMatchObject({
      type: 'product.updated',
      resource: 'products',
      id: 'KITA',
      data: { product_code: 'KITA', display_name: 'Kita kami', reseller_code: payer.account },
    })
  })
})

describe('a page', () => {
  const page = (query: string) => readPage(demo.service.baseUrl, payer.credentials, query)
  const numbers = (some: readonly FeedEvent[]) => some.map(({ sequence }) => sequence)

  it('goes on where the one before ended, in the middle of a payment too', async () => {
    for (const after of [1, 2, 3]) {
      const found = await page(`after=${after}&limit=2`)
      expect(found).toEqual({ data: events.slice(after, after + 2), next: after + 2, has_more: true })
    }
  })

  it('begins at the beginning, with a hundred, when nothing is asked', async () => {
    const found = await page('')
    expect(found).toEqual({ data: events, next: events.length, has_more: false })
  })

  it('past the end is empty, and says where to ask again', async () => {
    const end = events.length
    expect(await page(`after=${end}`)).toEqual({ data: [], next: end, has_more: false })
    expect(await page(`after=${end + 500}`)).toEqual({ data: [], next: end + 500, has_more: false })
    expect(numbers((await page(`after=${end - 1}`)).data)).toEqual([end])
  })

  it("is of the caller's own account", async () => {
    const other = await createReseller(demo.service)
    expect(await readPage(demo.service.baseUrl, other)).toEqual({ data: [], next: 0, has_more: false })
  })
})

describe('parameters that cannot be read', () => {
  it.each([
    ['after=-1', ['after']],
    ['after=1.5', ['after']],
    ['after=evt_1_2', ['after']],
    ['after=9999999999999999', ['after']],
    ['limit=0', ['limit']],
    ['limit=1001', ['limit']],
    ['limit=all&after=first', ['after', 'limit']],
    ['after=1&after=2', ['after']],
  ])('%s is at fault in %j', async (query, fields) => {
    const answer = await signed(demo.service.baseUrl, payer.credentials, { path: `${EVENTS}?${query}` })
    expectProblem(answer, 400, fields)
  })
})
