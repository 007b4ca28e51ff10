import { beforeAll, describe, expect, it } from 'vitest'
import type { Demo } from '../../catalog.ts'
import { shareDemo } from '../../catalog.ts'
import { expectProblem } from '../../edge.ts'
import { confirmOrder, createOrder, expectRefused, orderBody, readOrder, sendOrder } from '../../orders.ts'
import type { Payer } from '../../payments.ts'
import { createPayer, PHONE } from '../../payments.ts'

let demo: Demo
let payer: Payer

beforeAll(async () => {
  demo = await shareDemo()
  payer = await createPayer(demo.service, '100')
})

const post = (path: string, json: unknown, by = payer) => sendOrder(demo.service, by, 'POST', path, json)

describe('409', () => {
  it('reference_conflict: other content under one reference, with the fields that differ', async () => {
    const body = orderBody()
    await post('', body)
    const answer = await post('', { ...body, user_id: 'u-78', language: 'ms' })
    expect(expectRefused(answer, 409, 'reference_conflict')).toMatchObject({
      errors: { user_id: [expect.any(String)], language: [expect.any(String)] },
      order_id: expect.stringMatching(/^ord_/),
    })
  })

  it('order_not_submitted and amount_mismatch leave the order as it was', async () => {
    const draft = await createOrder(demo.service, payer, { items: undefined })
    const confirm = { payment_reference: 'bank-1' }
    expectRefused(await post(`/${draft.order_id}/confirm`, confirm), 409, 'order_not_submitted')
    const { order_id } = await createOrder(demo.service, payer)
    const wrong = { ...confirm, total_amount: '9.99' }
    expectRefused(await post(`/${order_id}/confirm`, wrong), 409, 'amount_mismatch')
    expect(await readOrder(demo.service, payer, order_id)).toMatchObject({ status: 'awaiting_payment' })
  })

  it('insufficient_balance says how much is needed, and nothing is paid', async () => {
    const poor = await createPayer(demo.service, '5')
    const { order_id } = await createOrder(demo.service, poor)
    const answer = await post(`/${order_id}/confirm`, { payment_reference: 'bank-1' }, poor)
    expect(expectRefused(answer, 409, 'insufficient_balance')).toMatchObject({
      needed: '9.70',
      balance: '5.00',
    })
    expect(await poor.balance()).toBe(5)
  })

  it('already_confirmed: another payment reference, and a cancellation that comes too late', async () => {
    const { order_id } = await createOrder(demo.service, payer)
    await confirmOrder(demo.service, payer, order_id, 'bank-1')
    const other = await post(`/${order_id}/confirm`, { payment_reference: 'bank-2' })
    expectRefused(other, 409, 'already_confirmed')
    expectRefused(await post(`/${order_id}/cancel`, {}), 409, 'already_confirmed')
  })

  it('order_cancelled: a cancelled order is never paid', async () => {
    const { order_id } = await createOrder(demo.service, payer)
    expect((await post(`/${order_id}/cancel`, {})).status).toBe(200)
    const answer = await post(`/${order_id}/confirm`, { payment_reference: 'bank-1' })
    expectRefused(answer, 409, 'order_cancelled')
  })
})

describe('404', () => {
  it('another account’s order is answered exactly like one that does not exist', async () => {
    const { order_id } = await createOrder(demo.service, payer)
    const stranger = await createPayer(demo.service, '100')
    const acts = (id: string) =>
      Promise.all([
        sendOrder(demo.service, stranger, 'GET', `/${id}`),
        post(`/${id}/confirm`, { payment_reference: 'bank-1' }, stranger),
        post(`/${id}/cancel`, {}, stranger),
      ])
    const bodies = async (id: string) =>
      (await acts(id)).map((answer) => expectRefused(answer, 404, 'order_not_found'))
    expect(await bodies(order_id)).toEqual(await bodies('ord_000000000000000000000000'))
    expect(await bodies(order_id)).toEqual(await bodies('nonsense'))
    expect(await readOrder(demo.service, payer, order_id)).toMatchObject({ status: 'awaiting_payment' })
    const { data } = (await sendOrder(demo.service, stranger, 'GET', '')).json<{ data: unknown[] }>()
    expect(data).toEqual([])
  })
})

describe('422', () => {
  it.each([
    [{ product_code: 'NOBODY', amount: '10', account: PHONE }, 'items.0.product_code'],
    [{ product_code: 'NOVA', amount: '11', account: PHONE }, 'items.0.amount'],
    [{ product_code: 'NOVA', amount: '10', account: '1' }, 'items.0.account'],
    [{ product_code: 'NOVA', amount: 'ten', account: PHONE }, 'items.0.amount'],
    [{ product_code: 'NOVA', amount: '10', account: PHONE, quantity: 21 }, 'items.0.quantity'],
  ])('invalid_items: %j is refused at %s', async (item, field) => {
    const answer = await post('', orderBody({ items: [item] }))
    expect(expectRefused(answer, 422, 'invalid_items').errors).toEqual({ [field]: [expect.any(String)] })
  })

  it('invalid_items: unknown products, and more than 50 units', async () => {
    const products = await post('', orderBody({ items: undefined, products: ['NOVA', 'NOBODY'] }))
    expect(expectRefused(products, 422, 'invalid_items').errors).toHaveProperty('products.0')
    const item = { product_code: 'NOVA', amount: '10', account: PHONE, quantity: 20 }
    const many = await post('', orderBody({ items: [item, item, item] }))
    expect(expectRefused(many, 422, 'invalid_items').errors).toEqual({ items: [expect.any(String)] })
  })
})

describe('400', () => {
  it.each([
    [{ reference: 'a b' }, 'reference'],
    [{ user_id: '' }, 'user_id'],
    [{ user_id: 'a\nb' }, 'user_id'],
    [{ return_url: 'ftp://shop.example' }, 'return_url'],
    [{ return_url: 'https://a:b@shop.example/' }, 'return_url'],
    [{ return_url: 'https://shop.example/#x' }, 'return_url'],
    [{ return_url: 'javascript:alert(1)' }, 'return_url'],
    [{ expires_in_seconds: 299 }, 'expires_in_seconds'],
    [{ expires_in_seconds: 86_401 }, 'expires_in_seconds'],
    [{ language: 'fr' }, 'language'],
    [{ products: ['NOVA'] }, 'products'],
  ])('%j is refused with the field named', async (change, field) => {
    expectProblem(await post('', orderBody(change)), 400, [field])
  })

  it.each([
    [{}, 'payment_reference'],
    [{ payment_reference: '' }, 'payment_reference'],
    [{ payment_reference: 'b', total_amount: '1e3' }, 'total_amount'],
  ])('a confirmation like %j is refused', async (json, field) => {
    const { order_id } = await createOrder(demo.service, payer)
    expectProblem(await post(`/${order_id}/confirm`, json), 400, [field])
  })
})
