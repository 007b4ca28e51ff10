import { afterAll, beforeAll, describe, it } from 'vitest'
import { shareDemo } from '../catalog.ts'
import type { Side } from '../portal/people.ts'
import type { Visitor } from './browser.ts'
import { hasBrowser, openVisitor } from './browser.ts'
import type { FurnishedShop } from './pages.ts'
import { filledPath, openFurnishedShop, PAGES, PROVIDER_PAGE } from './pages.ts'
import { expectSound } from './sound-page.ts'

// Every page of the dashboard, wide and narrow, light and dark. axe sees each page in one look, and in both with
// WARUNG_TEST_LOOKS=all. With WARUNG_TEST_SCREENS the pictures are kept there.
// The page of a provider is in administration.test.ts, which connects one.

let shop: FurnishedShop
let baseUrl: string

beforeAll(async () => {
  if (!hasBrowser()) return
  const { service } = await shareDemo()
  baseUrl = service.baseUrl
  shop = await openFurnishedShop(service)
})

describe.runIf(hasBrowser()).each<Side>(['portal', 'operator'])('every page of the %s', (side) => {
  let visitor: Visitor

  beforeAll(async () => {
    visitor = await openVisitor({ baseUrl })
    await visitor.letIn(side === 'portal' ? shop.admin : shop.operator)
  })
  afterAll(() => visitor?.close())

  it.each(PAGES[side].filter((path) => path !== PROVIDER_PAGE))(
    '%s reads at once, holds still and fits, wide and narrow, without an error or an axe finding',
    (path) => expectSound(visitor, filledPath(path, shop.examples[side]), path),
  )
})
