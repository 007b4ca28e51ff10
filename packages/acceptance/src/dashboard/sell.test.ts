import { strToU8, zipSync } from 'fflate'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Demo } from '../catalog.ts'
import { shareDemo } from '../catalog.ts'
import { advanceClock } from '../payments.ts'
import type { Shop } from '../portal/members.ts'
import { dataOf, openShop } from '../portal/members.ts'
import { until } from '../service.ts'
import type { Visitor } from './browser.ts'
import { expectAccessible, hasBrowser, openVisitor } from './browser.ts'

type Paid = { refid: string; status: string; account: string; product: string }

const CLERK = '60123456789'
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=',
  'base64',
)
/** Account whose payment succeeds after ten minutes of the test clock. */
const SLOW = '60123451600'
const SLOW_SECONDS = 600
const STORED = 'JSON.stringify({ ...sessionStorage }) + JSON.stringify({ ...localStorage })'

/** Spreadsheet of texts. */
function sheetOf(rows: readonly (readonly string[])[]): Buffer {
  const cells = (row: readonly string[]) =>
    row.map((text) => `<c t="inlineStr"><is><t>${text}</t></is></c>`).join('')
  const sheet = rows.map((row) => `<row>${cells(row)}</row>`).join('')
  const files = {
    'xl/workbook.xml': '<workbook><sheets><sheet r:id="a"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels': '<r><Relationship Id="a" Target="worksheets/sheet1.xml"/></r>',
    'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${sheet}</sheetData></worksheet>`,
  }
  return Buffer.from(
    zipSync(Object.fromEntries(Object.entries(files).map(([name, xml]) => [name, strToU8(xml)]))),
  )
}

describe.runIf(hasBrowser())('selling in a browser', () => {
  let demo: Demo
  let shop: Shop
  let visitor: Visitor

  beforeAll(async () => {
    demo = await shareDemo()
    shop = await openShop(demo.service, '2000')
    visitor = await openVisitor(demo.service)
    await visitor.letIn(shop.admin)
  })
  afterAll(async () => {
    await visitor?.close()
    await demo?.end()
  })

  async function paymentsTo(account: string): Promise<Paid[]> {
    return dataOf<Paid[]>(await shop.admin.get(`/payments?account=${encodeURIComponent(account)}`))
  }
  const field = (label: string) => visitor.page.getByLabel(label, { exact: true })
  const said = (text: string) => visitor.page.getByText(text).first().waitFor()
  async function pay(): Promise<void> {
    await said('Your margin')
    await visitor.page.keyboard.press('Control+Enter')
    await said('Sold')
  }

  it('finds products and billers as one types, and leads to the form of the one that is picked', async () => {
    await visitor.go('/portal/sell')
    await field('Number, product or biller').fill('air amanah')
    await visitor.page
      .getByRole('link', { name: /Air Amanah/ })
      .first()
      .click()
    await visitor.page.waitForURL(/sell\/BILLPAY\?biller=/)
    const biller = visitor.page.getByRole('combobox', { name: 'Biller' })
    await until('the biller is chosen', async () => (await biller.inputValue()).startsWith('Air Amanah'))
    await expectAccessible(visitor)
  })

  it('sells a reload by keyboard, with the price, the cost and the margin that the service gives', async () => {
    await visitor.go('/portal/sell/KITA')
    await field('Mobile number').fill(CLERK)
    await field('Amount').fill('20')
    await said('Your margin')
    expect(await visitor.page.locator('.sumline').innerText()).toMatch(/20\.00.*19\.30.*0\.70/s)
    await pay()
    expect(await visitor.page.locator('.slip').innerText()).toContain(CLERK)
    // The same again is asked about first.
    await visitor.go('/portal/sell/KITA')
    await field('Mobile number').fill(CLERK)
    await field('Amount').fill('20')
    await said('Your margin')
    await visitor.page.keyboard.press('Control+Enter')
    await said('Pay the same again?')
    await visitor.page.getByRole('button', { name: 'Pay anyway' }).click()
    await said('Sold')
    expect(visitor.takeProblems()).toEqual([])
  })

  it('does not read the status of the network again because the live connection tells the same', async () => {
    const { page, reads } = visitor
    let connect = () => {}
    const isSettled = new Promise<void>((resolve) => {
      connect = resolve
    })
    await page.route('**/portal/v1/live', async (route) => {
      await isSettled
      await route.continue()
    })
    reads.forget()
    await visitor.go('/portal/sell/KITA')
    await visitor.settle()
    const isConnected = page.waitForResponse('**/portal/v1/live')
    connect()
    await isConnected
    await field('Mobile number').fill(CLERK)
    await field('Amount').fill('22')
    await pay()
    const paths: string[] = []
    const count = (end: string) => paths.filter((path) => path.endsWith(end)).length
    // The payment is told after the greeting, and renews the balance.
    await until('the balance is read again', async () => {
      paths.push(...reads.take().map(({ path }) => path))
      return count('/v1/balance') > 1
    })
    expect(count('/network-status?product=KITA')).toBe(1)
    await page.unroute('**/portal/v1/live')
  })

  it('prints the head and foot that the shop has given itself, and keeps nothing that is no small picture', async () => {
    const { page } = visitor
    await visitor.go('/portal/sell/KITA')
    await field('Mobile number').fill('60123456700')
    await field('Amount').fill('20')
    await pay()
    await page.getByRole('button', { name: 'Head and foot of receipts' }).click()
    await field('Address').fill('12, Jalan Bunga, 43000 Kajang')
    await field('Registration number').fill('202301012345')
    await field('Last line').fill('Buka setiap hari')
    const text = { name: 'a.png', mimeType: 'image/png', buffer: Buffer.from('<svg/>'.padEnd(80)) }
    await page.setInputFiles('input[type=file]', text)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('must be the base64 of a PNG').first().waitFor()
    await page.setInputFiles('input[type=file]', { ...text, buffer: PIXEL })
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    const slip = page.locator('.slip')
    await slip.getByText('Buka setiap hari').waitFor()
    expect(await slip.innerText()).toMatch(/Jalan Bunga[\s\S]*202301012345[\s\S]*Buka setiap hari$/)
    await slip.locator('img.slip-logo').waitFor()
    await expectAccessible(visitor)
    visitor.takeProblems()
  })

  it('keeps what was typed when the service refuses, says why, and takes nothing', async () => {
    const before = await shop.payer.balance()
    await visitor.go('/portal/sell/KITA')
    await field('Mobile number').fill('60123450041')
    await field('Amount').fill('21')
    await visitor.page.keyboard.press('Control+Enter')
    await said('This account is suspended.')
    expect(await field('Amount').inputValue()).toBe('21')
    expect(await shop.payer.balance()).toBe(before)
    visitor.takeProblems()
  })

  it('says how a number is written, and not that it lies outside a range in which it does lie', async () => {
    await visitor.go('/portal/sell/KITA')
    await field('Amount').fill('1,00')
    await field('Mobile number').fill(CLERK)
    await said('Write a number without commas, such as 1000 or 84.50')
    await field('Amount').fill('100')
    await said('Your margin')
    visitor.takeProblems()
  })

  it('shows a PIN only on demand, and leaves it in no address and no storage', async () => {
    await visitor.go('/portal/sell/PINTEN')
    await field('Customer, such as a mobile number').fill('Ali')
    await visitor.page.getByText('RM 10').click()
    await pay()
    const pin = visitor.page.locator('output[aria-label="PIN"]')
    expect(await pin.innerText()).toMatch(/^•+$/)
    await visitor.page.getByRole('button', { name: 'Show', exact: true }).click()
    const shown = await pin.innerText()
    expect(shown).toMatch(/\d{6,}/)
    expect(visitor.page.url()).not.toContain(shown)
    expect(await visitor.page.evaluate(STORED)).not.toContain(shown)
    expect(await visitor.page.locator('.slip').innerText()).not.toContain(shown)
    await visitor.page.getByLabel('Print the PIN on the receipt').click()
    const slip = visitor.page.locator('.slip')
    expect(await slip.innerText()).toContain(shown.replace(/\d{4}(?=\d)/g, '$& '))
    // The paper is as wide as the till's, the first print is no copy, and the link that is shared tells no secret.
    await visitor.page.getByRole('button', { name: '58 mm' }).click()
    const paper = await visitor.page.pdf({ preferCSSPageSize: true })
    expect(Number(/MediaBox ?\[0 0 (\S+)/.exec(paper.toString('latin1'))?.[1])).toBeCloseTo(
      (58 / 25.4) * 72,
      0,
    )
    expect(await slip.innerText()).not.toContain('Copy')
    await visitor.page.getByRole('button', { name: 'Print', exact: true }).click()
    await slip.getByText('Copy', { exact: true }).waitFor()
    await slip.getByRole('img', { name: 'Page that says whether the receipt is genuine' }).waitFor()
    expect(await slip.innerText()).toMatch(/[0-9A-Z]{4}-[0-9A-Z]{4}/)
    await visitor.page.getByRole('button', { name: 'Share', exact: true }).click()
    const whatsapp = await visitor.page.getByRole('link', { name: 'WhatsApp' }).getAttribute('href')
    expect(whatsapp).toMatch(/^https:\/\/wa\.me\/\?text=Receipt.*%2Fr%2F[\w-]{22}$/)
    await expectAccessible(visitor)
    const link = await visitor.page.getByRole('dialog').getByText('/r/').innerText()
    const opened = await visitor.page.request.get(new URL(link).pathname)
    expect([opened.status(), (await opened.text()).includes(shown)]).toEqual([200, false])
    await visitor.page.getByRole('button', { name: 'Close', exact: true }).last().click()
  })

  it('sells a gift card, whose link is hidden until it is asked for', async () => {
    await visitor.go('/portal/sell/PASAR')
    await field('E-mail address').fill('siti@example.com')
    await visitor.page.getByText('RM 20', { exact: true }).click()
    await pay()
    expect(await visitor.page.locator('output[aria-label="Voucher link"]').innerText()).toMatch(/^•+$/)
  })

  it('sells a game by its package and a plan by the number that it is offered to', async () => {
    await visitor.go('/portal/sell/GEMS')
    await field('Player ID').fill('123456')
    await visitor.page.getByText('60 gems').click()
    await pay()
    await visitor.go('/portal/sell/NOVAMY')
    await said('Fill in first: Mobile number')
    await field('Mobile number').fill(CLERK)
    await visitor.page.getByText('Weekend 4 GB').click()
    await pay()
  })

  it('pays a loan account that is found by the identity number, which no storage holds afterwards', async () => {
    await visitor.go('/portal/sell/EDULOAN')
    await field('IC number').fill('900101145678')
    await visitor.page.getByText('Conventional loan').click()
    await field('Amount').fill('50')
    await pay()
    expect(await visitor.page.evaluate(STORED)).not.toContain('900101145678')
  })

  it('shows the bill before it is paid, and pays what is owed', async () => {
    await visitor.go('/portal/sell/BILLPAY')
    await visitor.page.getByRole('combobox', { name: 'Biller' }).fill('air amanah')
    await visitor.page.getByRole('option', { name: /Air Amanah Bukit Embun/ }).click()
    await field('Account number').fill('100200300')
    await said('This bill exists')
    await visitor.page.getByRole('button', { name: 'Use what is owed' }).click()
    await visitor.page.keyboard.press('Control+Enter')
    await said('One field needs mending: IC or passport number of the payee')
    await field('IC or passport number of the payee').fill('900101145678')
    await pay()
  })

  it('goes on after a reload while the payment is processing, and it is paid once', async () => {
    await visitor.go('/portal/sell/NOVA')
    await field('Mobile number').fill(SLOW)
    await visitor.page.getByText('RM 5', { exact: true }).click()
    await said('Your margin')
    await visitor.page.keyboard.press('Control+Enter')
    await said('The payment is accepted and goes on.')
    await visitor.page.reload()
    await said('The payment is accepted and goes on.')
    // The clock moves what the supplier has.
    const [slow] = await paymentsTo(SLOW)
    const body = { refid: slow?.refid, product: 'NOVA', account: SLOW, amount: 5 }
    await shop.payer.untilStatus(body, 'Processing')
    await advanceClock(demo.service, shop.payer.account, SLOW_SECONDS)
    await said('Sold')
    expect(await paymentsTo(SLOW)).toHaveLength(1)
    expect(await visitor.page.evaluate(STORED)).not.toContain('warung.sales')
  })

  it('never calls a payment failed whose answer was lost: the same refid is sent again and paid once', async () => {
    const account = '60123456701'
    let lost = 0
    await visitor.page.route('**/portal/v1/sell/payments', async (route) => {
      lost += 1
      if (lost > 1) return route.fallback()
      await route.fetch()
      await route.abort()
    })
    await visitor.page.route('**/portal/v1/payments/statuses', (route) => route.abort())
    await visitor.go('/portal/sell/KITA')
    await field('Mobile number').fill(account)
    await field('Amount').fill('20')
    await said('Your margin')
    await visitor.page.keyboard.press('Control+Enter')
    await said('It is not known yet whether the payment was made.')
    await visitor.page.unrouteAll()
    await visitor.page.reload()
    await said('Sold')
    expect(await paymentsTo(account)).toMatchObject([{ status: 'successful' }])
    visitor.takeProblems()
  })

  it('pays a file line by line, and the same file again pays nothing twice', async () => {
    const file = [
      'product,account,amount,reference',
      'NOVA,60123456711,10,A',
      'KITA,60123456712,20,B',
      'KITA,60123456712,20,B',
      'NOSUCH,1,1,C',
    ].join('\n')
    const { page } = visitor
    const check = async () => {
      await visitor.go('/portal/bulk')
      await field('Or paste its contents').fill(file)
      await page.getByRole('button', { name: 'Check the file' }).click()
      await said('Taken from wallet')
    }
    await check()
    await said('There is no such product.')
    await expectAccessible(visitor)
    await page.getByRole('button', { name: 'Pay 3 lines' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Pay 2 lines' }).waitFor()
    await page.getByLabel('Pay these lines anyway').check()
    await page.getByRole('dialog').getByRole('button', { name: 'Pay 3 lines' }).click()
    await said('All lines are answered.')
    const paid = await shop.payer.balance()
    expect(await paymentsTo('60123456712')).toHaveLength(2)

    // The same lines as a spreadsheet name the same payments.
    await visitor.go('/portal/bulk')
    const name = 'payments.xlsx'
    const mimeType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
    const buffer = sheetOf(file.split('\n').map((line) => line.split(',')))
    await field('Choose a CSV or XLSX file').setInputFiles({ name, mimeType, buffer })
    await expect
      .poll(() => field('Or paste its contents').inputValue(), { timeout: 30_000 })
      .toContain('60123456712')
    await page.getByRole('button', { name: 'Check the file' }).click()
    await said('Taken from wallet')
    await page.getByText('before', { exact: true }).nth(2).waitFor()
    expect(await page.getByRole('button', { name: /^Pay \d/ }).count()).toBe(0)
    expect(await shop.payer.balance()).toBe(paid)
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download the result' }).click(),
    ])
    expect(download.suggestedFilename()).toBe('payments-result.csv')

    // The file is in the history, and its lines are used again as payments of their own.
    await page.getByRole('button', { name: 'Another file' }).click()
    await page.getByRole('cell', { name: shop.admin.username }).first().waitFor()
    await expectAccessible(visitor)
    await page
      .getByRole('button', { name: /^Use again: / })
      .first()
      .click()
    await expect.poll(() => field('Name of the batch').inputValue(), { timeout: 30_000 }).toMatch(/^\d{4}-/)
    await page.getByRole('button', { name: 'Check the file' }).click()
    await page.getByRole('button', { name: 'Pay 3 lines' }).waitFor()

    // Nobody has to be there when it is paid again.
    await shop.admin.prove()
    await page.getByRole('button', { name: 'Schedule' }).click()
    await page.getByLabel('How often').selectOption('month')
    await page.getByLabel('Pay these lines anyway').check()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Schedule 3 lines?').waitFor()
    await expectAccessible(visitor)
    await page.getByLabel('I confirm this sum').check()
    await dialog.getByRole('button', { name: 'Schedule' }).click()
    await page.getByText('Scheduled files').first().waitFor()
    const { data } = (await shop.admin.get('/sell/bulk/schedules')).json<{ data: object[] }>()
    expect(data).toMatchObject([{ every: 'month', repeats: 'pay', lines: 3, max_cost: '48.30' }])
    await expectAccessible(visitor)
    await page.getByRole('button', { name: /^Stop / }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Stop' }).click()
    await page.getByText('Somebody stopped it.').waitFor()
    await page.getByRole('button', { name: /^Go on with / }).waitFor()
    expect(visitor.takeProblems()).toEqual([])
  })

  it('lets viewers look at prices, and pay nothing', async () => {
    const viewer = await openVisitor(demo.service, { width: 390, theme: 'dark' })
    try {
      await viewer.letIn(shop.viewer)
      await viewer.go('/portal/sell/NOVA')
      await viewer.page.getByText('Only admins of your team pay.').first().waitFor()
      expect(await viewer.page.getByRole('button', { name: /^Pay/ }).count()).toBe(0)
      await expectAccessible(viewer)
      await viewer.go('/portal/bulk')
      await viewer.page.getByText('Only admins of your team pay files.').waitFor()
      expect(viewer.takeProblems()).toEqual([])
    } finally {
      await viewer.close()
    }
  })
})
