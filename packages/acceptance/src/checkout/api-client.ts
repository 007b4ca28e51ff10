import { randomBytes, randomInt } from 'node:crypto'
import { expect } from 'vitest'
import { from, newAddress } from '../clients.ts'
import type { Answer } from '../http.ts'
import { send, signed } from '../http.ts'
import type { Credentials } from '../signing.ts'

// Helpers of the tests of the customers' API: an order of a reseller, and the holder of its token.

export const RETURN_URL = 'https://shop.example/return?cart=7'
/** Reload of the demo whose amount is typed, and one with amounts to choose from. */
export const RELOAD = 'NOVA'
/** Number of this file's customers: nothing was paid for it a moment ago. */
export const PHONE = `60127${randomInt(100_000, 1_000_000)}`

export type CreatedOrder = {
  order_id: string
  client_token: string
  checkout_url: string
  status: string
  total_amount: string
}

export type CheckoutItem = {
  line: number
  product_code: string
  product_name: string
  image_url: string | null
  account: string | null
  amount: string
  quantity: number
  unit_price: string
  price: string
  is_fixed: boolean
  missing: string[]
  status: string
}

export type CheckoutOrder = {
  order_id: string
  status: string
  merchant: { name: string }
  language: string
  items: CheckoutItem[]
  total_amount: string
  refund_amount: string
  expires_at: string
  server_time: string
  version: number
  continue_url: string | null
}

/** Reseller at a service. */
export type Shop = { readonly baseUrl: string; readonly credentials: Credentials }

/** Asks the reseller's API for a new order. */
export function askForOrder({ baseUrl, credentials }: Shop, body: object = {}): Promise<Answer> {
  const reference = `cart-${randomBytes(8).toString('hex')}`
  const json = { reference, user_id: 'u-77', return_url: RETURN_URL, ...body }
  return signed(baseUrl, credentials, { method: 'POST', path: '/v2/orders', json })
}

export async function createOrder(shop: Shop, body: object = {}): Promise<CreatedOrder> {
  const answer = await askForOrder(shop, body)
  expect(answer.status, answer.text).toBe(201)
  return answer.json<{ data: CreatedOrder }>().data
}

export type Asked = {
  method?: string
  headers?: Record<string, string>
  /** Value sent as JSON. */
  json?: unknown
  body?: string
}

/** Holder of a token, at an address of their own: limits count by address too. */
export type Client = {
  readonly orderId: string
  readonly token: string
  ask(path?: string, asked?: Asked): Promise<Answer>
  order(): Promise<CheckoutOrder>
  /** Replaces the basket that the client sees now. */
  put(items: readonly object[]): Promise<Answer>
}

export function clientOf(
  { baseUrl }: Pick<Shop, 'baseUrl'>,
  { order_id: orderId, client_token: token }: Pick<CreatedOrder, 'order_id' | 'client_token'>,
): Client {
  const address = from(newAddress())
  const ask: Client['ask'] = (path = '', { method = 'GET', headers = {}, json, body } = {}) =>
    send({
      baseUrl,
      method,
      path: `/checkout/v1/orders/${orderId}${path}`,
      headers: {
        ...address,
        Authorization: `Bearer ${token}`,
        ...(json === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      body: json === undefined ? body : JSON.stringify(json),
    })
  const order: Client['order'] = async () => orderIn(await ask())
  return {
    orderId,
    token,
    ask,
    order,
    async put(items) {
      const { version } = await order()
      return ask('/items', { method: 'PUT', json: { version, items } })
    },
  }
}

/** Makes an order, and the client that holds its token. */
export async function openOrder(shop: Shop, body: object = {}): Promise<Client> {
  return clientOf(shop, await createOrder(shop, body))
}

/** Returns the order of an answer that must be good. */
export function orderIn(answer: Answer): CheckoutOrder {
  expect(answer.status, answer.text).toBe(200)
  return answer.json<{ data: CheckoutOrder }>().data
}

/** Expects an error with its code, in the one form that every error of this API has. */
export function expectCoded(
  answer: Answer,
  status: number,
  code: string,
  fields: readonly string[] = [],
): void {
  expect(answer.status, answer.text).toBe(status)
  const body = answer.json<{ error: string; message: string; errors: Record<string, string[]> }>()
  expect(Object.keys(body).sort()).toEqual(['error', 'errors', 'message'])
  expect([body.error, Object.keys(body.errors).sort()]).toEqual([code, [...fields].sort()])
  expect(body.message).toMatch(/\S/)
}

/** Words that no answer to a customer has, whatever it is about. */
const WHOLESALE = /cost|discount|margin|rrp|loss_risk|wholesale|reseller|price_adjustment|"pricing":/i

/** Expects that an answer tells nothing of the wholesale side, nor of the account's books. */
export function expectRetail(answer: Answer, account: string): void {
  expect(answer.text).not.toMatch(WHOLESALE)
  // A biller's bill has a Balance of its own.
  expect(answer.text).not.toMatch(/"balance"/)
  expect(answer.text).not.toContain(account)
}
