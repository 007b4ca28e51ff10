import { afterAll, beforeAll, beforeEach } from 'vitest'
import { shareDemo } from '../catalog.ts'
import type { Visitor } from '../dashboard/browser.ts'
import { openVisitor } from '../dashboard/browser.ts'
import { createPayer } from '../payments.ts'
import type { CreatedOrder, Shop } from './api-client.ts'
import { clientOf, createOrder, PHONE } from './api-client.ts'
import { pagePath, standInForShop } from './customers.ts'

/** Expression for everything that the page has stored in the browser. */
export const STORED = 'JSON.stringify({ ...sessionStorage }) + JSON.stringify({ ...localStorage })'

/** Opens a customer's phone for the tests of a suite: the hosted page of a shop of its own, and the words on it. */
export function useHostedPage() {
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
  return {
    get shop() {
      return shop
    },
    get visitor() {
      return visitor
    },
    button,
    field,
    said,
    title,
    async open(body: object = {}): Promise<CreatedOrder> {
      const order = await createOrder(shop, body)
      await visitor.page.goto(pagePath(order))
      return order
    },
    async addReload(amount = '20'): Promise<void> {
      await button(/^Kita Prepaid/).click()
      await field('Mobile number').fill(PHONE)
      await field('Amount').fill(amount)
      await button(/^Add to basket, RM/).click()
      await title('Your basket')
    },
    read: (order: CreatedOrder) => clientOf(shop, order).order(),
  }
}
