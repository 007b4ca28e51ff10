import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Demo, DemoNode, Reader } from '../../catalog.ts'
import { openDemo } from '../../catalog.ts'
import { expectEdgeHeaders } from '../../edge.ts'
import type { Payer } from '../../payments.ts'
import { createPayer, expectNow, expectRejection, payerAt, reload } from '../../payments.ts'
import { until } from '../../service.ts'
import { networkShape } from '../../shapes.ts'

let demo: Demo
let another: DemoNode
let payer: Payer

beforeAll(async () => {
  demo = await openDemo()
  another = await demo.startAnother()
  payer = await createPayer(demo.service, '1000')
})

afterAll(() => demo?.end())

type Status = {
  data: { product_code: string; product_name: string; product_img: string; network_status: string }
  metadata: { status_code: number; last_updated: string }
}

async function statusOf(reader: Reader, product: string): Promise<Status> {
  const answer = await reader.get(`/v2/networkstatus?product=${product}`)
  expect(answer.status, answer.text).toBe(200)
  expect(networkShape(answer.json(), 'answer')).toEqual([])
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
  expectEdgeHeaders(answer)
  return answer.json<Status>()
}

/** Returns the time as yyyy-MM-dd HH:mm:ss; the answer has the day first. */
function timeOf({ metadata }: Status): string {
  const [date = '', time = ''] = metadata.last_updated.split(' ')
  return `${date.split('-').reverse().join('-')} ${time}`
}

const untilStatus = (reader: Reader, product: string, wanted: string) =>
  until(`${product} is ${wanted}`, async () => {
    const status = await statusOf(reader, product)
    return status.data.network_status === wanted && status
  })

type Notice = { id: string; starts_at: string; ended_at: string }
const add = (...args: string[]) =>
  demo.service.warungd<Notice>('notice', 'add', '--message', 'Works are going on', ...args)
const end = ({ id }: Notice) => demo.service.warungd<Notice>('notice', 'end', '--id', id)

describe('a product that works', () => {
  it('is Healthy, and shown as the account sees it', async () => {
    const { products } = await demo.first.catalog()
    const { data, metadata } = await statusOf(demo.first, 'NOVA')
    const { name, image_url } = products.NOVA as unknown as { name: string; image_url: string }
    expect(data).toEqual({
      product_code: 'NOVA',
      product_name: name,
      product_img: image_url,
      network_status: 'Healthy',
    })
    expect(metadata.status_code).toBe(200)
    expect((await statusOf(demo.second, 'RIMBA')).data.product_name).toBe('Rimba Sabah & Sarawak')
    expect((await statusOf(demo.first, 'RIMBA')).data.product_name).not.toBe('Rimba Sabah & Sarawak')
  })

  it('is told the same at every question, since the same time', async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => statusOf(demo.first, 'KITA')))
    expect(new Set(answers.map((each) => JSON.stringify(each))).size).toBe(1)
  })

  it('may be hidden, or switched off by the reseller itself', async () => {
    expect((await statusOf(demo.first, 'FD')).data.network_status).toBe('Healthy')
    expect((await statusOf(demo.second, 'KOPIKU')).data.network_status).toBe('Healthy')
  })
})

describe('FP', () => {
  it('is always interrupted, for everybody and on every node, since the same time', async () => {
    const answers = await Promise.all([
      statusOf(demo.first, 'FP'),
      statusOf(demo.second, 'FP'),
      statusOf(another.first, 'FP'),
    ])
    for (const { data } of answers) expect(data.network_status).toBe('Interruption')
    expect(new Set(answers.map(timeOf)).size).toBe(1)
  })

  it('cannot be paid for', async () => {
    const before = await payer.balance()
    const answer = await payer.send(reload({ product: 'FP', amount: 10 }))
    expectRejection(answer, { code: 44, remarks: 'Product_Unavailable', fields: ['product'] })
    expect(await payer.balance()).toBe(before)
  })
})

describe('a notice', () => {
  it('reaches every node within seconds, is dated alike, and ends', async () => {
    const notice = await add('--product', 'ZAMRUD')
    const seen = await Promise.all([
      untilStatus(demo.first, 'ZAMRUD', 'Interruption'),
      untilStatus(another.second, 'ZAMRUD', 'Interruption'),
    ])
    expect(new Set(seen.map(timeOf)).size).toBe(1)
    for (const each of seen) expectNow(timeOf(each))
    expect((await statusOf(demo.first, 'NOVA')).data.network_status).toBe('Healthy')
    // The status only informs: a payment is still taken.
    expect(await payer.pay(reload({ product: 'ZAMRUD', amount: 10 }))).toMatchObject({ status: 'Accepted' })
    await end(notice)
    const mended = await Promise.all([
      untilStatus(demo.first, 'ZAMRUD', 'Healthy'),
      untilStatus(another.second, 'ZAMRUD', 'Healthy'),
    ])
    expect(new Set(mended.map(timeOf)).size).toBe(1)
  })

  it('a notice on a category that stops payments stops new ones on every node, and no existing one', async () => {
    const body = reload({ product: 'TIRTA', account: '10012345', amount: 20 })
    const paid = await payer.untilStatus(body, 'Succesful')
    const notice = await add('--category', 'WATER', '--stops-payments')
    const rejected = { code: 44, remarks: 'Product_Unavailable', fields: ['product'] }
    for (const { service, first } of [demo, another]) {
      await untilStatus(first, 'TIRTA', 'Interruption')
      const there = payerAt(service, { ...payer.credentials, account: payer.account })
      expectRejection(await there.send(reload({ ...body, refid: `${body.refid}-2` })), rejected)
      expect(await there.pay(body)).toMatchObject({ transaction_id: paid.transaction_id, statusCode: 20 })
    }
    expect((await statusOf(demo.first, 'APIGAS')).data.network_status).toBe('Healthy')
    await end(notice)
    await untilStatus(demo.first, 'TIRTA', 'Healthy')
    expect(await payer.pay(reload({ ...body, refid: `${body.refid}-3` }))).toMatchObject({
      status: 'Accepted',
    })
  })

  it('a notice for later changes nothing yet', async () => {
    const later = new Date(Date.now() + 3_600_000).toISOString()
    const notice = await add('--product', 'SELAT', '--starts', later, '--stops-payments')
    const marker = await add('--product', 'LANGIT')
    await untilStatus(demo.first, 'LANGIT', 'Interruption')
    expect((await statusOf(demo.first, 'SELAT')).data.network_status).toBe('Healthy')
    expect(await payer.pay(reload({ product: 'SELAT', amount: 10 }))).toMatchObject({ status: 'Accepted' })
    await end(notice)
    await end(marker)
  })
})
