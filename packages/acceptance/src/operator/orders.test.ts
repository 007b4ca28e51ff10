import { beforeAll, describe, expect, it } from 'vitest'
import type { Demo } from '../catalog.ts'
import { shareDemo } from '../catalog.ts'
import { confirmOrder, createOrder, untilOrder } from '../orders.ts'
import type { Payer } from '../payments.ts'
import { createPayer, PHONE } from '../payments.ts'
import { dataOf } from '../portal/members.ts'
import type { Browser } from '../portal/people.ts'
import { signInAs } from './operators.ts'

let demo: Demo
let payer: Payer
let support: Browser

beforeAll(async () => {
  demo = await shareDemo()
  payer = await createPayer(demo.service, '1000')
  support = await signInAs(demo.service, 'support')
})

describe('an order of the hosted checkout', () => {
  it('is found by its id and by the refid of a payment, without what its customer typed', async () => {
    const made = await createOrder(demo.service, payer)
    await confirmOrder(demo.service, payer, made.order_id)
    const ended = await untilOrder(demo.service, payer, made.order_id, ['completed'])
    const [unit] = ended.items[0]?.transactions ?? []
    const answer = await support.get(`/orders/${made.order_id}`)
    expect(dataOf(answer)).toMatchObject({
      order_id: made.order_id,
      reseller: payer.account,
      state: 'completed',
      total: '10.00',
      refund: '0.00',
      payment_reference: 'bank-991',
      completed_at: ended.completed_at,
      next_at: null,
      looks: null,
      items: [{ line: 1, product: 'NOVA', quantity: 1 }],
      units: [{ refid: unit?.refid, state: 'succeeded', payment_id: unit?.transaction_id, error: null }],
    })
    expect(answer.text).not.toContain(PHONE)
    expect(answer.text).not.toContain(made.client_token)
    expect((await support.get(`/orders/${unit?.refid}`)).text).toBe(answer.text)
    expect((await support.get(`/orders/${made.order_id.slice(0, -1)}`)).status).toBe(404)
  })
})
