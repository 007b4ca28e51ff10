import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Demo } from '../catalog.ts'
import { shareDemo } from '../catalog.ts'
import type { Shop } from '../portal/members.ts'
import { dataOf, openShop } from '../portal/members.ts'
import { until } from '../service.ts'
import type { Visitor } from './browser.ts'
import { expectAccessible, hasBrowser, openVisitor } from './browser.ts'

// The portal as a shop installs it on a cheap telephone: what its first loads cost, and what it says without a
// connection.

const LOAD_BYTES_MAX = 150_000
const LOAD_REQUESTS_MAX = 12

let demo: Demo

beforeAll(async () => {
  demo = await shareDemo()
})
afterAll(() => demo?.end())

describe('the manifest and the worker', () => {
  it('the portal is installable, under a name of its own on staging', async () => {
    const { service } = demo
    const manifest = await service.get('/portal.webmanifest')
    expect(manifest.headers['content-type']).toContain('application/manifest+json')
    expect(JSON.parse(manifest.text)).toMatchObject({
      name: 'Warung staging',
      id: '/portal',
      scope: '/portal',
      start_url: '/portal/sell',
      display: 'standalone',
    })
    for (const { src } of JSON.parse(manifest.text).icons) {
      expect((await service.get(src)).headers['content-type']).toBe('image/png')
    }
    const { text, headers } = await service.get('/portal')
    expect(text).toContain('rel="manifest"')
    expect(headers['content-security-policy']).toContain("worker-src 'self'; trusted-types portal-worker")
  })

  it('a new worker shows at the next load, because browsers ask for it each time', async () => {
    const { headers, status } = await demo.service.get('/portal-worker.js')
    expect(status).toBe(200)
    expect(headers).toMatchObject({
      'cache-control': 'no-cache',
      'content-type': expect.stringContaining('javascript'),
    })
  })

  it('the console is not installable', async () => {
    const { text, headers } = await demo.service.get('/operator')
    expect(text).not.toContain('manifest')
    expect(headers['content-security-policy']).toContain("trusted-types 'none'")
  })
})

/** Counts what a page loads, with the heads of answers; the stream of events has no end, and is not among it. */
async function countLoads(page: Page): Promise<() => { requests: number; bytes: number }> {
  const session = await page.context().newCDPSession(page)
  const sizes: number[] = []
  await session.send('Network.enable')
  session.on('Network.loadingFinished', ({ encodedDataLength }) => void sizes.push(encodedDataLength))
  return () => ({ requests: sizes.length, bytes: sizes.reduce((sum, size) => sum + size, 0) })
}

describe.runIf(hasBrowser())('the portal in a browser that was never there', () => {
  it.each(['/portal/sign-in', '/portal/sell'])(
    'loads %s with at most 12 requests and 150 kB',
    async (path) => {
      const shop = await openShop(demo.service, '100')
      const visitor = await openVisitor(demo.service, { width: 390 })
      if (path !== '/portal/sign-in') await visitor.letIn(shop.admin)
      const loaded = await countLoads(visitor.page)
      await visitor.go(path)
      const first = path === '/portal/sell' ? 'Number, product or biller' : 'Username'
      await visitor.page.getByLabel(first, { exact: true }).waitFor()
      await visitor.settle()
      const { requests, bytes } = loaded()
      expect(requests).toBeGreaterThan(4)
      expect(requests).toBeLessThanOrEqual(LOAD_REQUESTS_MAX)
      expect(bytes).toBeGreaterThan(50_000)
      expect(bytes).toBeLessThanOrEqual(LOAD_BYTES_MAX)
      await visitor.close()
    },
  )
})

describe.runIf(hasBrowser())('a new version of the service', () => {
  it('is said on an open page when the service is back, and loaded at a click, but not during a sale', async () => {
    const shop = await openShop(demo.service, '100')
    const visitor = await openVisitor(demo.service)
    const { page } = visitor
    await visitor.letIn(shop.admin)
    await page.route('**/portal/v1/live', (route) => route.abort())
    await visitor.go('/portal/sell/KITA')
    await page.getByLabel('Mobile number', { exact: true }).waitFor()
    const looked = page.waitForResponse(
      (response) =>
        response.request().resourceType() === 'fetch' && response.url().endsWith('/portal/sell/KITA'),
    )
    await page.route('**/portal/sell/KITA', (route) =>
      route.request().resourceType() === 'fetch'
        ? route.fulfill({ contentType: 'text/html', body: '<script src="/assets/portal-newer.js"></script>' })
        : route.continue(),
    )
    await page.unroute('**/portal/v1/live')
    await looked
    const banner = page.getByText('A new version is there.')
    expect(await banner.count()).toBe(0)
    await visitor.follow('/portal/payments')
    await banner.waitFor()
    await page.evaluate('globalThis.isSameLoad = true')
    await page.getByRole('button', { name: 'Reload' }).click()
    await until(
      'the page is loaded anew',
      async () => !(await page.evaluate<boolean>('globalThis.isSameLoad === true').catch(() => true)),
    )
    await visitor.close()
  })
})

const CACHED = `caches.open('warung.portal').then((cache) => cache.keys())
  .then((keys) => keys.map(({ url }) => new URL(url).pathname))`
const STORED = 'JSON.stringify({ ...sessionStorage }) + JSON.stringify({ ...localStorage })'
const CLERK = '60123456789'

describe.runIf(hasBrowser())('the portal without a connection', () => {
  let shop: Shop
  let visitor: Visitor

  beforeAll(async () => {
    shop = await openShop(demo.service, '2000')
    visitor = await openVisitor(demo.service, { width: 390, hasWorker: true })
    await visitor.letIn(shop.admin)
  })
  afterAll(() => visitor?.close())

  const cached = () => visitor.page.evaluate<string[]>(CACHED)
  const stored = (page = visitor.page) => page.evaluate<string>(STORED)
  const said = (text: string | RegExp, page = visitor.page) => page.getByText(text).first().waitFor()

  async function pay(page: Page, amount: string): Promise<void> {
    await page.getByLabel('Mobile number', { exact: true }).fill(CLERK)
    await page.getByLabel('Amount', { exact: true }).fill(amount)
    await said('Your margin', page)
    await page.keyboard.press('Control+Enter')
  }

  it('says the last balance and the recent numbers with their time, and goes on when the service answers', async () => {
    const { page, context } = visitor
    await visitor.go('/portal/sell/KITA')
    await pay(page, '23')
    await said('Sold')
    await visitor.go('/portal/sell')
    await said('Favourites and recent numbers')
    await until('the files are kept', async () => (await cached()).includes('/portal'))
    await context.setOffline(true)
    await page.reload()
    await page.getByRole('heading', { level: 1, name: 'No connection' }).waitFor()
    await said('Known at')
    await said(CLERK)
    await expectAccessible(visitor)
    await context.setOffline(false)
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.getByLabel('Number, product or biller').waitFor()
    visitor.takeProblems()
  })

  it('keeps the files of the pages alone: no answer of an API, and nothing of a person', async () => {
    await visitor.go('/portal/payments')
    await visitor.settle()
    for (const path of await cached()) expect(path).toMatch(/^\/portal$|^\/assets\//)
    expect(await stored()).not.toContain(shop.admin.secret)
  })

  it('finds the sale of a tab that crashed, asks how it ended, and pays it once', async () => {
    const { context } = visitor
    const till = await context.newPage()
    let paid = 0
    await till.route('**/portal/v1/sell/payments', async (route) => {
      paid += 1
      await route.fetch()
      await route.abort()
    })
    await till.route('**/portal/v1/payments/statuses', (route) => route.abort())
    await till.goto('/portal/sell/KITA')
    await pay(till, '27')
    await said('It is not known yet whether the payment was made.', till)
    await till.close()
    const next = await context.newPage()
    await next.goto('/portal/sell')
    await next.getByRole('link', { name: 'See how it ends' }).click()
    await said('Sold', next)
    expect(paid).toBe(1)
    const payments = dataOf<{ amount: string }[]>(await shop.admin.get(`/payments?account=${CLERK}`))
    expect(payments.filter(({ amount }) => Number(amount) === 27)).toHaveLength(1)
    await until('nothing is left of it', async () => !(await stored(next)).includes('"refid"'))
    await next.close()
  })

  it('keeps nothing of the person after signing out', async () => {
    const { page } = visitor
    expect(await stored()).toContain(CLERK)
    await visitor.go('/portal/more')
    await page.locator('main').getByRole('button', { name: 'Sign out' }).click()
    await page.waitForURL('**/portal/sign-in')
    const left = await stored()
    for (const own of [CLERK, shop.admin.secret, 'warung.known', 'warung.sales'])
      expect(left).not.toContain(own)
  })
})
