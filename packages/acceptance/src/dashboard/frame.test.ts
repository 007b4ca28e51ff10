import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { shareDemo } from '../catalog.ts'
import type { Browser } from '../portal/people.ts'
import { signInMember, signInOperator } from '../portal/people.ts'
import type { Service } from '../service.ts'
import type { Visitor } from './browser.ts'
import { expectAccessible, hasBrowser, openVisitor, signInToConsole } from './browser.ts'
import { keyboardOf } from './keyboard.ts'

let service: Service

beforeAll(async () => {
  service = (await shareDemo()).service
})

const FIRST_LOAD_BYTES_MAX = 200_000
const THEME = 'document.documentElement.dataset.theme'
const LOADED_BYTES = `[...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
  .reduce((sum, entry) => sum + entry.encodedBodySize, 0)`
const WATCH_SHIFTS = `
window.shifts = 0
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) window.shifts += entry.value
}).observe({ type: 'layout-shift', buffered: true })`

describe('the frame over HTTP', () => {
  it('is found from / and allows nothing inline, nothing foreign and no frame around it', async () => {
    const start = await service.get('/')
    expect(start).toMatchObject({ status: 302, headers: { location: '/portal' } })
    for (const path of ['/portal', '/portal/payments/1', '/operator', '/operator/deliveries/1/callback']) {
      const { status, headers } = await service.get(path)
      expect(status).toBe(200)
      const policy = String(headers['content-security-policy'])
      expect(policy).toContain("default-src 'none'")
      expect(policy).toContain("frame-ancestors 'none'")
      expect(policy).toContain("require-trusted-types-for 'script'")
      expect(policy).not.toContain('unsafe')
    }
  })

  it('answers 404 for pages that do not exist, and leaves the paths of the APIs alone', async () => {
    expect((await service.get('/portal/nothing-here')).status).toBe(404)
    expect((await service.get('/portal/v1/nothing-here')).status).toBe(404)
    expect((await service.get('/assets/../package.json')).status).toBe(404)
  })

  it('sends compressed files that a browser may keep for ever, and the frame anew each time', async () => {
    const { text } = await service.get('/portal')
    const script = /src="(\/assets\/portal-[^"]+\.js)"/.exec(text)?.[1] ?? ''
    const plain = await service.get(script)
    expect(plain.headers).toMatchObject({ 'cache-control': 'public, max-age=31536000, immutable' })
    const packed = await service.get(script, { 'Accept-Encoding': 'gzip, br' })
    expect(packed.headers).toMatchObject({ 'content-encoding': 'br', vary: 'Accept-Encoding' })
    expect((await service.get('/portal')).headers['cache-control']).toBe('no-cache')
  })
})

describe.runIf(hasBrowser())('the frame in a browser', () => {
  let visitor: Visitor
  let member: Browser

  beforeAll(async () => {
    visitor = await openVisitor(service)
    member = await signInMember(service)
    await visitor.letIn(member)
  })
  afterAll(() => visitor?.close())

  const reseller = () => service.demo.resellers[0] ?? { username: '', password: '' }

  it('loads in at most 200 kB, without moving anything and without an error', async () => {
    const fresh = await openVisitor(service)
    await fresh.letIn(member)
    await fresh.page.addInitScript(WATCH_SHIFTS)
    await fresh.go('/portal')
    await fresh.page.waitForLoadState('networkidle')
    const bytes = await fresh.page.evaluate<number>(LOADED_BYTES)
    expect(bytes).toBeGreaterThan(50_000)
    expect(bytes).toBeLessThanOrEqual(FIRST_LOAD_BYTES_MAX)
    const shift = await fresh.page.evaluate<number>('window.shifts')
    expect(shift).toBeLessThan(0.1)
    expect(fresh.takeProblems()).toEqual([])
    await fresh.close()
  })

  it('leads everywhere by keyboard: palette, shortcuts, theme and language', async () => {
    const { page } = visitor
    await visitor.go('/portal')
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search or jump to' }).fill('statem')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/portal/statement')
    await keyboardOf(page).pressTogether('g', 'p')
    await page.waitForURL('**/portal/payments')
    const before = await page.evaluate(THEME)
    await page.keyboard.press('Shift+D')
    expect(await page.evaluate(THEME)).not.toBe(before)
    await page.locator('.languages select').selectOption('ms')
    await expect.poll(() => page.locator('h1').textContent()).toBe('Bayaran')
    await page.locator('.languages select').selectOption('en')
    await expectAccessible(visitor)
    expect(visitor.takeProblems()).toEqual([])
  })

  it('keeps the page that was asked for through signing in, and leads to no other host', async () => {
    const stranger = await openVisitor(service)
    await stranger.page.goto('/portal/payments?status=failed')
    await stranger.page.waitForURL('**/portal/sign-in?next=**')
    await stranger.page.getByLabel('Username', { exact: true }).fill(reseller().username)
    await stranger.page.getByLabel('Password', { exact: true }).fill(reseller().password)
    await stranger.page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await stranger.page.waitForURL('**/portal/payments?status=failed')
    await stranger.page.getByRole('button', { name: 'Sign out' }).click()
    await stranger.page.waitForURL('**/portal/sign-in')
    await stranger.page.goto('/portal/sign-in?next=//example.com/portal/x')
    await stranger.page.getByLabel('Username', { exact: true }).fill(reseller().username)
    await stranger.page.getByLabel('Password', { exact: true }).fill(reseller().password)
    await stranger.page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await stranger.page.waitForURL('**/portal')
    expect(new URL(stranger.page.url()).host).toBe(new URL(service.baseUrl).host)
    await stranger.close()
  })

  it('signs out on a phone too, into a new load that keeps nothing of the session in memory', async () => {
    const leaving = await openVisitor(service, { width: 390 })
    await leaving.letIn(await signInMember(service))
    await leaving.go('/portal/more')
    await leaving.page.evaluate('globalThis.isSameLoad = true')
    await leaving.page.locator('main').getByRole('button', { name: 'Sign out' }).click()
    await leaving.page.waitForURL('**/portal/sign-in')
    await leaving.page.getByLabel('Username', { exact: true }).waitFor()
    expect(await leaving.page.evaluate('globalThis.isSameLoad === true')).toBe(false)
    expect(leaving.takeProblems()).toEqual([])
    await leaving.close()
  })

  it('keeps the console apart from the portal', async () => {
    const operator = await openVisitor(service)
    const { email, password } = service.demo.operator
    await signInToConsole(operator, { name: email, password })
    await operator.go('/operator')
    await operator.page.getByText('Console', { exact: true }).first().waitFor()
    await operator.close()
  })
})

/** Problems of a page except those of requests that the test itself lets fail. */
function unexpected(visitor: Visitor): string[] {
  return visitor
    .takeProblems()
    .filter((text) => !/Failed to load resource|net::ERR_|dynamically imported/.test(text))
}

const FOCUSED = "document.activeElement.tagName + ' ' + document.activeElement.textContent"

describe.runIf(hasBrowser())('a change of pages', () => {
  let visitor: Visitor

  beforeAll(async () => {
    visitor = await openVisitor(service)
    await visitor.letIn(await signInMember(service))
  })
  afterAll(() => visitor?.close())

  const focused = () => visitor.page.evaluate<string>(FOCUSED)
  const heading = (name: string) => visitor.page.getByRole('heading', { level: 1, name })

  it('names the document after the page, and puts the focus on its heading', async () => {
    const { page } = visitor
    await visitor.go('/portal')
    await visitor.settle()
    expect(await page.title()).toBe('Overview · Warung')
    expect(await focused()).toMatch(/^BODY/)
    await page
      .getByRole('navigation', { name: 'Pages' })
      .getByRole('link', { name: 'Payments', exact: true })
      .click()
    await expect.poll(focused).toBe('H1 Payments')
    expect(await page.title()).toBe('Payments · Warung')
    // A filter stays on the page.
    const filter = page.getByRole('button', { name: 'Successful', exact: true })
    await filter.click()
    await page.waitForURL('**/portal/payments?status=*')
    await visitor.settle()
    expect(await focused()).toBe('BUTTON Successful')
    await page.locator('tbody tr').first().click()
    await page.waitForURL('**/portal/payments/*')
    await expect.poll(focused).toMatch(/^H1 MYR/)
    await expect.poll(() => page.title()).toMatch(/^MYR \d.* Successful · Warung$/)
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search or jump to' }).fill('statem')
    await page.keyboard.press('Enter')
    await expect.poll(focused).toBe('H1 Statement')
    await page.locator('.languages select').selectOption('ms')
    await expect.poll(() => page.title()).toBe('Penyata · Warung')
    await page.locator('.languages select').selectOption('en')
    expect(visitor.takeProblems()).toEqual([])
  })

  it('keeps the app without a connection, says so on the page, and loads the page when it is asked again', async () => {
    const { page } = visitor
    await visitor.go('/portal')
    await page.evaluate('globalThis.isSameLoad = true')
    const documents = countDocuments(page)
    await visitor.context.setOffline(true)
    await page.getByRole('link', { name: 'Team and alerts' }).click()
    await heading('This page did not arrive').waitFor()
    await expect.poll(() => page.title()).toBe('This page did not arrive · Warung')
    expect(await page.evaluate('globalThis.isSameLoad')).toBe(true)
    await visitor.context.setOffline(false)
    await page.getByRole('button', { name: 'Try again' }).click()
    await heading('Team and alerts').waitFor()
    // An older browser keeps the failure of an import until the document is loaded anew.
    expect(documents()).toBeLessThanOrEqual(1)
    expect(unexpected(visitor)).toEqual([])
  })

  it('loads the document anew for a page of an older version, and once', async () => {
    const { page } = visitor
    const known = new Set<string>()
    page.on('response', (response) => {
      known.add(response.url())
    })
    await visitor.go('/portal')
    await page.waitForLoadState('networkidle')
    const older = new Set(known)
    await page.route('**/assets/**', (route) =>
      older.has(route.request().url()) ? route.continue() : route.fulfill({ status: 404 }),
    )
    await page.route('**/portal/cases', (route) =>
      route.request().resourceType() === 'fetch'
        ? route.fulfill({ contentType: 'text/html', body: '<script src="/assets/portal-newer.js"></script>' })
        : route.continue(),
    )
    const documents = countDocuments(page)
    await page.getByRole('link', { name: 'Cases' }).click()
    await heading('This page did not arrive').waitFor()
    expect(documents()).toBe(1)
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Try again' }).click()
    await heading('Cases').waitFor()
    expect(documents()).toBeLessThanOrEqual(2)
    expect(unexpected(visitor)).toEqual([])
  })
})

/** Counts the documents that the page asks for from now on. */
function countDocuments(page: Visitor['page']): () => number {
  let count = 0
  page.on('request', (request) => {
    if (request.resourceType() === 'document') count += 1
  })
  return () => count
}

describe.runIf(hasBrowser())('an ended session', () => {
  it.each(['portal', 'operator'] as const)(
    'the sign-in page of the %s comes once and leads back, however many reads notice the end',
    async (side) => {
      const visitor = await openVisitor(service)
      const { page } = visitor
      const session = side === 'portal' ? await signInMember(service) : await signInOperator(service)
      await visitor.letIn(session)
      const asked = `/${side}/payments?status=failed`
      await visitor.go(asked)
      await visitor.settle()
      let release = () => {}
      const isReleased = new Promise<void>((resolve) => {
        release = resolve
      })
      // The sign-in page is slow to come, so that the page before it goes on reading.
      await page.route('**/assets/*.js', async (route) => {
        await isReleased
        await route.continue()
      })
      await session.send('DELETE', '/session')
      await page.waitForURL(`**/${side}/sign-in?next=*`)
      const refused = page.waitForResponse((response) => response.status() === 401)
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox', { name: 'Search or jump to' }).fill('6012345')
      await refused
      release()
      await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor()
      expect(new URL(page.url()).searchParams.get('next')).toBe(asked)
      const [label, name, password] =
        side === 'portal'
          ? ['Username', service.demo.resellers[0]?.username ?? '', service.demo.resellers[0]?.password ?? '']
          : ['Email', service.demo.operator.email, service.demo.operator.password]
      await page.getByLabel(label, { exact: true }).fill(name)
      await page.getByLabel('Password', { exact: true }).fill(password)
      await page.getByRole('button', { name: 'Sign in', exact: true }).click()
      await page.waitForURL(`**${asked}`)
      await visitor.close()
    },
  )

  it('leads to the start after signing in when the sign-in page itself was asked for', async () => {
    const visitor = await openVisitor(service)
    const { page } = visitor
    const nested = encodeURIComponent('/portal/sign-in?next=%2Fportal%2Fsign-in')
    const { username = '', password = '' } = service.demo.resellers[0] ?? {}
    await page.goto(`/portal/sign-in?next=${nested}`)
    await page.getByLabel('Username', { exact: true }).fill(username)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    expect(new URL(page.url()).pathname).toBe('/portal')
    await visitor.close()
  })
})
