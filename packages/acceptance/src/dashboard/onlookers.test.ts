import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { shareDemo } from '../catalog.ts'
import { signInAs } from '../operator/operators.ts'
import type { Side } from '../portal/people.ts'
import type { Service } from '../service.ts'
import type { Visitor } from './browser.ts'
import { hasBrowser, openVisitor } from './browser.ts'
import { findChanges } from './onlookers.ts'
import type { FurnishedShop } from './pages.ts'
import { filledPath, openFurnishedShop, PROVIDER_PAGE, signedInPages } from './pages.ts'

// People who may only look, on every page. That each change is refused to them over HTTP is shown by the tests of the
// roles of both APIs.

let service: Service
let shop: FurnishedShop

beforeAll(async () => {
  if (!hasBrowser()) return
  service = (await shareDemo()).service
  shop = await openFurnishedShop(service)
})

/** Pages of one's own, which everybody may change. */
const IS_OWN = /\/account$/

describe.runIf(hasBrowser()).each<[string, Side]>([
  ['a viewer of a shop', 'portal'],
  ['an operator who may only read', 'operator'],
])('%s', (_who, side) => {
  let visitor: Visitor

  beforeAll(async () => {
    visitor = await openVisitor(service)
    await visitor.page.addInitScript('window.print = () => {}')
    await visitor.letIn(side === 'portal' ? shop.viewer : await signInAs(service, 'read_only'))
  })
  afterAll(() => visitor?.close())

  it.each(signedInPages(side).filter((path) => !IS_OWN.test(path) && path !== PROVIDER_PAGE))(
    'finds nothing at %s that changes something',
    async (path) => {
      expect(await findChanges(visitor, filledPath(path, shop.examples[side]))).toEqual([])
    },
  )
})

describe.runIf(hasBrowser())('an admin', () => {
  it('finds the changes that the others do not', async () => {
    const visitor = await openVisitor(service)
    await visitor.letIn(shop.admin)
    expect(await findChanges(visitor, '/portal/team')).toContain('Invite opens a form')
    await visitor.close()
  })
})
