import { randomBytes } from 'node:crypto'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { shareDemo } from '../catalog.ts'
import { hireOperator, signInAs } from '../operator/operators.ts'
import { newRefid } from '../payments.ts'
import type { Shop } from '../portal/members.ts'
import { dataOf, newMember, openShop } from '../portal/members.ts'
import { signIn } from '../portal/people.ts'
import type { Service } from '../service.ts'
import { until } from '../service.ts'
import type { Visitor } from './browser.ts'
import { expectAccessible, hasBrowser, openVisitor } from './browser.ts'
import type { Gallery } from './gallery.ts'
import { openGallery } from './gallery.ts'
import type { Keyboard } from './keyboard.ts'
import { keyboardOf, UNMARKED_CHOICES, UNREADABLE, UNSEEN_FOCUS } from './keyboard.ts'

// The five main journeys without a pointer. What a test does, it does with page.keyboard; it only looks otherwise.

/** Account whose void the simulated supplier approves. */
const VOIDED_ACCOUNT = '60123454001'

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true })

/** Function of the page that fills in the field with the focus, and presses Enter before anything is drawn. */
const TYPE_AT_ONCE = `async (text, held) => {
  const field = document.activeElement
  field.value = text
  field.dispatchEvent(new InputEvent('input', { bubbles: true }))
  for (let step = 0; step < 10; step++) await Promise.resolve()
  const press = { key: 'Enter', code: 'Enter', bubbles: true, cancelable: true, ...held }
  if (field.dispatchEvent(new KeyboardEvent('keydown', press)) && !held.ctrlKey) field.form?.requestSubmit()
}`

async function typeAtOnce(field: Locator, text: string, held: { ctrlKey?: true } = {}): Promise<void> {
  await field.focus()
  await field.page().evaluate(`(${TYPE_AT_ONCE})(${JSON.stringify(text)}, ${JSON.stringify(held)})`)
}

let service: Service

beforeAll(async () => {
  if (hasBrowser()) service = (await shareDemo()).service
})

describe.runIf(hasBrowser())('with the keyboard alone a shop', () => {
  let shop: Shop
  let visitor: Visitor
  let page: Page
  let keys: Keyboard

  beforeAll(async () => {
    shop = await openShop(service, '500')
    visitor = await openVisitor(service)
    page = visitor.page
    keys = keyboardOf(page)
  })
  afterAll(() => visitor?.close())

  it('signs in and sells', async () => {
    await visitor.go('/portal/sign-in')
    await keys.type(page.getByLabel('Username', { exact: true }), shop.admin.username)
    await keys.type(page.getByLabel('Password', { exact: true }), shop.admin.password)
    await keys.press('Enter')
    await page.waitForURL('**/portal')
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    await keys.press('n')
    await page.waitForURL('**/portal/sell')
    await page.getByLabel('Number, product or biller').waitFor()
    await keys.press('/')
    await page.keyboard.type('kita')
    await keys.use(page.getByRole('link', { name: /^Kita Prepaid/ }).first())
    await page.waitForURL('**/portal/sell/KITA')
    await keys.type(page.getByLabel('Mobile number', { exact: true }), '60123456789')
    await keys.type(page.getByLabel('Amount', { exact: true }), '20')
    await page.getByText('Your margin').first().waitFor()
    await keys.press('Control+Enter')
    await page.getByText('Sold').first().waitFor()
    expect(dataOf<unknown[]>(await shop.admin.get('/payments'))).toHaveLength(1)
    expect(visitor.takeProblems()).toEqual([])
  })

  it('sends what stands in a form when the last letter and the key after it come in one moment', async () => {
    await visitor.go('/portal/sell/KITA')
    await keys.type(page.getByLabel('Mobile number', { exact: true }), '60133456788')
    const amount = page.getByLabel('Amount', { exact: true })
    await keys.type(amount, '20')
    await page.getByText('Your margin').first().waitFor()
    await typeAtOnce(amount, '30', { ctrlKey: true })
    await page.getByText('Sold').first().waitFor()
    const [last] = dataOf<{ amount: string }[]>(await shop.admin.get('/payments'))
    expect(last?.amount).toBe('30.00')

    await visitor.go('/portal/sell')
    const asked = await openVisitor(service)
    try {
      await asked.go('/portal/forgot')
      const sent = asked.page.waitForRequest((request) => request.url().endsWith('/password-reset'))
      await typeAtOnce(asked.page.getByLabel('Username', { exact: true }), shop.admin.username)
      expect((await sent).postDataJSON()).toEqual({ username: shop.admin.username })
    } finally {
      await asked.close()
    }
    expect(visitor.takeProblems()).toEqual([])
  })

  it('finds a payment and requests its void', async () => {
    const body = { refid: newRefid(), product: 'NOVAPOST', account: VOIDED_ACCOUNT, amount: 50 }
    await shop.payer.untilStatus(body, 'Succesful')
    await keys.press('Control+k')
    await page.keyboard.type(body.refid)
    await page.getByRole('option').getByText(body.refid).waitFor()
    await keys.press('Enter')
    await page.waitForURL('**/portal/payments/*')
    await keys.use(button(page, 'Request a void'))
    const dialog = page.getByRole('dialog')
    await keys.reach(dialog.getByRole('radio').first())
    await keys.press('ArrowDown', 'ArrowDown')
    await keys.type(dialog.getByLabel('The reason'), 'Wrong number')
    await keys.use(dialog.getByRole('button', { name: 'Request a void' }))
    await page.getByText('The void is requested. A case is open.').waitFor()
    expect(visitor.takeProblems()).toEqual([])
  })

  it('rotates a key, and keeps its secret', async () => {
    await keys.pressTogether('g', 'd')
    await page.waitForURL('**/portal/developers')
    await keys.use(
      page.getByRole('navigation', { name: 'Developers' }).getByRole('link', { name: 'API keys' }),
    )
    await page.waitForURL('**/portal/developers/keys')
    await keys.use(button(page, /^Rotate /))
    const dialog = page.getByRole('dialog')
    await keys.use(dialog.getByRole('combobox'), 'ArrowDown')
    await keys.type(dialog.getByLabel('Your password'), shop.admin.password)
    await keys.press('Enter')
    await page.getByRole('heading', { name: 'The new key' }).waitFor()
    await keys.use(
      dialog.getByRole('checkbox', { name: 'I have put it where it will be found again' }),
      'Space',
    )
    await keys.use(button(page, 'Done'))
    await dialog.waitFor({ state: 'detached' })
    await page.getByRole('row', { name: /In grace/ }).waitFor()
    expect(visitor.takeProblems()).toEqual([])
  })

  it('makes its browser a shared till, locks it with one key, and the next person takes over with seven', async () => {
    const cashier = await newMember(service, shop.payer.account, 'cashier')
    expect((await cashier.send('PUT', '/pin', { pin: '482913' })).status).toBe(204)
    await visitor.go('/portal/team')
    await keys.use(button(page, 'Make this browser a shared till'))
    await keys.type(page.getByLabel('Name of the till'), 'Kaunter 1')
    const whole = page.waitForResponse((response) => response.url().endsWith('/passkeys'))
    await keys.press('Enter')
    await whole
    await keys.type(page.getByLabel('Your password'), shop.admin.password)
    await keys.press('Enter')
    await page.getByText('This browser is the shared till Kaunter 1.').waitFor()
    const lock = button(page, 'Lock the till')
    await lock.waitFor()
    expect(await lock.getAttribute('aria-keyshortcuts')).toBe('F9')
    await visitor.go('/portal/sell')
    await page.getByLabel('Number, product or biller').waitFor()
    await lock.waitFor()
    await keys.press('F9')
    await page.waitForURL('**/portal/sign-in')
    const person = page.getByRole('button', { name: cashier.username })
    await person.waitFor()
    await expectAccessible(visitor)
    const key = (await person.getAttribute('aria-keyshortcuts')) ?? ''
    expect(key).toMatch(/^[1-9]$/)
    await keys.press(key, ...'739105')
    await page.getByText('The PIN is not right.').waitFor()
    await keys.press('Escape')
    await person.waitFor()
    visitor.takeProblems()
    await keys.press(key, ...'482913')
    await page.waitForURL('**/portal/sell', { timeout: 30_000 })
    await page.getByRole('link', { name: cashier.username }).waitFor()
    expect(visitor.takeProblems()).toEqual([])
  })
})

describe.runIf(hasBrowser())('the focus', () => {
  let gallery: Gallery

  beforeAll(async () => {
    gallery = await openGallery()
  })
  afterAll(() => gallery?.close())

  it.each(['none', 'active'] as const)(
    'is seen on every control of the design system and of the frame, with forced colours: %s',
    async (forcedColors) => {
      const visitor = await openVisitor(service)
      const { page } = visitor
      await visitor.letIn((await openShop(service, null)).admin)
      await page.emulateMedia({ forcedColors })
      for (const address of [gallery.url, '/portal/more']) {
        await visitor.go(address)
        // After a key, the browser shows the focus that a script sets as well.
        await page.keyboard.press('Tab')
        expect(await page.evaluate<string[]>(UNSEEN_FOCUS)).toEqual([])
        expect(await page.evaluate<string[]>(UNMARKED_CHOICES)).toEqual([])
        expect(await page.evaluate<string[]>(UNREADABLE)).toEqual([])
      }
      await visitor.close()
    },
  )
})

describe.runIf(hasBrowser())('with the keyboard alone an operator', () => {
  let visitor: Visitor
  let page: Page
  let keys: Keyboard

  beforeAll(async () => {
    visitor = await openVisitor(service)
    page = visitor.page
    keys = keyboardOf(page)
  })
  afterAll(() => visitor?.close())

  it('approves a deposit as the second person', async () => {
    const { payer } = await openShop(service, null)
    const second = await hireOperator(service, 'finance')
    const first = await signInAs(service, 'finance')
    const reason = `counted ${randomBytes(4).toString('hex')}`
    const asked = { account: payer.account, amount: '77.00', remarks: 'cash', reason }
    dataOf(await first.send('POST', '/deposits', asked))
    await visitor.letIn(await signIn(service, 'operator', second))
    await visitor.go('/operator')
    await keys.pressTogether('g', 'a')
    await page.waitForURL('**/operator/approvals')
    const request = page.getByRole('listitem').filter({ hasText: reason })
    await keys.use(request.getByRole('button', { name: 'Approve' }))
    const dialog = page.getByRole('dialog')
    await keys.type(dialog.getByLabel('Reason, for the audit log'), 'counted it too')
    await keys.use(dialog.getByRole('button', { name: 'Approve' }))
    await dialog.waitFor({ state: 'detached' })
    expect(await payer.balance()).toBe(77)
    expect(visitor.takeProblems()).toEqual([])
  })

  it('changes a price, after seeing what it costs', async () => {
    const editor = await signInAs(service, 'catalogue')
    const code = `KEYS_${randomBytes(4).toString('hex').toUpperCase()}`
    // The first change of a catalogue takes long on a busy machine; one whose time was over is asked for again.
    await until('the level is made', async () => {
      const { status } = await editor.send('POST', '/levels', { code, name: code, reason: 'test' })
      return status === 201 || status === 409
    })
    await visitor.letIn(editor)
    await visitor.go('/operator')
    await keys.press('Control+k')
    await page.keyboard.type('levels')
    await page
      .getByRole('option', { name: /levels/i, selected: true })
      .first()
      .waitFor()
    await keys.press('Enter')
    await page.waitForURL('**/operator/levels')
    await keys.use(page.getByRole('row').filter({ hasText: code }).getByRole('link'))
    await page.waitForURL(`**/operator/levels/${code}`)
    await keys.use(button(page, 'Set a price'))
    const dialog = page.getByRole('dialog')
    await keys.type(dialog.getByRole('combobox', { name: 'Product' }), 'Kita Prepaid')
    await dialog.getByRole('option', { name: 'Kita Prepaid' }).first().waitFor()
    await keys.press('Enter')
    await keys.type(dialog.getByLabel('Per cent of the face value that is paid'), '98')
    await keys.type(dialog.getByLabel('Reason, for the audit log'), 'a new level')
    await keys.use(dialog.getByRole('button', { name: 'Preview' }))
    await keys.use(dialog.getByRole('button', { name: 'Save' }))
    await page.getByText('The price is set.').waitFor()
    await page.getByRole('row', { name: /KITA/ }).getByText('98').waitFor()
    expect(visitor.takeProblems()).toEqual([])
  })
})
