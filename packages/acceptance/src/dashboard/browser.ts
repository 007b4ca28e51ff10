import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { chromium } from 'playwright-core'
import { expect, inject } from 'vitest'
import type { Service } from '../service.ts'

/** Person in front of a browser. */
export type Visitor = {
  readonly page: Page
  readonly context: BrowserContext
  /** Opens a page of the dashboard by its path. */
  go(path: string): Promise<void>
  /** Console errors, uncaught errors, refused resources and requests to other hosts since the last call. */
  takeProblems(): string[]
  close(): Promise<void>
}

export type VisitorOptions = {
  readonly width?: number
  readonly theme?: 'light' | 'dark'
  readonly language?: 'en' | 'ms'
}

/** True when a browser was found; `describe.runIf(hasBrowser())`. */
export function hasBrowser(): boolean {
  return inject('chromium') !== null
}

let browser: Promise<Browser> | undefined

/** One browser serves all files of a worker: starting one costs more than most tests. */
function sharedBrowser(): Promise<Browser> {
  const found = inject('chromium')
  if (found === null) throw new Error('no browser was found')
  browser ??= chromium.launch({ executablePath: found.executable, args: [...found.args] })
  return browser
}

const HEIGHT = 900

export async function openVisitor(service: Service, options: VisitorOptions = {}): Promise<Visitor> {
  const { width = 1440, theme = 'light', language = 'en' } = options
  const context = await (await sharedBrowser()).newContext({
    baseURL: service.baseUrl,
    viewport: { width, height: HEIGHT },
    colorScheme: theme,
    // Times on the pages do not depend on the machine's zone.
    timezoneId: 'America/New_York',
    reducedMotion: 'reduce',
  })
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: service.baseUrl })
  await context.addInitScript(`localStorage.setItem('warung.language', '${language}')`)
  const page = await context.newPage()
  const problems = watch(page, service.baseUrl)
  return {
    page,
    context,
    async go(path) {
      await page.goto(path)
      await page.locator('h1').first().waitFor()
    },
    takeProblems: () => problems.splice(0),
    close: () => context.close(),
  }
}

/** Collects all that no page may do. */
function watch(page: Page, baseUrl: string): string[] {
  const problems: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') problems.push(message.text())
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

type AxeResult = { violations: { id: string; impact: string; nodes: { html: string }[] }[] }

/** Fails when axe finds something serious or critical on the page as it is now. */
export async function expectAccessible({ page }: Visitor): Promise<void> {
  // The policy forbids scripts of others; the debugger's protocol is not bound by it.
  await page.evaluate(AXE)
  const { violations } = await page.evaluate(() =>
    (globalThis as unknown as { axe: { run(): Promise<AxeResult> } }).axe.run(),
  )
  const grave = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical')
  expect(grave.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)).toEqual([])
}
