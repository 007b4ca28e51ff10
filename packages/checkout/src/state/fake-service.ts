import type { Language } from '@warung/forms/texts'
import { createClient } from '../api/client.ts'
import type { Order, OrderItem } from '../api/wire.ts'
import type { Checkout } from './checkout.ts'
import { createCheckout } from './checkout.ts'
import type { Milestone } from './deps.ts'
import { matching } from './form.ts'
import type { Kept } from './kept.ts'
import { keptNavigation } from './kept.ts'

// The service is faked where the network begins: the client, the state and the rules are the real ones.

const text = (id: string, more: object = {}) => ({
  id,
  type: 'text',
  input_mode: 'text',
  label: id,
  placeholder: '',
  required: true,
  order: 1,
  role: 'none',
  validation: {},
  ...more,
})
const PLAN = {
  type: 'dynamic',
  endpoint: '/options',
  params: {
    product_code: { static: 'KITA' },
    field_id: { static: 'plan' },
    account_number: { from_field: 'phone' },
  },
}
const KITA = {
  code: 'KITA',
  name: 'kita',
  note: null,
  image_url: '',
  processing_time: 'instant',
  min_amount: null,
  max_amount: null,
  fields: [
    text('phone', { role: 'account', validation: { pattern: '^60[0-9]+$' } }),
    text('plan', { type: 'select', data_source: PLAN, order: 2 }),
    text('amount', { type: 'money', role: 'pricing', order: 3 }),
  ],
  fulfillment: { account: { from_field: 'phone' }, amount: { from_field: 'amount' } },
}
const CATALOG = { tree: { groups: [] }, products: { KITA } }

export const ITEM: OrderItem = {
  line: 1,
  product_code: 'KITA',
  product_name: 'kita',
  image_url: null,
  account: '6012',
  amount: '5.00',
  quantity: 1,
  unit_price: '5.60',
  price: '5.60',
  is_fixed: false,
  missing: [],
  status: 'pending',
}

export function orderOf(more: Partial<Order> = {}): Order {
  return {
    order_id: 'ord_1',
    status: 'draft',
    merchant: { name: 'kedai' },
    theme: null,
    language: 'en',
    currency: 'MYR',
    is_fixed: false,
    items: [],
    total_amount: '0.00',
    refund_amount: '0.00',
    expires_at: '2026-01-01T00:30:00.000Z',
    server_time: '2026-01-01T00:00:00.000Z',
    version: 1,
    continue_url: null,
    show_results: false,
    ...more,
  }
}

type Answer = { status?: number; body?: unknown; lost?: boolean; hold?: Promise<void> }
type Asked = { method: string; path: string; body: unknown }

/** Service that answers as the test says, and notes what it was asked. */
export function fakeService(order: Order) {
  const asked: Asked[] = []
  const service = {
    order,
    asked,
    count: (path: string) => asked.filter((each) => each.path === path).length,
    answer: (_asked: Asked): Answer | undefined => undefined,
  }
  const usual = ({ path }: Asked): Answer => {
    if (path.startsWith('/catalog')) return { body: { data: CATALOG } }
    if (path.startsWith('/options'))
      return { body: { data: { items: [{ code: path, label: path }], meta: { total: 1 } } } }
    if (path.startsWith('/bill')) return { body: { data: {} } }
    if (path.startsWith('/quote')) return { body: { data: { unit_price: '5.60', price: '5.60' } } }
    return { body: { data: service.order } }
  }
  const fetch = async (url: string, init: RequestInit): Promise<Response> => {
    const path = url.replace('https://pay.example/checkout/v1/orders/ord_1', '')
    const one = {
      method: init.method ?? '',
      path,
      body: init.body === undefined ? undefined : JSON.parse(String(init.body)),
    }
    asked.push(one)
    const { status = 200, body, lost = false, hold } = service.answer(one) ?? usual(one)
    await hold
    if (lost) throw new TypeError('network')
    return new Response(JSON.stringify(body), { status })
  }
  return Object.assign(service, { fetch: fetch as unknown as typeof globalThis.fetch })
}

export function memory(): Kept & { readonly all: Map<string, unknown> } {
  const all = new Map<string, unknown>()
  return { all, get: (name) => all.get(name) ?? null, set: (name, value) => void all.set(name, value) }
}

let open: Checkout[] = []
export const told: { milestone: Milestone; code: unknown }[] = []

export function start(
  service: ReturnType<typeof fakeService>,
  kept: Kept = memory(),
  language?: Language,
  device: Kept = memory(),
): Checkout {
  let checkout: Checkout | undefined
  checkout = createCheckout({
    client: createClient({
      base: 'https://pay.example',
      orderId: 'ord_1',
      token: 'ct_x',
      fetch: service.fetch,
      language: () => checkout?.state().language ?? 'en',
    }),
    navigation: keptNavigation(kept),
    kept,
    device,
    language,
    isVisible: () => true,
    onChange: () => undefined,
    tell: (milestone, { code, status }) => void told.push({ milestone, code: code ?? status }),
  })
  open.push(checkout)
  return checkout
}

/** Ends the checkouts of a test, and forgets what they told. */
export function endCheckouts(): void {
  for (const each of open) each.stop()
  open = []
  told.length = 0
}

/** Fills the form of a product. `pass` lets everything happen that is due. */
export async function filled(checkout: Checkout, pass: () => Promise<unknown>): Promise<void> {
  await pass()
  checkout.go({ name: 'product', code: 'KITA' })
  checkout.setValue('phone', '6012')
  checkout.setValue('amount', '5')
  await pass()
  const { form } = checkout.state()
  const [option] = form === undefined ? [] : matching(form, form.product.fields[1] as never)
  checkout.setValue('plan', option)
  await pass()
}
