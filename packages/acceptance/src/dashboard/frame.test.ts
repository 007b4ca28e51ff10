import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { shareDemo } from '../catalog.ts'
import type { Browser } from '../portal/people.ts'
import { signInMember } from '../portal/people.ts'
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
    await page.getByRole('button', { name: 'Bahasa Melayu' }).click()
    await expect.poll(() => page.locator('h1').textContent()).toBe('Bayaran')
    await page.getByRole('button', { name: 'English' }).click()
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
