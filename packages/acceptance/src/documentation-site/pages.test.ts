import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { shareDemo } from '../catalog.ts'
import type { Visitor } from '../dashboard/browser.ts'
import { expectAccessible, hasBrowser, openVisitor } from '../dashboard/browser.ts'
import { expectEdgeHeaders, expectProblem } from '../edge.ts'
import type { Payer } from '../payments.ts'
import { createPayer, newRefid } from '../payments.ts'
import type { Service } from '../service.ts'

// The documentation as a running service serves it, over HTTP and in a browser. WARUNG_TEST_SCREENS keeps the pictures.

let service: Service
let payer: Payer

beforeAll(async () => {
  service = (await shareDemo()).service
  payer = await createPayer(service, '100')
})

/** One page of each kind: they share everything else. */
const LOOKED_AT = ['/docs', '/docs/concepts', '/docs/quick-start', '/docs/errors', '/docs/reference/pay']
const SHOWN = [...LOOKED_AT, '/docs/reference', '/docs/operators/alerts']

describe('the documentation over HTTP', () => {
  it.each(SHOWN)('%s comes with a policy that lets in nothing inline and nothing foreign', async (path) => {
    const answer = await service.get(path)
    expect(answer.status).toBe(200)
    expectEdgeHeaders(answer)
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8')
    const policy = String(answer.headers['content-security-policy'])
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("require-trusted-types-for 'script'")
    expect(policy).not.toMatch(/unsafe|https?:|\*/)
    expect(answer.text).toContain('<html data-environment="staging"')
    const loaded = [...answer.text.matchAll(/<(?:script|link|img)[^>]*\s(?:src|href)="([^"]*)"/g)]
    for (const [, target = ''] of loaded) expect((await service.get(target)).status, target).toBe(200)
  })

  it('names the service’s own address, on pages and in their Markdown twins', async () => {
    expect((await service.get('/docs')).text).toContain(service.baseUrl)
    const twin = await service.get('/docs/index.md')
    expect(twin.headers['content-type']).toBe('text/markdown; charset=utf-8')
    expect(twin.text).toMatch(/^# Warung/)
    expect(twin.text).toContain(service.baseUrl)
    const list = await service.get('/llms.txt')
    expect(list.text).toContain(`${service.baseUrl}/docs/signing.md`)
    expect((await service.get('/docs/llms-integrator.txt')).text).toContain('# Sign a request')
  })

  it('shows every code and test account of the running service', async () => {
    const { data } = (await service.get('/v2/errors')).json<{
      data: { kind: string; token: string | null }[]
    }>()
    const paths = ['/docs/errors.md', '/docs/payments.md', '/docs/checkout.md']
    const pages = await Promise.all(paths.map((path) => service.get(path)))
    const text = pages.map((page) => page.text).join('\n')
    for (const { token } of data) if (token !== null) expect(text).toContain(`\`${token}\``)
    const staging = (await service.get('/docs/staging.md')).text
    for (const account of ['60123450041', '60123450861', '60123451SSS', '60123453003', '60123454002']) {
      expect(staging).toContain(account)
    }
  })

  it('leads from /reference to the pages of operations, and has no page that does not exist', async () => {
    expect(await service.get('/reference')).toMatchObject({
      status: 302,
      headers: { location: '/docs/reference' },
    })
    expectProblem(await service.get('/docs/nothing-here'), 404)
    const seen = await service.get('/docs/reference/nothing-here', { Accept: 'text/html' })
    expect(seen.status).toBe(404)
    expect(seen.text).toMatch(/^<!doctype html>/)
    for (const path of ['/docs/stamp', '/docs/..%2fpackage.json', '/docs/assets/..%2f..%2fpackage.json']) {
      expect((await service.get(path)).status, path).toBe(404)
    }
  })
})

const SCREENS = process.env.WARUNG_TEST_SCREENS
const HEIGHT = 900
const LOOKS = [
  { name: '1440-light', width: 1440, theme: 'light' },
  { name: '390-dark', width: 390, theme: 'dark' },
] as const

describe.runIf(hasBrowser())('the documentation in a browser', () => {
  let visitor: Visitor

  beforeAll(async () => {
    visitor = await openVisitor(service)
  })
  afterAll(() => visitor?.close())

  it.each(LOOKED_AT)(
    '%s fits wide and narrow, light and dark, without an error or an axe finding',
    async (path) => {
      const { page } = visitor
      await visitor.go(path)
      for (const { name, width, theme } of LOOKS) {
        await page.setViewportSize({ width, height: HEIGHT })
        await page.emulateMedia({ colorScheme: theme })
        const widths = await page.evaluate('[document.documentElement.scrollWidth, innerWidth]')
        expect((widths as number[])[0], name).toBeLessThanOrEqual((widths as number[])[1] ?? 0)
        await expectAccessible(visitor)
        if (SCREENS !== undefined) {
          mkdirSync(SCREENS, { recursive: true })
          await page.screenshot({ path: join(SCREENS, `docs${path.replaceAll('/', '-')}-${name}.png`) })
        }
      }
      expect(visitor.takeProblems()).toEqual([])
    },
  )

  it('finds a page by its keyboard, with a word mistyped', async () => {
    const { page } = visitor
    await page.setViewportSize({ width: 1440, height: HEIGHT })
    await visitor.go('/docs')
    await page.keyboard.press('/')
    await page.keyboard.type('verfy webhook')
    await page.getByRole('option').first().waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/docs\/webhooks#/)
    expect(visitor.takeProblems()).toEqual([])
  })

  it('says when nothing was found, until a word is', async () => {
    const { page } = visitor
    await visitor.go('/docs')
    await page.keyboard.press('/')
    await page.keyboard.type('zzyzxqwk')
    await page.getByText('Nothing was found').waitFor()
    await page.locator('#search').fill('Out_Of_Stock')
    await page.getByRole('option', { name: '45 Out_Of_Stock' }).first().waitFor()
    expect(await page.getByText('Nothing was found').count()).toBe(0)
    expect(visitor.takeProblems()).toEqual([])
  })

  it('searches again at the next letter when its index could not be loaded', async () => {
    const { page } = visitor
    await visitor.go('/docs')
    const index = `**${await page.evaluate<string>('document.body.dataset.index')}`
    await page.route(index, (route) => route.abort())
    await page.keyboard.press('/')
    await page.keyboard.type('webh')
    await page.getByText('The search could not be loaded').waitFor()
    await page.unroute(index)
    await page.keyboard.type('ook')
    await page.getByRole('option').first().waitFor()
    expect(await page.getByText('The search could not be loaded').count()).toBe(0)
    // The browser reports each failed request by itself.
    for (const problem of visitor.takeProblems()) expect(problem).toMatch(/ERR_FAILED/)
  })

  it('copies a block as it stands', async () => {
    const { page } = visitor
    await visitor.go('/docs/quick-start')
    await page
      .locator('.code', { hasText: 'balance.mjs' })
      .first()
      .getByRole('button', { name: 'Copy' })
      .click()
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    expect(await page.evaluate('navigator.clipboard.readText()')).toContain("call('GET', '/v2/balance')")
  })

  it('sends a signed payment from the page, and keeps neither key nor secret', async () => {
    const { page, context } = visitor
    const refid = newRefid()
    const { apiKey, secretBase64 } = payer.credentials
    await visitor.go('/docs/reference/pay')
    await page.getByLabel('API key').fill(apiKey)
    await page.getByLabel('Signing secret').fill(secretBase64)
    const body = { refid, product: 'NOVA', account: '60123456789', amount: 10 }
    await page.getByLabel('Body').fill(JSON.stringify(body))
    await page.getByRole('button', { name: /^Send POST/ }).click()
    await page.getByText('"transaction_id"').last().waitFor()
    expect(await payer.pay(body)).toMatchObject({ refid })
    expect(page.url()).not.toContain(apiKey)
    const kept = `${JSON.stringify(await context.storageState())}${await page.evaluate('JSON.stringify({ ...localStorage, ...sessionStorage })')}`
    expect(kept).not.toContain(secretBase64)
    expect(kept).not.toContain(apiKey)
    await page.reload()
    expect(await page.getByLabel('Signing secret').inputValue()).toBe('')
    expect(visitor.takeProblems()).toEqual([])
  })

  it('offers to send requests in staging alone', async () => {
    const { page } = visitor
    const path = '**/docs/reference/pay'
    await page.route(path, async (route) => {
      const answer = await route.fetch()
      const text = (await answer.text()).replace(
        'data-environment="staging"',
        'data-environment="production"',
      )
      await route.fulfill({ response: answer, body: text })
    })
    await visitor.go('/docs/reference/pay')
    await page.locator('.code .copy').first().waitFor()
    expect(await page.getByRole('button', { name: /^Send POST/ }).isVisible()).toBe(false)
    await page.unroute(path)
  })

  it('changes between light and dark, and remembers it', async () => {
    const { page } = visitor
    await page.emulateMedia({ colorScheme: 'light' })
    await visitor.go('/docs')
    await page.getByRole('button', { name: 'Use the dark theme' }).click()
    await visitor.go('/docs/errors')
    expect(await page.evaluate('document.documentElement.dataset.theme')).toBe('dark')
  })

  it('can be read and walked through without scripts, also on a telephone', async () => {
    const browser = visitor.context.browser()
    const context = await browser?.newContext({
      baseURL: service.baseUrl,
      javaScriptEnabled: false,
      viewport: { width: 390, height: HEIGHT },
    })
    const page = await context?.newPage()
    if (page === undefined) throw new Error('no page')
    await page.goto('/docs/signing')
    await page.getByRole('link', { name: 'Menu', exact: true }).click()
    await page.getByRole('link', { name: 'Close the menu' }).click()
    await page.getByRole('navigation', { name: 'Documentation' }).waitFor({ state: 'hidden' })
    await page.getByRole('link', { name: 'Menu', exact: true }).click()
    await page
      .getByRole('navigation', { name: 'Documentation' })
      .getByRole('link', { name: 'Go live' })
      .click()
    await page.getByRole('heading', { name: 'Go live' }).waitFor()
    expect(await page.getByRole('searchbox').isVisible()).toBe(false)
    await context?.close()
  })
})
