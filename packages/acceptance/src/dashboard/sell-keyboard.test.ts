import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Demo } from '../catalog.ts'
import { shareDemo } from '../catalog.ts'
import type { Shop } from '../portal/members.ts'
import { dataOf, openShop } from '../portal/members.ts'
import { until } from '../service.ts'
import type { Visitor } from './browser.ts'
import { expectAccessible, hasBrowser, openVisitor } from './browser.ts'

// A counter without a pointer: every step is a key, and the focus stands where the next thing is typed.

const FIELD = 'Number, product or biller'
const CLERK = '60123456789'
/** Account whose payment goes on for ten minutes of the test clock. */
const SLOW = '60123451600'
/** Account that the simulated biller does not know. */
const UNKNOWN_TO_BILLER = '000000000000'
/** Browser that reads codes with its camera: what it reads is a bill of the demo. */
const SCANS = `const canvas = document.createElement('canvas')
canvas.getContext('2d')
navigator.mediaDevices.getUserMedia = async () => canvas.captureStream()
globalThis.BarcodeDetector = class { async detect() { return [{ rawValue: globalThis.scanned }] } }`
/** Product that the demo interrupts. */
const INTERRUPTED = { code: 'FP', name: 'Fajar Prepaid' }

const COUNT_POINTER = `globalThis.pointerSteps = 0
for (const name of ['pointerdown', 'mousedown', 'touchstart'])
  addEventListener(name, () => { globalThis.pointerSteps += 1 }, true)`

describe.runIf(hasBrowser())('at the counter', () => {
  let demo: Demo
  let shop: Shop
  let visitor: Visitor
  let page: Page

  beforeAll(async () => {
    demo = await shareDemo()
    shop = await openShop(demo.service, '1000')
    visitor = await openVisitor(demo.service)
    await visitor.context.addInitScript(COUNT_POINTER)
    await visitor.letIn(shop.admin)
    page = visitor.page
  })
  afterAll(async () => {
    await visitor?.close()
    await demo?.end()
  })

  /** Waits until an element has the focus, because fields come with the answers that they need. */
  async function focused(selector: string | ReturnType<Page['locator']>): Promise<void> {
    const target = typeof selector === 'string' ? page.getByLabel(selector, { exact: true }) : selector
    await target.and(page.locator(':focus')).first().waitFor()
  }
  const press = async (...keys: readonly string[]) => {
    for (const key of keys) await page.keyboard.press(key)
  }
  const type = (text: string) => page.keyboard.type(text)
  /** Keys of a sale; a digit of a number is one, too. */
  function keyCounter() {
    const counter = {
      presses: 0,
      async press(key: string) {
        counter.presses += 1
        await page.keyboard.press(key)
      },
      async type(text: string) {
        for (const key of text) await counter.press(key)
      },
    }
    return counter
  }
  const said = (text: string) => page.getByText(text).first().waitFor()
  const link = (name: string | RegExp) => page.getByRole('link', { name }).first()

  it('a number, an amount and Enter sell with 16 keys at most, and the next number is typed at once', async () => {
    await visitor.go('/portal/sell')
    await focused(FIELD)
    const count = keyCounter()
    await count.type('0123456789')
    await count.press('Enter')
    await focused(page.locator('.tiles input').first())
    expect(await page.locator('.pick .on').innerText()).toContain('Nova Prepaid')
    await count.press('2')
    await count.press('Enter')
    await said('Sold')
    expect(count.presses).toBeLessThanOrEqual(16)
    const [paid] = dataOf<{ account: string; product: string; amount: string }[]>(
      await shop.admin.get('/payments'),
    )
    expect(paid).toMatchObject({ account: '0123456789', product: 'NOVA', amount: '10.00' })
    await focused(page.getByRole('button', { name: 'Sell another' }))
    await press('Enter')
    await focused(FIELD)
    expect(await page.getByLabel(FIELD).inputValue()).toBe('')
    expect(page.url()).not.toContain('123456789')
    expect(await page.evaluate('globalThis.pointerSteps')).toBe(0)
    await expectAccessible(visitor)
    expect(visitor.takeProblems()).toEqual([])
  })

  it('a number that was sold to, and one that is kept, are sold to again with 4 keys at most', async () => {
    const kept = { name: 'Uncle Lim', is_shared: true, product: 'KITA', number: '0132345678', amount: '20' }
    dataOf(await shop.admin.send('POST', '/sell/favourites', kept))
    const paidTo = async (account: string) =>
      dataOf<unknown[]>(await shop.admin.get(`/payments?account=${account}`)).length
    await visitor.go('/portal/sell')
    await focused(FIELD)
    await said('Uncle Lim')
    await expectAccessible(visitor)
    const favourite = keyCounter()
    await favourite.press('1')
    await favourite.press('Enter')
    await focused('Amount')
    await favourite.press('Enter')
    await said('Sold')
    expect(favourite.presses).toBeLessThanOrEqual(4)
    expect(await paidTo('0132345678')).toBe(1)
    await press('Enter')
    await focused(FIELD)
    const recent = page.locator('.saved li').filter({ hasText: '0123456789' })
    await recent.waitFor()
    const again = keyCounter()
    await again.press(await recent.locator('.kbd').innerText())
    await again.press('Enter')
    await focused(page.locator('.tiles input:checked'))
    await again.press('Enter')
    expect(again.presses).toBeLessThanOrEqual(4)
    // The sale of a moment ago is asked about, and Enter alone does not pay it again.
    await said('Pay the same again?')
    await press('Enter')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await paidTo('0123456789')).toBe(1)
    expect(
      await page.evaluate(
        'JSON.stringify({ ...localStorage, "warung.known": null }) + JSON.stringify({ ...sessionStorage })',
      ),
    ).not.toContain('123456789')
    expect(visitor.takeProblems()).toEqual([])
  })

  it('a guessed operator is overridden with the key that stands beside the product', async () => {
    await visitor.go('/portal/sell')
    await focused(FIELD)
    await type('012 345 6788')
    await press('Tab')
    await focused(page.locator('.tiles input').first())
    const kita = page.locator('.number button').filter({ hasText: 'Kita Prepaid' })
    await press((await kita.getAttribute('aria-keyshortcuts')) ?? '')
    await focused('Amount')
    await type('20')
    await said('The number seems to be another operator’s.')
    await press('Enter')
    await said('Sold')
    const [paid] = dataOf<{ product: string }[]>(await shop.admin.get('/payments?account=60123456788'))
    expect(paid?.product).toBe('KITA')
  })

  it('a digit too many is no amount: the number is none, and Enter and digits pay nothing', async () => {
    const before = await shop.payer.balance()
    await visitor.go('/portal/sell')
    await focused(FIELD)
    await type('01234567892')
    await press('Enter')
    await said('This is no telephone number.')
    await focused(FIELD)
    await press('Enter')
    await type('2')
    await press('Enter')
    await said('This is no telephone number.')
    expect(await page.locator('.tiles').count()).toBe(0)
    expect(await shop.payer.balance()).toBe(before)
    // The look-up answers 400 for it.
    visitor.takeProblems()
  })

  it('a basket is filled and paid by keys, goes on after a crash of the tab, pays each line once, and names what failed', async () => {
    const [sold, failing] = ['60123456701', '60123450055']
    const paidTo = async (account: string) =>
      dataOf<{ status: string }[]>(await shop.admin.get(`/payments?account=${account}`)).map(
        ({ status }) => status,
      )
    await visitor.go('/portal/sell')
    await focused(FIELD)
    await type('012-345 6701')
    await press('Enter')
    await focused(page.locator('.tiles input').first())
    await press('2')
    await said('Your margin')
    await press('+')
    await focused(FIELD)
    await type('+60 12 345 0055')
    await press('Enter')
    await focused(page.locator('.tiles input').first())
    // Enter fills the basket that is begun, and pays nothing beside it.
    await press('1')
    await press('Enter')
    await page.locator('.basket-lines li').nth(1).waitFor()
    await page.reload()
    await page.locator('.basket-lines li').nth(1).waitFor()
    await focused(FIELD)
    await expectAccessible(visitor)
    await press('Enter')
    await focused('Cash given')
    await type('50')
    await said('Change')
    let answered = 0
    await page.route('**/sell/payments', async (route) => {
      await route.fetch()
      answered += 1
      await route.abort()
    })
    await press('Enter')
    await until('both lines were sent, and no answer came', async () => answered >= 2)
    await page.unroute('**/sell/payments')
    await page.reload()
    await said('One line was not sold, and is not charged.')
    await focused(page.getByRole('button', { name: 'Next customer' }))
    await expectAccessible(visitor)
    expect([await paidTo(sold), await paidTo(failing)]).toEqual([['successful'], ['failed']])
    expect(await page.locator('.slip').innerText()).toMatch(/RM 10\.00[\s\S]*RM 50[\s\S]*RM 40\.00/)
    await press('Enter')
    await focused(FIELD)
    expect(await page.evaluate('JSON.stringify({ ...sessionStorage })')).not.toContain('345')
    visitor.takeProblems()
  })

  it('a sale takes keys alone, and each step has the focus before it', async () => {
    const before = dataOf<unknown[]>(await shop.admin.get('/payments')).length
    await visitor.go('/portal')
    await press('n')
    await focused('Number, product or biller')
    await type('kita pre')
    await press('Enter')
    await focused('Mobile number')
    await type(CLERK)
    await press('Tab')
    await focused('Amount')
    await type('20')
    await said('Your margin')
    await press('Control+Enter')
    await said('Sold')
    await focused(page.getByRole('button', { name: 'Sell Kita Prepaid again' }))
    await press('Enter')
    await focused('Mobile number')
    expect(await page.evaluate('globalThis.pointerSteps')).toBe(0)
    expect(dataOf<unknown[]>(await shop.admin.get('/payments'))).toHaveLength(before + 1)
    expect(visitor.takeProblems()).toEqual([])
  })

  it('arrow keys move through what the search finds, typing goes on in the field, and Enter takes the choice', async () => {
    await visitor.go('/portal/sell')
    await focused('Number, product or biller')
    await press('/')
    await type('nova')
    await press('ArrowDown', 'ArrowDown')
    await focused(page.locator('.hits li').nth(1).getByRole('link'))
    await press('ArrowUp', 'ArrowUp')
    await focused('Number, product or biller')
    await press('ArrowDown')
    // "n" is a shortcut elsewhere.
    await type('n')
    await press('Backspace', 'ArrowDown')
    await type(' data')
    await focused('Number, product or biller')
    expect(await page.getByLabel('Number, product or biller').inputValue()).toBe('nova data')
    await expectAccessible(visitor)
    await press('ArrowDown', 'Enter')
    await page.waitForURL('**/portal/sell/NOVAD')
    await focused('Mobile number')
  })

  it('Enter takes a biller once its list is the one for what was typed, and its form begins behind it', async () => {
    await visitor.go('/portal/sell')
    await focused('Number, product or biller')
    await type('air amanah')
    await until('Enter has led on', async () => {
      await press('Enter')
      return page.url().includes('/sell/BILLPAY?biller=')
    })
    const biller = page.getByRole('combobox', { name: 'Biller' })
    await until('the biller is chosen', async () => (await biller.inputValue()).startsWith('Air Amanah'))
    await focused('Account number')
  })

  it('a bill is scanned where the browser can, fills in its form, and is paid with Enter; elsewhere there is no button', async () => {
    await visitor.go('/portal/sell')
    await focused(FIELD)
    expect(await page.getByRole('button', { name: 'Scan a bill' }).count()).toBe(0)
    const answer = await page.request.get(`${demo.service.baseUrl}/portal/sell`)
    expect(answer.headers()['permissions-policy']).toContain('camera=(self)')
    const others = await page.request.get(`${demo.service.baseUrl}/operator`)
    expect(others.headers()['permissions-policy']).toContain('camera=()')
    await type('air amanah')
    const code = await page.locator('.hits h2.more + ul .mono').first().innerText()
    const scanning = await visitor.context.newPage()
    await scanning.addInitScript(SCANS)
    await scanning.goto(`${demo.service.baseUrl}/portal/sell`)
    await scanning.evaluate(`globalThis.scanned = 'Biller Code: ${code} Ref-1: 100200300 | Amount: RM 84.50'`)
    await scanning.getByRole('button', { name: 'Scan a bill' }).click()
    await scanning.getByLabel('IC or passport number of the payee').fill('900101145678')
    await scanning.getByText('Your margin').waitFor()
    expect(await scanning.getByLabel('Amount').inputValue()).toBe('84.50')
    await scanning.keyboard.press('Control+Enter')
    await scanning
      .getByText('The payment is accepted and goes on.')
      .or(scanning.getByText('Sold'))
      .first()
      .waitFor()
    await scanning.close()
    const [paid] = dataOf<{ account: string; amount: string; biller: string }[]>(
      await shop.admin.get('/payments'),
    )
    expect(paid).toMatchObject({ account: '100200300', amount: '84.50', biller: code })
  })

  it('a field that has one choice has chosen it', async () => {
    await visitor.go('/portal/sell/PINTEN')
    await focused('Customer, such as a mobile number')
    await type('Ali')
    await page.locator('input[type=radio]:checked').waitFor({ state: 'attached' })
    await said('Your margin')
  })

  it('a sale that goes on leads to its payment first, and does not offer to sell the same again', async () => {
    await visitor.go('/portal/sell/KITA')
    await focused('Mobile number')
    await type(SLOW)
    await press('Tab')
    await type('20')
    await said('Your margin')
    await press('Control+Enter')
    await said('The payment is accepted and goes on.')
    await focused(link('Open the payment'))
    expect(await page.locator('.sold .btn.primary').allInnerTexts()).toEqual(['Open the payment'])
    expect(await page.getByRole('button', { name: /again/ }).count()).toBe(0)
  })

  it('a payment that the service would refuse is said to be refused, and not to be an empty form', async () => {
    await visitor.go('/portal/sell/VOLT')
    await focused(page.locator('.frm input').first())
    await type(UNKNOWN_TO_BILLER)
    await press('Tab')
    await type('50')
    await said('There is no price')
    expect(await page.getByText('Fill in the form to see the price.').count()).toBe(0)
  })

  it('an interrupted product says so in every list before it is chosen', async () => {
    const { code, name } = INTERRUPTED
    const line = (root: string) =>
      page
        .locator(root)
        .filter({ hasText: code })
        .filter({ hasText: /interrupted/i })
    await visitor.go('/portal/sell')
    await line('.tree li').first().waitFor()
    await focused('Number, product or biller')
    await type(name)
    await line('.hits li').first().waitFor()
    await visitor.go('/portal/catalogue')
    await line('tr').first().waitFor()
    await press('Control+k')
    await type(name)
    await page.getByRole('option').filter({ hasText: 'interrupted now' }).first().waitFor()
    await press('Escape')
  })

  it('billers say so too while the payment of bills is interrupted', async () => {
    const about = ['--product', 'BILLPAY', '--message', 'Works are going on']
    const { id } = await demo.service.warungd<{ id: string }>('notice', 'add', ...about)
    try {
      await visitor.go('/portal/sell')
      await focused('Number, product or biller')
      await type('council')
      await page
        .locator('.hits h2.more + p')
        .filter({ hasText: /interrupted/i })
        .waitFor()
    } finally {
      await demo.service.warungd('notice', 'end', '--id', id)
    }
  })
})
