import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import type { Look, Visitor } from '../dashboard/browser.ts'
import { excessWidth, expectAccessible, LOOKS, lookAt } from '../dashboard/browser.ts'
import { signed } from '../http.ts'
import { until } from '../service.ts'
import type { CreatedOrder, Shop } from './api-client.ts'

// Helpers of the tests of the checkout in a browser: customers, and the sites of others.

/** Address of the hosted page, without the host: browsers of the tests know the service by its own address. */
export function pagePath({ checkout_url: url }: Pick<CreatedOrder, 'checkout_url'>): string {
  const { pathname, hash } = new URL(url)
  return pathname + hash
}

/** Answers for the shop whose pages the customer is sent to. */
export async function standInForShop(page: Page): Promise<void> {
  await page.context().route('https://shop.example/**', (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: '<!doctype html><title>Shop</title><h1>The shop</h1>',
    }),
  )
}

/** Tells the service that the reseller has its customer's money. */
export async function confirm({ baseUrl, credentials }: Shop, orderId: string): Promise<void> {
  const answer = await signed(baseUrl, credentials, {
    method: 'POST',
    path: `/v2/orders/${orderId}/confirm`,
    json: { payment_reference: `bank-${orderId}` },
  })
  expect(answer.status, answer.text).toBe(200)
}

/** Looks at the page wide and narrow, light and dark: nothing is cut off, and everybody can use it. */
export async function expectFine(visitor: Visitor, looks: readonly Look[] = NARROW_LOOKS): Promise<void> {
  for (const look of looks) {
    await lookAt(visitor, look)
    expect(await excessWidth(visitor), JSON.stringify(look)).toBe(0)
    await expectAccessible(visitor)
  }
}

/** Looks at the page at this width: nothing is cut off. */
export async function expectNotCut(visitor: Visitor, width: number): Promise<void> {
  await visitor.page.setViewportSize({ width, height: 900 })
  expect(await excessWidth(visitor)).toBe(0)
}

/** Colours do not depend on the width, so most screens are judged at the width of a phone alone. */
const NARROW_LOOKS = LOOKS.filter(({ width }) => width === 390)

/** Waits until the focus is on an element with this name, pressing Tab. */
export async function tabTo(page: Page, name: string | RegExp): Promise<void> {
  await until(`the focus is on ${name}`, async () => {
    await page.keyboard.press('Tab')
    const found = await page.evaluate<string>(FOCUSED)
    return typeof name === 'string' ? found === name : name.test(found)
  })
}

/** Waits until the focus is on the named element, without a key. */
export async function focusIs(page: Page, name: string): Promise<void> {
  await until(`the focus is on ${name}`, async () => (await page.evaluate<string>(FOCUSED)) === name)
}

/** Name of the focused element: its label, or its own text. */
const FOCUSED = `
(() => {
  let element = document.activeElement
  while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement
  const labels = element?.labels ? [...element.labels].map((each) => each.innerText) : []
  return (element?.getAttribute('aria-label') ?? labels[0] ?? element?.innerText ?? '').trim()
})()`

export type Site = {
  readonly origin: string
  /** Page that the site shows next. */
  show(body: string): string
  close(): Promise<void>
}

/** Site of somebody else, with a policy as strict as a page with the checkout can have. */
export async function openSite(serviceUrl: string): Promise<Site> {
  const pages = new Map<string, string>()
  const policy = [
    "default-src 'none'",
    `script-src ${serviceUrl}`,
    `connect-src ${serviceUrl}`,
    `frame-src ${serviceUrl}`,
    "style-src 'self'",
    "base-uri 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; ')
  const server = createServer((request, response) => {
    const body = pages.get(request.url ?? '')
    response.writeHead(body === undefined ? 404 : 200, {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': policy,
    })
    response.end(body ?? '')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    origin,
    show(body) {
      const path = `/page-${pages.size}`
      const head = '<meta name="viewport" content="width=device-width"><title>A shop</title>'
      pages.set(path, `<!doctype html><html lang="en"><head>${head}</head><body>${body}</body></html>`)
      return origin + path
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
