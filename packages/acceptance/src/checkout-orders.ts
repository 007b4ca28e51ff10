import { randomBytes } from 'node:crypto'
import type { Answer } from './http.ts'
import { send } from './http.ts'
import { PHONE } from './payments.ts'
import { dataOf } from './portal/members.ts'

// Orders of the checkout, as far as several tests need them.

export type OrderItem = {
  line: number
  product_code: string
  account: string | null
  price: string
  status: string
  transactions: { refid: string; transaction_id: string | null; pin: string; status_name: string | null }[]
}

export type CheckoutOrder = {
  order_id: string
  reference: string
  status: string
  client_token: string | null
  checkout_url: string | null
  total_amount: string
  refund_amount: string
  items: OrderItem[]
}

export const RETURN_URL = 'https://shop.example/return'

export function newReference(): string {
  return `cart-${randomBytes(8).toString('hex')}`
}

/** Body of an order with a fixed basket of one reload. */
export function reloadOrder(changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    reference: newReference(),
    user_id: 'u-1',
    return_url: RETURN_URL,
    items: [{ product_code: 'NOVA', amount: '10.00', account: PHONE, quantity: 1 }],
    ...changes,
  }
}

/** Acts as the customer of an order: chooses a reload and submits the basket, also where it was bought before. */
export async function fillAndSubmit(
  baseUrl: string,
  { order_id: id, client_token: token }: Pick<CheckoutOrder, 'order_id' | 'client_token'>,
  account = PHONE,
  amount = '10.00',
): Promise<void> {
  const ask = (method: string, path: string, json?: unknown): Promise<Answer> =>
    send({
      baseUrl,
      method,
      path: `/checkout/v1/orders/${id}${path}`,
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      ...(json !== undefined && { body: JSON.stringify(json) }),
    })
  const { version } = dataOf<{ version: number }>(await ask('GET', ''))
  const items = [{ product_code: 'NOVA', amount, account, extras: {}, quantity: 1 }]
  const filled = dataOf<{ version: number }>(await ask('PUT', '/items', { version, items }))
  dataOf(await ask('POST', '/submit', { version: filled.version, allow_duplicate: true }))
}
