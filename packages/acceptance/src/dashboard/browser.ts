import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { chromium } from 'playwright-core'
import { expect, inject } from 'vitest'
import type { Browser as Session } from '../portal/people.ts'
import type { Service } from '../service.ts'
import type { ReadWatch } from './round-trips.ts'
import { watchReads } from './round-trips.ts'

/** Person in front of a browser. */
export type Visitor = {
  readonly page: Page
  readonly context: BrowserContext
  /** Opens a page of the dashboard by its path. */
  go(path: string): Promise<void>
  /** Goes on to another page as a link does: the app stays, and nothing is loaded anew. */
  follow(path: string): Promise<void>
  /** Waits until the page has read all that it shows. */
  settle(): Promise<void>
  /** Reads of the APIs by the page. */
  readonly reads: ReadWatch
  /** Lets the person in with a session that was opened over HTTP, for tests whose subject is not signing in. */
  letIn(session: Pick<Session, 'side' | 'secret'>): Promise<void>
  /** Console errors, uncaught errors, refused resources and requests to other hosts since the last call. */
  takeProblems(): string[]
  close(): Promise<void>
}

export type VisitorOptions = {
  readonly width?: number
  readonly theme?: 'light' | 'dark'
  readonly language?: 'en' | 'ms'
  /** True: the portal's service worker is registered. It would answer in the place of routes that a test lays. */
  readonly hasWorker?: boolean
}

/** True when a browser was found; `describe.runIf(hasBrowser())`. */
export function hasBrowser(): boolean {
  return inject('chromium') !== null
}

let browser: Promise<Browser> | undefined

/** One browser serves all files of a worker: starting one costs more than most tests. One that died is replaced. */
async function sharedBrowser(): Promise<Browser> {
  const found = inject('chromium')
  if (found === null) throw new Error('no browser was found')
  if ((await browser)?.isConnected() === false) browser = undefined
  browser ??= chromium.launch({ executablePath: found.executable, args: [...found.args] })
  return browser
}

const HEIGHT = 900
/** Time that one step may take on a busy machine. */
const STEP_MS_MAX = 90_000

/** Look of a page: it is loaded once, and looked at in each of them. */
export type Look = { readonly width: number; readonly theme: 'light' | 'dark' }

export const LOOKS: readonly Look[] = [
  { width: 1440, theme: 'light' },
  { width: 1440, theme: 'dark' },
  { width: 390, theme: 'dark' },
  { width: 390, theme: 'light' },
]

export async function lookAt({ page }: Visitor, { width, theme }: Look): Promise<void> {
  await page.setViewportSize({ width, height: HEIGHT })
  await page.emulateMedia({ colorScheme: theme })
}

/** Returns by how much the page is wider than the screen. */
export function excessWidth({ page }: Visitor): Promise<number> {
  return page.evaluate<number>(
    'Math.max(0, document.documentElement.scrollWidth - document.documentElement.clientWidth)',
  )
}

const COOKIES = { portal: 'warung_member', operator: 'warung_operator' } as const

export async function openVisitor(
  service: Pick<Service, 'baseUrl'>,
  options: VisitorOptions = {},
): Promise<Visitor> {
  const { width = 1440, theme = 'light', language = 'en', hasWorker = false } = options
  const context = await (await sharedBrowser()).newContext({
    baseURL: service.baseUrl,
    viewport: { width, height: HEIGHT },
    colorScheme: theme,
    // Times on the pages do not depend on the machine's zone.
    timezoneId: 'America/New_York',
    reducedMotion: 'reduce',
    serviceWorkers: hasWorker ? 'allow' : 'block',
  })
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: service.baseUrl })
  await context.addInitScript(`localStorage.setItem('warung.language', '${language}')`)
  context.setDefaultTimeout(STEP_MS_MAX)
  const page = await context.newPage()
  const problems = watch(page, service.baseUrl)
  const reads = watchReads(page)
  return {
    page,
    context,
    async go(path) {
      await page.goto(path)
      await page.locator('h1').first().waitFor()
    },
    async follow(path) {
      await page.evaluate(FOLLOW.replace('PATH', JSON.stringify(path)))
      await page.locator('h1:not([data-former])').first().waitFor()
    },
    reads,
    // The policy allows no evaluation inside the page, so that this asks again and again from outside.
    settle: () =>
      expect
        .poll(async () => reads.underway() === 0 && (await page.locator(READING).count()) === 0, POLL)
        .toBe(true),
    letIn: ({ side, secret }) =>
      context.addCookies([
        { name: COOKIES[side], value: secret, url: service.baseUrl, httpOnly: true, sameSite: 'Lax' },
      ]),
    takeProblems: () => problems.splice(0),
    close: () => context.close(),
  }
}

/** The heading of the former page is marked, so that the next one is known by its own. */
const FOLLOW = `
document.querySelector('h1')?.setAttribute('data-former', '')
history.pushState({}, '', PATH)`

/** Parts that are still being read. */
const READING = 'main .bones'
const POLL = { interval: 20 }

/** The browser of the tests says this where it registers no worker for a visitor. */
const NO_WORKER = 'Service Worker registration blocked by Playwright'

/** Collects all that no page may do. */
function watch(page: Page, baseUrl: string): string[] {
  const problems: string[] = []
  page.on('console', (message) => {
    const isProblem = message.type() === 'error' || message.type() === 'warning'
    if (isProblem && message.text() !== NO_WORKER) problems.push(message.text())
  })
  page.on('pageerror', (error) => problems.push(error.message))
  page.on('request', (request) => {
    const url = request.url()
    if (!url.startsWith(baseUrl) && !url.startsWith('data:') && !url.startsWith('blob:')) {
      problems.push(`asked another host: ${url}`)
    }
  })
  return problems
}

export type Person = { readonly name: string; readonly password: string; readonly code?: string }

export async function signInToPortal(visitor: Visitor, person: Person): Promise<void> {
  await signIn(visitor, '/portal', 'Username', person)
}

export async function signInToConsole(visitor: Visitor, person: Person): Promise<void> {
  await signIn(visitor, '/operator', 'Email', person)
}

async function signIn({ page }: Visitor, entry: string, field: string, person: Person): Promise<void> {
  await page.goto(`${entry}/sign-in`)
  await page.getByLabel(field, { exact: true }).fill(person.name)
  await page.getByLabel('Password', { exact: true }).fill(person.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  if (person.code !== undefined) {
    await page.getByLabel('Code of the second factor').fill(person.code)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  }
  await page.waitForURL((url) => !url.pathname.endsWith('/sign-in'))
  await page.locator('h1').first().waitFor()
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/**
 * Runs axe for what is serious or critical. Rules of a lower impact, such as the one that compares every element with
 * the landmarks, cannot fail a test and are not run. The files of the style are not loaded a second time: only rules
 * that are off by default read them.
 */
const FIND_GRAVE = `
((part) => {
  const isGrave = ({ impact }) => impact === 'serious' || impact === 'critical'
  const rules = Object.fromEntries(
    axe._audit.rules.filter((rule) => !isGrave(rule)).map(({ id }) => [id, { enabled: false }]),
  )
  return axe
    .run(document.querySelector(part) ?? document, { rules, resultTypes: ['violations'], preload: false, elementRef: false })
    .then(({ violations }) =>
      violations
        .filter(isGrave)
        .map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' | ')),
    )
})`

/**
 * Fails when axe finds something serious or critical on the page as it is now. `main`: in its contents alone, where the
 * frame around them was looked at before.
 */
export async function expectAccessible({ page }: Visitor, part: 'html' | 'main' = 'html'): Promise<void> {
  // The policy forbids scripts of others; the debugger's protocol is not bound by it.
  if (!(await page.evaluate<boolean>('globalThis.axe !== undefined'))) await page.evaluate(AXE)
  expect(await page.evaluate<string[]>(`${FIND_GRAVE}('${part}')`)).toEqual([])
}
