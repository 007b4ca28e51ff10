import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { shareDemo } from '../catalog.ts'
import type { Visitor } from '../dashboard/browser.ts'
import { excessWidth, expectAccessible, hasBrowser, openVisitor } from '../dashboard/browser.ts'
import { signed } from '../http.ts'
import { createPayer } from '../payments.ts'
import type { CreatedOrder, Shop } from './api-client.ts'
import { createOrder, PHONE } from './api-client.ts'
import type { Site } from './customers.ts'
import { confirm, openSite, pagePath } from './customers.ts'

/** The browser's own function, in which the page is asked: tests have no types of pages. */
type Styled = { getComputedStyle(element: unknown): { backgroundColor: string } }

const THEME = {
  accent: '#5b2be0',
  background: '#f4f1ff',
  surface: '#ffffff',
  text: '#1b1033',
  radius: '16px',
  font: 'system',
}

describe.runIf(hasBrowser())('the checkout inside the site of somebody else', () => {
  let shop: Shop
  let visitor: Visitor
  let allowed: Site
  let other: Site
  let integrity: string

  beforeAll(async () => {
    const { service } = await shareDemo()
    const { credentials } = await createPayer(service, '500')
    shop = { baseUrl: service.baseUrl, credentials }
    allowed = await openSite(service.baseUrl)
    other = await openSite(service.baseUrl)
    const json = {
      display_name: 'Kedai Ali',
      allowed_origins: [allowed.origin],
      accepts_loss: false,
      theme: THEME,
    }
    const saved = await signed(service.baseUrl, credentials, {
      method: 'PUT',
      path: '/v2/checkout-settings',
      json,
    })
    expect(saved.status, saved.text).toBe(200)
    integrity = (await service.get('/checkout/integrity.json')).json<{ integrity: string }>().integrity
    visitor = await openVisitor(service, { width: 390 })
  })
  afterAll(async () => {
    await visitor?.close()
    await allowed?.close()
    await other?.close()
  })

  function embedded({ order_id: id, client_token: token }: CreatedOrder): string {
    const attributes = `order="${id}" token="${token}" base="${shop.baseUrl}"`
    const script = `<script src="${shop.baseUrl}/checkout/warung-checkout.js" integrity="${integrity}" crossorigin></script>`
    return `<main><h1>My shop</h1><warung-checkout ${attributes}></warung-checkout></main>${script}`
  }
  const framed = (order: CreatedOrder) =>
    `<main><h1>My shop</h1><iframe title="Checkout" width="380" height="700" src="${shop.baseUrl}${pagePath(order)}"></iframe></main>`
  const button = (name: string | RegExp) => visitor.page.getByRole('button', { name })
  const title = (words: string) => visitor.page.getByRole('heading', { name: words, exact: true }).waitFor()

  it('sells under the strictest policy, tells the site, and leaves the history to it', async () => {
    const { page } = visitor
    const order = await createOrder(shop, { products: ['KITA'] })
    await page.goto(allowed.show(embedded(order)))
    await page.evaluate(`
      globalThis.told = []
      for (const name of ['submitted', 'pay', 'completed', 'cancelled', 'error'])
        document.addEventListener('warung:' + name, (event) => {
          told.push(name)
          if (name === 'pay') event.preventDefault()
        })`)
    await title('Choose a product')
    const length = await page.evaluate<number>('history.length')
    await button(/^Kita Prepaid/).click()
    await page.getByLabel('Mobile number', { exact: true }).fill(PHONE)
    await page.getByLabel('Amount', { exact: true }).fill('20')
    await button(/^Add to basket, RM/).click()
    await title('Your basket')
    await page.reload()
    await title('Your basket')
    await page.evaluate(`
      globalThis.told = []
      for (const name of ['submitted', 'pay', 'completed'])
        document.addEventListener('warung:' + name, (event) => {
          told.push(name)
          if (name === 'pay') event.preventDefault()
        })`)
    await button(/^Continue to payment/).click()
    await page.getByRole('link', { name: /^Pay RM/ }).click()
    await title('Waiting for your payment')
    await confirm(shop, order.order_id)
    await title('Your order is complete')
    expect(await page.evaluate<string[]>('told')).toEqual(['submitted', 'pay', 'completed'])
    expect(await page.evaluate<number>('history.length')).toBe(length)
    expect(page.url().startsWith(allowed.origin)).toBe(true)
    // Pictures are closed by the policy of this site, and that is all that it refused.
    const refused = visitor.takeProblems().filter((each) => !/img-src|asked another host/.test(each))
    expect(refused).toEqual([])
  })

  it('has the colours of the shop, and can be used by everybody', async () => {
    const { page } = visitor
    await page.goto(allowed.show(embedded(await createOrder(shop, { products: ['KITA', 'NOVA'] }))))
    await title('Choose a product')
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await expectAccessible(visitor)
    }
    expect(await excessWidth(visitor)).toBe(0)
    await button(/^Kita Prepaid/).click()
    const colour = await page
      .getByRole('button', { name: 'Add to basket' })
      .evaluate((element) => (globalThis as unknown as Styled).getComputedStyle(element).backgroundColor)
    expect(colour).toBe('rgb(91, 43, 224)')
    visitor.takeProblems()
  })

  it('says so where the shop has not allowed the site', async () => {
    const { page } = visitor
    await page.goto(other.show(embedded(await createOrder(shop, { products: ['KITA'] }))))
    await title('This site may not show the checkout')
    await page.getByText(other.origin).first().waitFor()
    expect(await button(/^Kita Prepaid/).count()).toBe(0)
    visitor.takeProblems()
  })

  it('is framed by allowed sites alone', async () => {
    const { page } = visitor
    await page.goto(allowed.show(framed(await createOrder(shop, { products: ['KITA'] }))))
    const frame = page.frameLocator('iframe')
    await frame.getByRole('heading', { name: 'Choose a product' }).waitFor()
    await frame.getByRole('button', { name: /^Kita Prepaid/ }).click()
    await frame.getByLabel('Mobile number', { exact: true }).waitFor()
    visitor.takeProblems()
    await page.goto(other.show(framed(await createOrder(shop, { products: ['KITA'] }))))
    await expect.poll(() => page.frames().at(1)?.url()).toMatch(/^chrome-error:/)
    expect(visitor.takeProblems().join()).toMatch(/frame-ancestors/)
  })
})
