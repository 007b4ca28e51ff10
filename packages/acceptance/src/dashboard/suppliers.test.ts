import type pg from 'pg'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newRefusal, newWord } from '../operator/packs.ts'
import { startAnswers } from '../simulator.ts'
import type { Admin } from './admin.ts'
import { openAdmin } from './admin.ts'
import type { Visitor } from './browser.ts'
import { hasBrowser } from './browser.ts'
import { expectSound } from './sound-page.ts'

// The five steps of "Add a supplier", against the book of answers of its pack.

const REASON = 'Reason, for the audit log'
const ADDING = '/operator/providers/new'

describe.runIf(hasBrowser())('an admin', () => {
  let admin: Admin
  let visitor: Visitor
  let page: Page
  let client: pg.Client

  beforeAll(async () => {
    admin = await openAdmin({ WARUNG_OUTBOUND_ALLOW: '127.0.0.0/8' })
    client = admin.client
    visitor = admin.visitor
    page = visitor.page
  })
  afterAll(() => admin?.close())

  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })
  const dialog = () => page.getByRole('dialog')

  async function confirm(name: string): Promise<void> {
    await dialog().getByLabel(REASON).fill('the contract of 19 November')
    await dialog().getByRole('button', { name, exact: true }).click()
    await dialog().waitFor({ state: 'detached' })
  }

  it('connects a supplier in five steps, leaves and takes them up again, and a second person switches it on', async () => {
    const address = await startAnswers('zendit')
    await visitor.go('/operator/providers')
    await page.getByRole('link', { name: 'Add a supplier' }).click()
    await page.waitForURL(`**${ADDING}`)
    await page.getByLabel('Find a supplier').fill('top-ups')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: /Zendit/ }).click()
    await page.getByRole('heading', { name: 'Ask in writing' }).waitFor()
    await page.getByLabel('Address', { exact: true }).fill(address)
    await page.getByLabel('API key').fill('a key for tests')
    await page.getByLabel('Callback secret').fill('a text of our own')
    await page.getByLabel(REASON).fill('the contract of 19 November')
    await button('Connect it, switched off').click()

    await page.waitForURL(`**${ADDING}?provider=zendit&step=prove`)
    await page.getByText('An empty float has a word of its own').waitFor()
    await button('Try it').click()
    await dialog().getByLabel('Its credentials are for tests').check()
    await confirm('Try it')
    await page.getByText(/^an order that nobody made is/).waitFor()
    await page.getByText(/is left/).waitFor()

    await visitor.go('/operator/providers/zendit')
    await page.getByRole('link', { name: 'Go on connecting it' }).click()
    await page.getByRole('link', { name: 'To the products' }).click()
    await button('Add a code').click()
    await dialog().getByRole('combobox', { name: 'Product' }).fill('KITA')
    await dialog()
      .getByRole('option', { name: /Kita Prepaid/ })
      .first()
      .click()
    await dialog().getByLabel('Amount', { exact: true }).fill('10.00')
    await dialog().getByLabel("Supplier's code").fill('OFFER-10')
    await confirm('Save')
    await page.getByRole('row', { name: /KITA/ }).getByText('OFFER-10').waitFor()

    await page.getByRole('link', { name: 'To the routes' }).click()
    await button('Route of KITA').click()
    await dialog().getByLabel('Cost').fill('95%')
    await dialog().getByLabel(REASON).fill('their price')
    await dialog().getByRole('button', { name: 'Preview' }).click()
    await dialog().getByRole('button', { name: 'Save' }).click()
    await page.getByText('The route is set.').waitFor()
    await page.getByText('another operator approves').waitFor()
    await button('Switch on').click()
    await dialog().getByLabel(REASON).fill('it is ready')
    await dialog().getByRole('button', { name: 'Switch on' }).click()
    await dialog().getByRole('link', { name: 'Open the approval' }).waitFor()
    expect(visitor.takeProblems()).toEqual([])
  })

  it('sees why orders were refused, and says what an unknown word means, perhaps with a second person', async () => {
    await newRefusal({ database: client }, 'INVALID_PHONE', 'zendit')
    await newWord({ database: client }, 'AUTHORISING', 'zendit')
    await newWord({ database: client }, 'EXPIRED', 'zendit')
    await visitor.go('/operator/providers/zendit')
    await page.getByRole('row', { name: /INVALID_PHONE.*52 wrong account/ }).waitFor()
    const word = (text: string) => page.getByRole('listitem').filter({ hasText: text })
    await word('AUTHORISING').getByRole('button', { name: 'Say what it means' }).click()
    await dialog().getByText('The order is asked about again.').waitFor()
    await confirm('Say what it means')
    await page.getByText('The table has the word now.').waitFor()
    await word('AUTHORISING').waitFor({ state: 'detached' })
    await word('EXPIRED').getByRole('button', { name: 'Dismiss "EXPIRED"' }).click()
    await confirm('Dismiss')
    await page.getByText('Every word was understood.').waitFor()
    expect(visitor.takeProblems()).toEqual([])
  })

  it.each([
    ADDING,
    `${ADDING}?pack=dtone`,
    ...['credentials', 'prove', 'products', 'routes'].map((step) => `${ADDING}?provider=zendit&step=${step}`),
    '/operator/providers/zendit',
  ])('sees %s wide and narrow, light and dark', async (path) => {
    // The steps are one page: its heading is known to be new after another page.
    await visitor.follow('/operator/providers')
    await expectSound(visitor, path, path.replace('?', '/'))
  })
})
