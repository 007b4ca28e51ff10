import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createClient } from '../api/client.ts'
import type { Order, OrderItem } from '../api/wire.ts'
import type { Checkout, Milestone } from './checkout.ts'
import { createCheckout } from './checkout.ts'
import { matching } from './form.ts'
import { keptPlaces } from './places.ts'
import type { Kept } from './storage.ts'

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
  name: 'Kita',
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

const ITEM: OrderItem = {
  line: 1,
  product_code: 'KITA',
  product_name: 'Kita',
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

function orderOf(more: Partial<Order> = {}): Order {
  return {
    order_id: 'ord_1',
    status: 'draft',
    merchant: { name: 'Kedai' },
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
function fakeService(order: Order) {
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

function memory(): Kept & { readonly all: Map<string, unknown> } {
  const all = new Map<string, unknown>()
  return { all, get: (name) => all.get(name) ?? null, set: (name, value) => void all.set(name, value) }
}

let open: Checkout[] = []
const told: { milestone: Milestone; code: unknown }[] = []

function start(service: ReturnType<typeof fakeService>, kept: Kept = memory()): Checkout {
  const checkout = createCheckout({
    client: createClient({
      base: 'https://pay.example',
      orderId: 'ord_1',
      token: 'ct_x',
      fetch: service.fetch,
    }),
    places: keptPlaces(kept),
    kept,
    language: undefined,
    isVisible: () => true,
    onChange: () => undefined,
    tell: (milestone, { code, status }) => void told.push({ milestone, code: code ?? status }),
  })
  open.push(checkout)
  return checkout
}

/** Lets everything happen that is due within the time. */
const pass = (ms = 1_000) => vi.advanceTimersByTimeAsync(ms)

async function filled(checkout: Checkout): Promise<void> {
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

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-01-01T00:00:00Z') })
  told.length = 0
})
afterEach(() => {
  for (const each of open) each.stop()
  open = []
  vi.useRealTimers()
})

describe('a checkout', () => {
  it('adds a filled form once, however often it is clicked, and goes to the basket', async () => {
    const service = fakeService(orderOf())
    const checkout = start(service)
    await filled(checkout)
    expect(checkout.state().form?.quote).toEqual({ unit_price: '5.60', price: '5.60' })
    service.order = orderOf({ version: 2, items: [ITEM] })
    for (let click = 0; click < 3; click++) checkout.add()
    await pass()
    expect(service.count('/items')).toBe(1)
    expect(service.asked.find(({ path }) => path === '/items')?.body).toMatchObject({
      version: 1,
      items: [{ product_code: 'KITA', account: '6012', amount: '5', quantity: 1 }],
    })
    expect(checkout.state()).toMatchObject({ view: { name: 'basket' }, notice: { tone: 'ok' } })
  })

  it('submits once, and tells the page once', async () => {
    const service = fakeService(orderOf({ items: [ITEM] }))
    const checkout = start(service)
    await pass()
    service.order = orderOf({
      status: 'awaiting_payment',
      items: [ITEM],
      continue_url: 'https://shop.example/',
    })
    void checkout.submit()
    void checkout.submit()
    await pass(100)
    expect(service.count('/submit')).toBe(1)
    await pass(60_000)
    expect(told).toEqual([{ milestone: 'submitted', code: 'awaiting_payment' }])
  })

  it('knows after a lost answer whether the basket was changed', async () => {
    const service = fakeService(orderOf({ items: [ITEM] }))
    const checkout = start(service)
    await pass()
    const changed = orderOf({ version: 2, items: [{ ...ITEM, quantity: 2 }] })
    service.answer = ({ path }) => (path === '/items' ? { lost: true } : undefined)
    service.order = changed
    await checkout.setLineQuantity(1, 2)
    expect(checkout.state()).toMatchObject({ failure: undefined, order: { version: 2 } })
  })

  it('keeps everything when a change did not get through, and repeats it when asked', async () => {
    const service = fakeService(orderOf({ items: [ITEM] }))
    const checkout = start(service)
    await pass()
    service.answer = ({ path }) => (path === '/items' || path === '' ? { lost: true } : undefined)
    const changing = checkout.setLineQuantity(1, 2)
    await pass(10_000)
    await changing
    const { failure, order, busy } = checkout.state()
    expect(failure?.problem.status).toBe(0)
    expect({ busy, quantity: order?.items[0]?.quantity }).toEqual({ busy: undefined, quantity: 1 })
    service.answer = () => undefined
    service.order = orderOf({ version: 2, items: [{ ...ITEM, quantity: 2 }] })
    failure?.retry()
    await pass()
    expect(checkout.state()).toMatchObject({ failure: undefined, order: { version: 2 } })
  })

  it('reads the basket again when another window changed it, and keeps the form', async () => {
    const service = fakeService(orderOf())
    const checkout = start(service)
    await filled(checkout)
    service.order = orderOf({ version: 5, items: [ITEM] })
    service.answer = ({ path }) =>
      path === '/items' ? { status: 409, body: { error: 'order_changed', message: '' } } : undefined
    checkout.add()
    await pass()
    expect(checkout.state()).toMatchObject({
      order: { version: 5 },
      notice: { tone: 'wait' },
      form: { values: { phone: '6012', amount: '5' } },
    })
    service.answer = () => undefined
    service.order = orderOf({ version: 6, items: [ITEM, { ...ITEM, line: 2 }] })
    checkout.add()
    await pass()
    expect(service.asked.at(-1)).toMatchObject({
      body: { version: 5, items: [{ line: 1 }, { product_code: 'KITA' }] },
    })
  })

  it('shows the messages of the service beside the fields that they are about', async () => {
    const service = fakeService(orderOf())
    const checkout = start(service)
    service.answer = ({ path }) =>
      path === '/items'
        ? {
            status: 422,
            body: { error: 'invalid_items', errors: { 'items.0.account': ['Not a number of Kita'] } },
          }
        : undefined
    await filled(checkout)
    checkout.add()
    await pass(100)
    expect(checkout.state().form).toMatchObject({ refusals: { phone: 'Not a number of Kita' } })
    expect(checkout.state().failure).toBeUndefined()
  })

  it('never shows the choices of another number', async () => {
    let release: () => void = () => undefined
    const hold = new Promise<void>((resolve) => {
      release = resolve
    })
    const service = fakeService(orderOf())
    const checkout = start(service)
    await pass()
    checkout.go({ name: 'product', code: 'KITA' })
    service.answer = ({ path }) =>
      path.includes('account_number=6012&') || path.endsWith('account_number=6012')
        ? { hold, body: { data: { items: [{ code: 'OLD', label: 'of 6012' }], meta: { total: 1 } } } }
        : undefined
    checkout.setValue('phone', '6012')
    await pass()
    checkout.setValue('phone', '6013')
    await pass()
    release()
    await pass()
    const { form } = checkout.state()
    const shown = form === undefined ? [] : matching(form, form.product.fields[1] as never)
    expect(shown.map(({ label }) => label).join()).toContain('6013')
  })

  it('has the half-filled form again after a reload', async () => {
    const kept = memory()
    const service = fakeService(orderOf())
    const first = start(service, kept)
    await filled(first)
    first.setQuantity(3)
    first.stop()
    const again = start(service, kept)
    await pass()
    expect(again.state()).toMatchObject({
      view: { name: 'product', code: 'KITA' },
      form: { quantity: 3, values: { phone: '6012', amount: '5' } },
    })
  })

  it('says that an order cannot be opened, and asks nothing more', async () => {
    const service = fakeService(orderOf())
    service.answer = () => ({ status: 404, body: { error: 'order_not_found', message: '' } })
    const checkout = start(service)
    await pass(60_000)
    expect(checkout.state().trouble?.code).toBe('order_not_found')
    expect(service.asked.length).toBe(1)
    expect(told).toEqual([{ milestone: 'error', code: 'order_not_found' }])
  })

  it('repeats reads that got lost, then offers to try again', async () => {
    const service = fakeService(orderOf())
    service.answer = () => ({ lost: true })
    const checkout = start(service)
    await pass(10_000)
    expect(checkout.state().trouble?.status).toBe(0)
    expect(service.count('')).toBe(3)
    service.answer = () => undefined
    void checkout.load()
    await pass()
    expect(checkout.state()).toMatchObject({ trouble: undefined, order: { order_id: 'ord_1' } })
  })

  it('goes on by itself from waiting to the result, and then asks nothing more', async () => {
    const service = fakeService(orderOf({ status: 'awaiting_payment', items: [ITEM] }))
    const checkout = start(service)
    await pass(5_000)
    service.order = orderOf({ status: 'confirmed', items: [ITEM] })
    await pass(20_000)
    expect(checkout.state().order?.status).toBe('confirmed')
    service.order = orderOf({ status: 'completed', items: [ITEM] })
    await pass(20_000)
    const asked = service.asked.length
    await pass(120_000)
    expect(service.asked.length).toBe(asked)
    expect(told).toEqual([{ milestone: 'completed', code: 'completed' }])
  })

  it('reads the order when its time is over', async () => {
    const service = fakeService(orderOf())
    const checkout = start(service)
    await pass()
    service.order = orderOf({ status: 'timeout' })
    await pass(31 * 60_000)
    expect(checkout.state().order?.status).toBe('timeout')
    expect(told).toEqual([{ milestone: 'error', code: 'order_timeout' }])
  })

  it('stays in the language that the customer chose', async () => {
    const kept = memory()
    const service = fakeService(orderOf({ language: 'ms' }))
    const first = start(service, kept)
    await pass()
    expect(first.state().language).toBe('ms')
    first.setLanguage('en')
    const again = start(service, kept)
    await pass()
    expect(again.state().language).toBe('en')
  })
})
