import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { shareDemo } from '../catalog.ts'
import type { Side } from '../portal/people.ts'
import type { Visitor } from './browser.ts'
import { excessWidth, expectAccessible, hasBrowser, openVisitor } from './browser.ts'
import { openGallery } from './gallery.ts'
import type { FurnishedShop } from './pages.ts'
import { filledPath, IS_PUBLIC, openFurnishedShop, PAGES, PROVIDER_PAGE } from './pages.ts'

// Rows that lead somewhere, and every page in the language and at the width that need the most room.

const RAIL_WIDTH = 820
const PHONE_WIDTH = 390

/** Pages whose rows lead to pages, and the pages that they lead to. */
const LISTS: Readonly<Record<Side, readonly (readonly [string, RegExp])[]>> = {
  portal: [
    ['/portal', /\/portal\/payments\/\d+$/],
    ['/portal/payments', /\/portal\/payments\/\d+$/],
    ['/portal/cases', /\/portal\/cases\/.+$/],
    ['/portal/orders', /\/portal\/orders\/ord_.+$/],
    ['/portal/developers/requests', /\/portal\/developers\/requests\/\d+$/],
    ['/portal/deposits', /\/portal\/deposits\?request=.+$/],
  ],
  operator: [
    ['/operator/payments', /\/operator\/payments\/\d+$/],
    ['/operator/resellers', /\/operator\/resellers\/\d+$/],
    ['/operator/catalogue', /\/operator\/catalogue\/products\/.+$/],
    ['/operator/levels', /\/operator\/levels\/.+$/],
    ['/operator/providers', /\/operator\/providers\/(?!new$).+$/],
    ['/operator/cases', /\/operator\/cases\/.+$/],
    ['/operator/deposits', /\/operator\/deposits\/.+$/],
  ],
}

/** Expression for the size of a chart's text as it is seen. */
const CHART_TEXT_PX = `(() => {
  const chart = document.querySelector('svg.chart')
  const scale = chart.getBoundingClientRect().width / chart.viewBox.baseVal.width
  return (Number.parseFloat(getComputedStyle(chart.querySelector('text')).fontSize) * scale).toFixed(1)
})()`

let shop: FurnishedShop
let baseUrl: string

beforeAll(async () => {
  if (!hasBrowser()) return
  const { service } = await shareDemo()
  baseUrl = service.baseUrl
  shop = await openFurnishedShop(service)
})

describe.runIf(hasBrowser()).each<Side>(['portal', 'operator'])('the %s', (side) => {
  let visitor: Visitor
  let page: Page

  beforeAll(async () => {
    visitor = await openVisitor({ baseUrl }, { language: 'ms' })
    await visitor.letIn(side === 'portal' ? shop.admin : shop.operator)
    page = visitor.page
  })
  afterAll(() => visitor?.close())

  it.each(LISTS[side])('each row of %s is a link, which another tab can have', async (path, target) => {
    await visitor.go(path)
    const row = page.locator('main .tbl.go tbody tr').first()
    const link = row.locator('a.row-link')
    await link.waitFor()
    expect(await link.getAttribute('href')).toMatch(target)
    // Another cell follows the same link: with the middle button, and with Ctrl.
    const cell = row.locator('td:not(:has(a, button, input)):visible').last()
    const ways: Parameters<typeof cell.click>[0][] = [{ button: 'middle' }, { modifiers: ['Control'] }]
    for (const options of ways) {
      const [tab] = await Promise.all([visitor.context.waitForEvent('page'), cell.click(options)])
      await tab.waitForURL(target)
      await tab.close()
    }
    expect(page.url()).not.toMatch(target)
    await cell.click()
    await page.waitForURL(target)
  })

  it.runIf(side === 'portal')(
    'a point between two gaps of a chart is seen, and its texts have 11 px',
    async () => {
      const gallery = await openGallery()
      const reader = await openVisitor({ baseUrl: gallery.url })
      await reader.go(gallery.url)
      const chart = reader.page.locator('svg.chart:has(polyline)').first()
      await chart.waitFor()
      const shown = 'circle:not([fill="transparent"])'
      // The open day at the end, and the point between the gaps.
      expect(await chart.locator(shown).count()).toBe(2)
      for (const width of [1440, RAIL_WIDTH, PHONE_WIDTH]) {
        await reader.page.setViewportSize({ width, height: 900 })
        await expect.poll(() => reader.page.evaluate<string>(CHART_TEXT_PX)).toBe('11.0')
      }
      await reader.close()
      await gallery.close()
    },
  )

  it.runIf(side === 'portal')(
    'the form of a product is read in Malay, and so is why a payment failed',
    async () => {
      await visitor.go('/portal/sell/KITA')
      await page.getByLabel('Nombor telefon bimbit', { exact: true }).waitFor()
      await page.getByText('Tambah nilai prabayar').first().waitFor()
      await visitor.go('/portal/payments')
      await page.getByText('Pembekal menolaknya').first().waitFor()
    },
  )

  it.runIf(side === 'portal')('the request log leads to the payment that was asked for', async () => {
    await visitor.go('/portal/developers/requests')
    const payment = page.locator(`main td a[href$="/portal/payments/${shop.examples.portal['payments id']}"]`)
    await payment.first().click()
    await page.waitForURL(/\/portal\/payments\/\d+$/)
  })

  it('each link and button of the narrow side column has a name', async () => {
    await page.setViewportSize({ width: RAIL_WIDTH, height: 900 })
    await visitor.go(side === 'portal' ? '/portal' : '/operator')
    await visitor.settle()
    await page
      .getByRole('link', { name: /Warung/ })
      .first()
      .waitFor()
    await expectAccessible(visitor)
  })

  it('each page in Malay is as wide as a phone, in the dark', async () => {
    await page.setViewportSize({ width: PHONE_WIDTH, height: 900 })
    await page.emulateMedia({ colorScheme: 'dark' })
    const wide: unknown[] = []
    for (const path of PAGES[side].filter((each) => each !== PROVIDER_PAGE && !IS_PUBLIC.test(each))) {
      await visitor.go(filledPath(path, shop.examples[side]))
      await visitor.settle()
      const excess = await excessWidth(visitor)
      if (excess > 0) wide.push([path, excess])
    }
    expect(wide).toEqual([])
    expect(visitor.takeProblems()).toEqual([])
  })
})
