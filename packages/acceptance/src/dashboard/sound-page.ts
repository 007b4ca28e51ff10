import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { Look, Visitor } from './browser.ts'
import { excessWidth, expectAccessible, lookAt } from './browser.ts'
import { IS_PUBLIC } from './pages.ts'

/** Directory in which pictures of the pages are kept. */
const SCREENS = process.env.WARUNG_TEST_SCREENS

const WIDE: Look = { width: 1440, theme: 'light' }
const NARROW: Look = { width: 390, theme: 'dark' }
/** Whether axe looks at every page in both looks. Otherwise at one after the other: parts of pages are shared. */
const LOOKS_AT_ALL = process.env.WARUNG_TEST_LOOKS === 'all'
/** Sum of all movements from which a layout counts as shifting. */
const SHIFT_MAX = 0.1
/** Expression for the time in the page after two frames: what a change of its size moved has moved by then. */
const TIME = `new Promise((resolve) => {
  requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => resolve(performance.now()))))
})`
/** Returns an expression for the sum of the movements since a time: the browser keeps all since the page began to load. */
const shiftsSince = (ms: number) => `new Promise((resolve) => {
  let sum = 0
  const observer = new PerformanceObserver((list) => {
    for (const { startTime, value } of list.getEntries()) if (startTime >= ${ms}) sum += value
  })
  observer.observe({ type: 'layout-shift', buffered: true })
  requestAnimationFrame(() => setTimeout(() => resolve(sum)))
})`
/**
 * Reads that need another answer, beside the main content: the options of a field that the catalogue defines, the prices
 * of the products that are in view, the pack of a provider that was made of one, the payment that a case is about, the picture of a transfer's slip, and the newest
 * events when there are many.
 */
const IS_DEPENDENT =
  /\/v1\/(sell\/options|catalogue\/preview|catalogue\/products\/[^/]+\/options|providers\/[^/]+\/pack$|payments\/\d+$|deposit-requests\/\d+\/slip|events)/

/**
 * Opens a page and expects what holds for every page: its reads are one round trip, nothing moves while they arrive, it
 * fits wide and narrow screens, axe finds nothing grave in light or in dark, the document is named after it, and nothing
 * is wrong or from another host.
 */
export async function expectSound(visitor: Visitor, path: string, name = path): Promise<void> {
  const { page } = visitor
  const looks = looksOf(visitor)
  const next = lastLook.get(visitor) === WIDE ? NARROW : WIDE
  await lookAt(visitor, WIDE)
  visitor.reads.forget()
  const openedMs = await open(visitor, path)
  await visitor.settle()
  expect(await page.evaluate<number>(shiftsSince(openedMs))).toBeLessThan(SHIFT_MAX)
  await expectOneRoundTrip(visitor, path)
  for (const look of [WIDE, NARROW]) {
    await lookAt(visitor, look)
    await keep(visitor, name, look)
    if (LOOKS_AT_ALL || look === next) {
      await expectAccessible(visitor, looks.has(look) ? 'main' : 'html')
      looks.add(look)
      lastLook.set(visitor, look)
    }
    expect([look, await excessWidth(visitor)]).toEqual([look, 0])
  }
  // Columns that a narrow screen hides are there again for the steps that follow.
  await lookAt(visitor, WIDE)
  expect(await page.title()).toMatch(/\S · Warung( console)?$/)
  expect(visitor.takeProblems()).toEqual([])
}

/**
 * A read that an event renewed may end just before a read of the page begins. So a second step counts when it is there
 * again after a new load: what a page really waits for, it waits for each time.
 */
async function expectOneRoundTrip(visitor: Visitor, path: string): Promise<void> {
  const laterReads = () =>
    visitor.reads.take().filter(({ path: read, depth }) => depth > 1 && !IS_DEPENDENT.test(read))
  if (laterReads().length === 0) return
  await visitor.go(path)
  await visitor.settle()
  expect(laterReads()).toEqual([])
}

/** Looks in which the frame around the pages of a visitor was looked at. */
const knownLooks = new WeakMap<Visitor, Set<Look>>()

/** Look in which axe saw the last page of a visitor. */
const lastLook = new WeakMap<Visitor, Look>()

function looksOf(visitor: Visitor): Set<Look> {
  const looks = knownLooks.get(visitor) ?? new Set()
  knownLooks.set(visitor, looks)
  return looks
}

/**
 * Opens a page: from another page of the app as its links do, which costs a fraction of loading the app anew. Returns
 * the time in the page at which it began.
 */
async function open(visitor: Visitor, path: string): Promise<number> {
  const isInside = (await visitor.page.locator('main#main').count()) > 0 && !IS_PUBLIC.test(path)
  if (!isInside) {
    await visitor.go(path)
    return 0
  }
  const beganMs = await visitor.page.evaluate<number>(TIME)
  await visitor.follow(path)
  return beganMs
}

async function keep({ page }: Visitor, name: string, { width, theme }: Look): Promise<void> {
  if (SCREENS === undefined) return
  mkdirSync(SCREENS, { recursive: true })
  const [, side = ''] = name.split('/')
  const file = name.replace(/[/:]+/g, '-').replace(/^-/, '')
  await page.screenshot({ path: join(SCREENS, `${side}-${file}-${width}-${theme}.png`) })
}
