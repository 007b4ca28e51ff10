import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { endCheckouts, fakeService, filled, ITEM, memory, orderOf, start, told } from './fake-service.ts'

/** Lets everything happen that is due within the time. */
const pass = (ms = 1_000) => vi.advanceTimersByTimeAsync(ms)

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-01-01T00:00:00Z') })
})
afterEach(() => {
  endCheckouts()
  vi.useRealTimers()
})

const OTHER = { ...ITEM, line: 2, product_name: 'Bayu' }

/** Gate that a test opens. */
function gate() {
  let open: () => void = () => undefined
  const hold = new Promise<void>((resolve) => {
    open = resolve
  })
  return { hold, open: () => open() }
}

describe('a checkout among faults', () => {
  it('never goes back to an older answer that arrives late', async () => {
    const service = fakeService(orderOf({ items: [ITEM] }))
    const checkout = start(service)
    await pass()
    const { hold, open } = gate()
    const stale = orderOf({ items: [ITEM] })
    service.answer = ({ method, path }) =>
      method === 'GET' && path === '' ? { hold, body: { data: stale } } : undefined
    void checkout.refresh()
    await pass(10)
    service.order = orderOf({ status: 'awaiting_payment', items: [ITEM] })
    await checkout.submit()
    open()
    await pass(100)
    expect(checkout.state().order?.status).toBe('awaiting_payment')
    expect(told).toEqual([{ milestone: 'submitted', code: 'awaiting_payment' }])
    // The older answer ends no watch: the payment is still noticed.
    service.answer = () => undefined
    service.order = orderOf({ status: 'completed', items: [ITEM] })
    await pass(20_000)
    expect(checkout.state().order?.status).toBe('completed')
  })

  it('shows its products once the network is back, and never an empty page', async () => {
    const service = fakeService(orderOf())
    service.answer = ({ path }) => (path === '/catalog' ? { lost: true } : undefined)
    const checkout = start(service)
    await pass(10_000)
    expect(checkout.state().trouble?.status).toBe(0)
    service.answer = () => undefined
    void checkout.refresh()
    await pass()
    const { trouble, catalog } = checkout.state()
    expect({ trouble, products: Object.keys(catalog?.products ?? {}) }).toEqual({
      trouble: undefined,
      products: ['KITA'],
    })
  })

  it('never adds twice when both the answer and the question after it got lost', async () => {
    const service = fakeService(orderOf())
    const checkout = start(service)
    await filled(checkout, pass)
    service.answer = ({ path }) => (path === '/items' || path === '' ? { lost: true } : undefined)
    checkout.add()
    await pass(10_000)
    const { failure } = checkout.state()
    expect(failure?.problem.status).toBe(0)
    // The first attempt had been made: the repeated one is of an old basket.
    service.order = orderOf({ version: 2, items: [ITEM] })
    service.answer = ({ path }) =>
      path === '/items' ? { status: 409, body: { error: 'order_changed', message: '' } } : undefined
    failure?.retry()
    await pass()
    expect(checkout.state()).toMatchObject({
      view: { name: 'basket' },
      notice: { tone: 'ok' },
      order: { items: [{ line: 1 }] },
    })
  })

  it('blames the line of the basket that was refused, and no field of the form', async () => {
    const service = fakeService(orderOf({ items: [ITEM, OTHER] }))
    const checkout = start(service)
    await filled(checkout, pass)
    service.answer = ({ path }) =>
      path === '/items'
        ? { status: 422, body: { error: 'invalid_items', errors: { 'items.1.account': ['No longer'] } } }
        : undefined
    checkout.add()
    await pass()
    const { form, failure } = checkout.state()
    expect(form?.refusals).toEqual({})
    expect(failure?.problem.lines).toEqual(['Bayu'])
  })

  it('names the products for which a basket cannot be submitted', async () => {
    const service = fakeService(orderOf({ items: [ITEM, OTHER] }))
    const checkout = start(service)
    await pass()
    service.answer = ({ path }) =>
      path === '/submit'
        ? { status: 422, body: { error: 'invalid_items', errors: { 'items.1': ['Not for sale'] } } }
        : undefined
    await checkout.submit()
    const { failure } = checkout.state()
    expect(failure?.problem.lines).toEqual(['Bayu'])
  })

  it('says that the shop is closed, and not that the order has gone on', async () => {
    const service = fakeService(orderOf({ items: [ITEM] }))
    const checkout = start(service)
    await pass()
    service.answer = ({ path }) =>
      path === '/submit' ? { status: 409, body: { error: 'shop_closed', message: '' } } : undefined
    await checkout.submit()
    const { failure, notice } = checkout.state()
    expect(failure?.problem.code).toBe('shop_closed')
    expect(notice).toBeUndefined()
  })

  it('reads the order again when the read at its end got lost', async () => {
    const service = fakeService(orderOf())
    const checkout = start(service)
    await pass()
    service.order = orderOf({ status: 'timeout' })
    service.answer = () => ({ lost: true })
    await pass(30 * 60_000 + 20_000)
    expect(checkout.state().order?.status).toBe('draft')
    service.answer = () => undefined
    await pass(20_000)
    expect(checkout.state().order?.status).toBe('timeout')
  })

  it('keeps the values of two lines with the same product apart', async () => {
    const open = (line: number) => ({ ...ITEM, line, account: null, is_fixed: true, missing: ['account'] })
    const service = fakeService(orderOf({ is_fixed: true, items: [open(1), open(2)] }))
    const checkout = start(service)
    await pass()
    checkout.go({ name: 'product', code: 'KITA', line: 1 })
    checkout.setValue('phone', '6011')
    checkout.go({ name: 'product', code: 'KITA', line: 2 })
    expect(checkout.state().form?.values).toEqual({})
    checkout.go({ name: 'product', code: 'KITA', line: 1 })
    expect(checkout.state().form?.values).toEqual({ phone: '6011' })
  })

  it('stays in the language of the customer until the page asks for another one', async () => {
    const kept = memory()
    const service = fakeService(orderOf({ language: 'en' }))
    const first = start(service, kept, 'ms')
    await pass()
    expect(first.state().language).toBe('ms')
    first.setLanguage('en')
    await first.refresh()
    expect(first.state().language).toBe('en')
    first.stop()
    const again = start(service, kept, 'ms')
    await pass()
    expect(again.state().language).toBe('en')
    again.stop()
    const asked = start(service, kept, 'en')
    asked.setLanguage('ms')
    asked.stop()
    const other = start(service, kept, undefined)
    await pass()
    expect(other.state().language).toBe('en')
  })
})
