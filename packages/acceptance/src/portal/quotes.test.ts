import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Demo } from '../catalog.ts'
import { shareDemo } from '../catalog.ts'
import { newRefid } from '../payments.ts'
import type { Shop } from './members.ts'
import { dataOf, openShop } from './members.ts'

type Quote = {
  quote_id: string | null
  cost: string | null
  price: string | null
  margin: string | null
  balance: string
  balance_after: string | null
  problems: { code: number; token: string; field: string | null }[]
  warnings: { code: string; payment: { refid: string } | null }[]
}

let demo: Demo
let shop: Shop

beforeAll(async () => {
  demo = await shareDemo()
  shop = await openShop(demo.service, '100')
})
afterAll(() => demo?.end())

async function quote(body: object): Promise<Quote> {
  return dataOf<Quote>(await shop.admin.send('POST', '/sell/quotes', body))
}

it('a member sees cost, price and margin of a payment, and pays it with the quote', async () => {
  const body = { product: 'KITA', account: '013-234 5678', amount: '20' }
  const quoted = await quote(body)
  expect(quoted).toMatchObject({
    cost: '19.30',
    price: '20.00',
    margin: '0.70',
    balance: '100.00',
    balance_after: '80.70',
    problems: [],
    warnings: [],
  })
  const refid = newRefid()
  const paid = await shop.admin.send('POST', '/sell/payments', { ...body, refid, quote_id: quoted.quote_id })
  expect(paid.status).toBe(200)
  expect((await quote({ ...body, account: '+60132345678' })).warnings).toMatchObject([
    { code: 'possible_duplicate', payment: { refid } },
  ])
})

it('a payment that would be refused is an answer that names the field, and holds no cost', async () => {
  const refused = await quote({ product: 'KITA', account: '60123450041', amount: '20' })
  expect(refused).toMatchObject({ quote_id: null, cost: null, problems: [{ code: 41 }] })
  const unknown = await quote({ product: 'KITA', account: '12', amount: '20' })
  expect(unknown.problems).toMatchObject([{ code: 52, field: 'account' }])
  const poor = await quote({ product: 'KITA', account: '60132345671', amount: '100' })
  expect(poor.problems).toMatchObject([{ code: 43 }])
})

it('a payment that cannot be read is answered with its field', async () => {
  const { problems } = await quote({ product: 'KITA', account: '60132345672' })
  expect(problems).toMatchObject([{ code: 44, field: 'amount' }])
})
