import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Demo } from '../catalog.ts'
import { shareDemo } from '../catalog.ts'
import { send } from '../http.ts'
import type { Visitor } from './browser.ts'
import { expectAccessible, hasBrowser, openVisitor, signInToConsole, signInToPortal } from './browser.ts'

// Every page of the dashboard, wide and narrow, light and dark. With WARUNG_TEST_SCREENS the pictures are kept there.

const PAGES = JSON.parse(
  readFileSync(new URL('../../../web/dist/pages.json', import.meta.url), 'utf8'),
) as Readonly<Record<'portal' | 'operator', readonly string[]>>

const SCREENS = process.env.WARUNG_TEST_SCREENS

/** Looks of a page: it is loaded once and then looked at in each of them. */
const LOOKS = [
  { name: '1440-light', width: 1440, theme: 'light' },
  { name: '390-dark', width: 390, theme: 'dark' },
] as const

const HEIGHT = 900

let demo: Demo

beforeAll(async () => {
  demo = await shareDemo()
})

describe.runIf(hasBrowser()).each(['portal', 'operator'] as const)('every page of the %s', (entry) => {
  let visitor: Visitor
  let examples: Readonly<Record<string, string>>

  beforeAll(async () => {
    visitor = await openVisitor(demo.service)
    if (entry === 'portal') {
      const { username, password } = demo.first
      await signInToPortal(visitor, { name: username, password })
    } else {
      const { email, password } = demo.service.demo.operator
      await signInToConsole(visitor, { name: email, password })
    }
    examples = await findExamples(visitor, entry)
  })
  afterAll(() => visitor?.close())

  it.each(PAGES[entry])(
    '%s fits wide and narrow, light and dark, without an error or an axe finding',
    async (path) => {
      const filled = fill(path, examples)
      if (filled === undefined) return
      const { page } = visitor
      await visitor.go(filled)
      // The policy allows no evaluation inside the page, so that this asks again and again from outside.
      await expect.poll(() => page.locator(READING).count()).toBe(0)
      for (const { name, width, theme } of LOOKS) {
        await page.setViewportSize({ width, height: HEIGHT })
        await page.emulateMedia({ colorScheme: theme })
        await keep(visitor, entry, path, name)
        await expectAccessible(visitor)
        expect(await page.evaluate<number>(OVERFLOW), `${name} is wider than the screen`).toBeLessThanOrEqual(
          0,
        )
      }
      expect(visitor.takeProblems()).toEqual([])
    },
  )
})

/** Parts that are still being read. The page of the design system shows one for ever. */
const READING = 'main .bones:not(.sheet .bones)'
const OVERFLOW = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'

function fill(path: string, examples: Readonly<Record<string, string>>): string | undefined {
  const names = [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name)
  if (names.some((name) => examples[keyOf(path, name)] === undefined)) return undefined
  return path.replace(/:(\w+)/g, (_, name: string) => examples[keyOf(path, name)] ?? '')
}

/** The same name is another thing on another page: the code of a product, of a level, of a provider. */
function keyOf(path: string, name: string): string {
  return `${path.split('/:')[0]?.split('/').at(-1)} ${name}`
}

type Rows = { data: Record<string, string>[] }

/** Finds a real row for each parameter of a path, through the API that the pages use. */
async function findExamples(visitor: Visitor, entry: 'portal' | 'operator'): Promise<Record<string, string>> {
  const cookies = await visitor.context.cookies()
  const Cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
  const first = async (path: string, member: string): Promise<string | undefined> => {
    const answer = await send({
      baseUrl: demo.service.baseUrl,
      path: `/${entry}/v1${path}`,
      headers: { Cookie },
    })
    if (answer.status !== 200) return undefined
    const { data } = answer.json<Rows>()
    return Array.isArray(data) ? data[0]?.[member] : undefined
  }
  const found: Record<string, string | undefined> =
    entry === 'portal'
      ? {
          'payments id': await first('/payments?limit=1', 'id'),
          'sell product': 'NOVA',
          'cases number': await first('/cases?limit=1', 'number'),
          'webhooks stream': 'callback',
          'requests id': await first('/request-log?limit=1', 'id'),
        }
      : {
          'payments id': await first('/payments?limit=1', 'id'),
          'approvals id': await first('/approvals?limit=1', 'id'),
          'cases number': await first('/cases?limit=1', 'number'),
          'resellers account': await first('/resellers?limit=1', 'account'),
          'products code': 'NOVA',
          'levels code': await first('/levels', 'code'),
          'providers code': await first('/providers', 'code'),
          'deliveries account': await first('/resellers?limit=1', 'account'),
          'deliveries stream': 'callback',
        }
  return Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined)) as Record<
    string,
    string
  >
}

async function keep({ page }: Visitor, entry: string, path: string, look: string): Promise<void> {
  if (SCREENS === undefined) return
  mkdirSync(SCREENS, { recursive: true })
  const name = path.replace(/[/:]+/g, '-').replace(/^-/, '')
  await page.screenshot({ path: join(SCREENS, `${entry}-${name}-${look}.png`) })
}
