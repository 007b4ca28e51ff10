import { expect } from 'vitest'
import type { Answer } from './http.ts'
import { signed } from './http.ts'
import type { Payer } from './payments.ts'
import { newRefid, PHONE } from './payments.ts'
import type { Service } from './service.ts'
import { until } from './service.ts'

// Orders of the hosted checkout, as a reseller's program makes them.

export const ORDERS = '/v2/orders'

export type OrderTransaction = {
  refid: string
  transaction_id: string | null
  status_code: number | null
  status_name: string | null
  price: string
  error: string | null
}

export type OrderData = {
  order_id: string
  reference: string
  status: string
  checkout_url: string | null
  client_token: string | null
  total_amount: string
  refund_amount: string
  payment_reference: string | null
  cancel_reason: string | null
  items: {
    line: number
    account: string | null
    unit_price: string
    status: string
    transactions: OrderTransaction[]
  }[]
  completed_at: string | null
}

/** Makes the body of an order for one reload of 10, which lacks nothing. Its price is 10.00 and its cost 9.70. */
export function orderBody(change: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    reference: newRefid(),
    user_id: 'u-77',
    return_url: 'https://shop.example/return',
    items: [{ product_code: 'NOVA', amount: '10.00', account: PHONE }],
    ...change,
  }
}

type Node = Pick<Service, 'baseUrl'>

export function sendOrder(
  { baseUrl }: Node,
  { credentials }: Pick<Payer, 'credentials'>,
  method: string,
  path = '',
  json?: unknown,
): Promise<Answer> {
  return signed(baseUrl, credentials, {
    method,
    path: `${ORDERS}${path}`,
    ...(json !== undefined && { json }),
  })
}

export function orderIn(answer: Answer, status = 200): OrderData {
  expect(answer.status, answer.text).toBe(status)
  return answer.json<{ data: OrderData }>().data
}

export async function createOrder(
  service: Node,
  payer: Payer,
  change: Record<string, unknown> = {},
): Promise<OrderData> {
  return orderIn(await sendOrder(service, payer, 'POST', '', orderBody(change)), 201)
}

export async function confirmOrder(
  service: Node,
  payer: Payer,
  id: string,
  reference = 'bank-991',
): Promise<OrderData> {
  return orderIn(await sendOrder(service, payer, 'POST', `/${id}/confirm`, { payment_reference: reference }))
}

export async function readOrder(service: Node, payer: Payer, id: string): Promise<OrderData> {
  return orderIn(await sendOrder(service, payer, 'GET', `/${id}`))
}

export function untilOrder(
  service: Node,
  payer: Payer,
  id: string,
  statuses: readonly string[],
): Promise<OrderData> {
  return until(`order ${id} is ${statuses.join(' or ')}`, async () => {
    const order = await readOrder(service, payer, id)
    return statuses.includes(order.status) && order
  })
}

export function expectRefused(answer: Answer, status: number, error: string): Record<string, unknown> {
  expect(answer.status, answer.text).toBe(status)
  const body = answer.json<Record<string, unknown>>()
  expect(body).toMatchObject({ error, message: expect.stringMatching(/\S/), errors: expect.any(Object) })
  return body
}
