import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { OrderItem } from '../api/wire.ts'
import { endCheckouts, fakeService, filled, ITEM, memory, orderOf, start, told } from './fake-service.ts'
import { matching } from './form.ts'

/** Lets everything happen that is due within the time. */
const pass = (ms = 1_000) => vi.advanceTimersByTimeAsync(ms)

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-01-01T00:00:00Z') })
})
afterEach(() => {
  endCheckouts()
  vi.useRealTimers()
})

describe('a checkout', () => {
  it('adds a filled form once, however often it is clicked, and goes to the basket', async () => {
    const service = fakeService(orderOf())
    const checkout = start(service)
    await filled(checkout, pass)
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

  it('has chosen the only choice of a field that needs one, and leaves the choice among several', async () => {
    const service = fakeService(orderOf())
    const planOf = () => checkout.state().form?.values.plan
    const checkout = start(service)
    await pass()
    checkout.go({ name: 'product', code: 'KITA' })
    checkout.setValue('phone', '6012')
    await pass()
    expect(planOf()).toMatchObject({ code: expect.stringContaining('6012') })
    const items = [
      { code: 'A', label: 'A' },
      { code: 'B', label: 'B' },
    ]
    service.answer = ({ path }) =>
      path.startsWith('/options') ? { body: { data: { items, meta: { total: 2 } } } } : undefined
    checkout.setValue('phone', '6013')
    await pass()
    expect(planOf()).toBeUndefined()
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
    await filled(checkout, pass)
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
    await filled(checkout, pass)
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
    await filled(first, pass)
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

  it('shows the results that came after the customer asked for them', async () => {
    const item = (status: OrderItem['status']) => ({ ...ITEM, status })
    const service = fakeService(orderOf({ status: 'confirmed', items: [item('processing')] }))
    let results: readonly string[] = ['first']
    service.answer = ({ path }) => (path === '/results' ? { body: { data: results } } : undefined)
    const checkout = start(service)
    await pass()
    void checkout.showResults()
    await pass(100)
    expect(checkout.state().results).toEqual(['first'])
    results = ['first', 'second']
    service.order = orderOf({ status: 'completed', items: [item('succeeded')] })
    await pass(20_000)
    expect(checkout.state().results).toEqual(['first', 'second'])
    expect(service.count('/results')).toBe(2)
  })

  it('offers the results once more when the new ones cannot be read', async () => {
    const service = fakeService(orderOf({ status: 'confirmed', items: [ITEM] }))
    const checkout = start(service)
    await pass()
    void checkout.showResults()
    await pass(100)
    service.answer = ({ path }) => (path === '/results' ? { lost: true } : undefined)
    service.order = orderOf({ status: 'completed', items: [ITEM] })
    await pass(20_000)
    expect(checkout.state()).toMatchObject({ results: undefined, order: { status: 'completed' } })
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
