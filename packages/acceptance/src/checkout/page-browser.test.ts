import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { shareDemo } from '../catalog.ts'
import type { Visitor } from '../dashboard/browser.ts'
import { hasBrowser, LOOKS, openVisitor } from '../dashboard/browser.ts'
import { createPayer } from '../payments.ts'
import type { CreatedOrder, Shop } from './api-client.ts'
import { clientOf, createOrder, PHONE } from './api-client.ts'
import { confirm, expectFine, focusIs, pagePath, standInForShop, tabTo } from './customers.ts'

const STORED = 'JSON.stringify({ ...sessionStorage }) + JSON.stringify({ ...localStorage })'

describe.runIf(hasBrowser())('the hosted page', () => {
  let shop: Shop
  let visitor: Visitor

  beforeAll(async () => {
    const { service } = await shareDemo()
    const { credentials } = await createPayer(service, '2000')
    shop = { baseUrl: service.baseUrl, credentials }
    visitor = await openVisitor(service, { width: 390 })
    await standInForShop(visitor.page)
  })
  afterAll(() => visitor?.close())
  beforeEach(async () => {
    await visitor.page.setViewportSize({ width: 390, height: 900 })
    await visitor.page.emulateMedia({ colorScheme: 'light' })
  })

  const button = (name: string | RegExp) => visitor.page.getByRole('button', { name })
  const field = (label: string) => visitor.page.getByLabel(label, { exact: true })
  const said = (words: string | RegExp) => visitor.page.getByText(words).first().waitFor()
  const title = (words: string) => visitor.page.getByRole('heading', { name: words, exact: true }).waitFor()

  async function open(body: object = {}): Promise<CreatedOrder> {
    const order = await createOrder(shop, body)
    await visitor.page.goto(pagePath(order))
    return order
  }
  async function addReload(amount = '20'): Promise<void> {
    await button(/^Kita Prepaid/).click()
    await field('Mobile number').fill(PHONE)
    await field('Amount').fill(amount)
    await button(/^Add to basket, RM/).click()
    await title('Your basket')
  }
  const read = (order: CreatedOrder) => clientOf(shop, order).order()

  it('sells from the first look to the PIN, at the width of a phone', async () => {
    const order = await open({ products: ['KITA', 'PINTEN'], show_results: true })
    await title('Choose a product')
    await addReload()
    await said('Kita Prepaid is in your basket.')
    await button('Add another product').click()
    await button(/PIN/).first().click()
    await field('Your mobile number').fill(PHONE)
    await visitor.page.getByText('RM 10', { exact: true }).first().click()
    await button(/^Add to basket, RM/).click()
    await title('Your basket')
    await button('One more: Kita Prepaid').click()
    await said('2 × RM')
    const { total_amount: total, items } = await read(order)
    expect(items.map(({ quantity }) => quantity)).toEqual([2, 1])
    await button(`Continue to payment, RM ${total}`).click()
    await visitor.page.getByRole('link', { name: `Pay RM ${total}` }).click()
    await visitor.page.waitForURL(/^https:\/\/shop\.example\//)
    const { searchParams } = new URL(visitor.page.url())
    expect(Object.fromEntries(searchParams)).toMatchObject({
      order_id: order.order_id,
      status: 'awaiting_payment',
    })
    await visitor.page.goBack()
    await title('Waiting for your payment')
    await confirm(shop, order.order_id)
    await title('Your order is complete')
    expect(await visitor.page.locator('.pin').count()).toBe(0)
    await button('Show PINs and links').click()
    const pin = await visitor.page.locator('.pin').first().innerText()
    expect(pin).toMatch(/\d{6,}/)
    expect(await visitor.page.evaluate(STORED)).not.toContain(pin)
    await button('Hide').click()
    await expect.poll(() => visitor.page.locator('.pin').count()).toBe(0)
  })

  it('is fine on every screen, wide and narrow, light and dark', async () => {
    await open({ products: ['KITA', 'NOVA', 'BILLPAY', 'NOVAMY'] })
    await title('Choose a product')
    visitor.takeProblems()
    await expectFine(visitor, LOOKS)
    await visitor.page.setViewportSize({ width: 390, height: 900 })
    await button(/^Kita Prepaid/).click()
    await field('Mobile number').fill('12')
    // The message of the field that is left appears above the button: one click must do all the same.
    await button('Add to basket').click()
    await said('2 fields need mending. The first: Mobile number')
    await expectFine(visitor)
    await field('Mobile number').fill(PHONE)
    await field('Amount').fill('20')
    await button(/^Add to basket, RM/).click()
    await title('Your basket')
    await expectFine(visitor)
    await button(/^Continue to payment/).click()
    await title('Pay for your order')
    await button('Cancel the order').click()
    await expectFine(visitor)
    await button('Cancel the order').click()
    await title('The order was cancelled')
    await expectFine(visitor)
    expect(visitor.takeProblems()).toEqual([])
  })

  it('is used by keyboard alone, and the focus goes where the eye goes', async () => {
    const { page } = visitor
    const order = await open({ products: ['KITA'] })
    await title('Choose a product')
    await tabTo(page, 'Search products')
    await page.keyboard.type('kita')
    await tabTo(page, 'Clear the search')
    await page.keyboard.press('Enter')
    await focusIs(page, 'Search products')
    await tabTo(page, /^Kita Prepaid/)
    await page.keyboard.press('Enter')
    await title('Kita Prepaid')
    await tabTo(page, 'Mobile number')
    await page.keyboard.press('Enter')
    await said('2 fields need mending. The first: Mobile number')
    await page.keyboard.type(PHONE)
    await tabTo(page, 'Amount')
    await page.keyboard.type('12')
    await button(/^Add to basket, RM/).waitFor()
    await page.keyboard.press('Enter')
    await title('Your basket')
    await page.keyboard.press('Shift+Tab')
    await focusIs(page, 'Close this message')
    await page.keyboard.press('Enter')
    await focusIs(page, 'Your basket')
    await tabTo(page, 'One more: Kita Prepaid')
    await page.keyboard.press('Space')
    await said('2 × RM')
    await tabTo(page, 'Cancel the order')
    await page.keyboard.press('Enter')
    await focusIs(page, 'Keep the order')
    await page.keyboard.press('Enter')
    await focusIs(page, 'Cancel the order')
    await tabTo(page, /^Continue to payment/)
    await page.keyboard.press('Enter')
    await title('Pay for your order')
    expect(await read(order)).toMatchObject({ status: 'awaiting_payment', items: [{ quantity: 2 }] })
    await tabTo(page, /^Pay RM/)
  })

  it('speaks Malay to the customer of a Malay order, and English when it is asked to', async () => {
    const order = await open({ products: ['KITA'], language: 'ms' })
    await title('Pilih produk')
    await button(/^Kita Prepaid/).click()
    await button('Masukkan ke bakul').click()
    await said('Isi ruangan ini')
    await field('Nombor telefon bimbit').waitFor()
    await button('English').click()
    await said('Fill this in')
    await visitor.page.goto('about:blank')
    await visitor.page.goto(pagePath(order))
    await title('Choose a product')
  })
})
