import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Demo } from '../catalog.ts'
import { shareDemo } from '../catalog.ts'
import type { CheckoutOrder } from '../checkout-orders.ts'
import { fillAndSubmit, reloadOrder } from '../checkout-orders.ts'
import { PHONE } from '../payments.ts'
import type { Shop } from '../portal/members.ts'
import { dataOf, openShop } from '../portal/members.ts'
import { until } from '../service.ts'
import type { Visitor } from './browser.ts'
import { expectAccessible, hasBrowser, lookAt, openVisitor } from './browser.ts'

const FAILS = '60123450048'
/** Counts the units whose line is cut: the end of a refid tells them apart. */
const CUT_UNITS = `[...document.querySelectorAll('.order-units li > *')].filter((each) =>
  each.getBoundingClientRect().right > each.closest('td').getBoundingClientRect().right + 1).length`
const BUTTON_COLOUR = "getComputedStyle(document.querySelector('.theme-preview .go')).backgroundColor"

describe.runIf(hasBrowser())('orders of the checkout in the portal', () => {
  let demo: Demo
  let shop: Shop
  let visitor: Visitor

  beforeAll(async () => {
    demo = await shareDemo()
    shop = await openShop(demo.service, '1000')
    visitor = await openVisitor(demo.service)
    await shop.admin.prove()
    await visitor.letIn(shop.admin)
  })
  afterAll(async () => {
    await visitor?.close()
    await demo?.end()
  })

  const button = (name: string) => visitor.page.getByRole('button', { name, exact: true })
  const said = (text: string | RegExp) => visitor.page.getByText(text).first().waitFor()
  const find = async (id: string) => dataOf<CheckoutOrder>(await shop.admin.get(`/orders/${id}`))

  async function make(changes: Record<string, unknown> = {}): Promise<CheckoutOrder> {
    return dataOf<CheckoutOrder>(await shop.admin.send('POST', '/orders', reloadOrder(changes)))
  }

  it('the playground makes an order, embeds its form beside the code, and confirms it in staging', async () => {
    const { page } = visitor
    await visitor.go('/portal/orders/playground')
    await page.getByLabel('Products').selectOption('NOVA')
    await button('Make an order').click()
    await page.waitForURL(/order_id=ord_/)
    const form = page.locator('warung-checkout')
    await form.getByText('Nova', { exact: false }).first().waitFor()
    const id = new URL(page.url()).searchParams.get('order_id') ?? ''
    const made = await find(id)
    // The token is for the form and the code to paste: never for the address or the storage.
    const token = made.client_token ?? ''
    expect(token).toMatch(/^ct_/)
    expect(page.url()).not.toContain(token)
    expect(await page.evaluate('JSON.stringify({ ...sessionStorage, ...localStorage })')).not.toContain(token)
    expect(await page.getByRole('region', { name: 'On your page: show its form' }).innerText()).toContain(id)
    await expectAccessible(visitor)

    await fillAndSubmit(demo.service.baseUrl, made)
    await page.reload()
    await button('Confirm, as if the money came').click()
    await until('the order is completed', async () => (await find(id)).status === 'completed')
    await page.getByRole('link', { name: 'Open the order' }).click()
    await page.waitForURL(new RegExp(`/portal/orders/${id}$`))
    await page.getByText('Completed').first().waitFor()
    expect(visitor.takeProblems()).toEqual([])
  })

  it('the page of an order shows its payments, and how much goes back to the customer', async () => {
    const { page } = visitor
    const order = await make({ items: [item(PHONE), item(FAILS)] })
    await visitor.go(`/portal/orders/${order.order_id}`)
    await said('Confirm it once you have the money.')
    await button('Confirm payment').click()
    await page.getByRole('dialog').getByLabel('Your payment').fill('bank-77')
    await button('Confirm and pay').click()
    // Nobody reloads: the page is told when the order has ended.
    await said('Give your customer MYR 10.00 back.')
    await page.getByText('Partly completed').first().waitFor()
    await said('Nothing was sent for this order.')
    await expectAccessible(visitor)
    expect((await page.locator('.order-units').allInnerTexts()).join()).not.toContain('Succesful')
    await lookAt(visitor, { width: 390, theme: 'light' })
    await expect.poll(() => page.evaluate<number>(CUT_UNITS)).toBe(0)
    await lookAt(visitor, { width: 1440, theme: 'light' })
    const [paid] = (await find(order.order_id)).items[0]?.transactions ?? []
    await page.getByRole('link', { name: `Payment ${paid?.refid}` }).click()
    await page.waitForURL(new RegExp(`/portal/payments/${paid?.transaction_id}$`))
    await said('Successful')
    expect(visitor.takeProblems()).toEqual([])
  })

  it('the list finds orders by state, customer and reference in the address', async () => {
    const { page } = visitor
    const order = await make({ user_id: 'sought' })
    await make({ user_id: 'another' })
    await visitor.go('/portal/orders?user_id=sought')
    await page.getByRole('row', { name: new RegExp(order.reference) }).waitFor()
    expect(await page.locator('tbody tr').count()).toBe(1)
    await page.getByLabel('State').selectOption('completed')
    await said('No orders match')
    await page.getByLabel('State').selectOption('awaiting_payment')
    await page.getByRole('row', { name: new RegExp(order.reference) }).click()
    await button('Cancel the order').click()
    await page.getByRole('dialog').getByLabel('Why').fill('The customer called')
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel the order' }).click()
    await said('The order is cancelled.')
    await expect.poll(async () => (await find(order.order_id)).status).toBe('cancelled')
    await said('The customer called')
    expect(visitor.takeProblems()).toEqual([])
  })

  it('settings show the look as it is typed, keep what was typed after a mistake, and are saved', async () => {
    const { page } = visitor
    await visitor.go('/portal/orders/settings')
    await page.getByLabel('Name that customers see').fill('Kedai Ujian')
    await page.getByLabel('Accent', { exact: true }).fill('#123456')
    await page.getByRole('img', { name: 'Preview of the checkout of Kedai Ujian' }).waitFor()
    await expect.poll(() => page.evaluate<string>(BUTTON_COLOUR)).toBe('rgb(18, 52, 86)')
    await page.getByLabel('Origins, one in each line').fill('not an origin')
    await page.getByText('Confirm orders that cost more than their price').click()
    await said('you lose the difference on each such item')
    await button('Save').click()
    await page.getByRole('alert').waitFor()
    // A refused form is an answer of 400, which the browser reports by itself.
    visitor.takeProblems()
    expect(await page.getByLabel('Name that customers see').inputValue()).toBe('Kedai Ujian')
    await page.getByLabel('Origins, one in each line').fill('https://shop.example\n')
    await button('Save').click()
    await said('The settings are saved.')
    expect(dataOf(await shop.admin.get('/checkout-settings'))).toMatchObject({
      display_name: 'Kedai Ujian',
      allowed_origins: ['https://shop.example'],
      accepts_loss: true,
      theme: { accent: '#123456' },
    })
    await lookAt(visitor, { width: 390, theme: 'dark' })
    await expectAccessible(visitor)
    await lookAt(visitor, { width: 1440, theme: 'light' })
    expect(visitor.takeProblems()).toEqual([])
  })
})

function item(account: string) {
  return { product_code: 'NOVA', amount: '10.00', account, quantity: 1 }
}
