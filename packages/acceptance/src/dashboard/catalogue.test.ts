import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Demo } from '../catalog.ts'
import { openDemo } from '../catalog.ts'
import { signIn, signInOperator } from '../portal/people.ts'
import { makeDirectory, until } from '../service.ts'
import type { Visitor } from './browser.ts'
import { expectAccessible, hasBrowser, openVisitor } from './browser.ts'

let demo: Demo

beforeAll(async () => {
  if (hasBrowser()) demo = await openDemo()
})
afterAll(() => demo?.end())

describe.runIf(hasBrowser())('the portal’s catalogue', () => {
  let visitor: Visitor

  beforeAll(async () => {
    visitor = await openVisitor(demo.service)
    const { username, password } = demo.first
    await visitor.letIn(await signIn(demo.service, 'portal', { username, password }))
    await visitor.go('/portal/catalogue')
  })
  afterAll(() => visitor?.close())

  it('applies a percentage and a new name only after the review, and the reseller API has the price', async () => {
    const { page } = visitor
    const before = (await demo.first.catalog()).products.NOVA
    await page.getByRole('group', { name: 'Unit of the adjustment of Nova Prepaid' }).getByText('%').click()
    await page.getByRole('textbox', { name: 'Adjustment of Nova Prepaid', exact: true }).fill('+2')
    const row = page.getByRole('row', { name: /NOVA\b/ }).first()
    await row.getByText('5.10').waitFor()
    expect(await row.textContent()).toContain('102.00')
    await page.getByRole('button', { name: 'Edit Nova Prepaid' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('Nova <b>Maju</b>')
    await page.getByRole('button', { name: 'Keep for the review' }).click()
    expect((await demo.first.catalog()).products.NOVA).toEqual(before)
    await page.getByRole('button', { name: /^Review and apply/ }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('name, price +2%').waitFor()
    await expectAccessible(visitor)
    await dialog.getByRole('button', { name: 'Apply', exact: true }).click()
    await page.getByText('The catalogue is changed.').waitFor()
    const after = await until('the reseller API has the new name', async () => {
      const product = (await demo.first.catalog()).products.NOVA
      return product?.name === 'Nova <b>Maju</b>' && product
    })
    expect(after.pricing).toMatchObject({ price_adjustment: { type: 'percentage', value: 1.02 } })
    expect(visitor.takeProblems()).toEqual([])
  })

  it('asks for a tick before a product is sold below cost, and shows it under the losing ones', async () => {
    const { page } = visitor
    await visitor.go('/portal/catalogue')
    await page.getByRole('textbox', { name: 'Adjustment of Selat Prepaid', exact: true }).fill('-0.50')
    await page.getByText('SELAT would be sold below cost').first().waitFor()
    await page.getByRole('button', { name: /^Review and apply/ }).click()
    const apply = page.getByRole('button', { name: 'Apply with a loss' })
    await apply.waitFor()
    expect(await apply.isDisabled()).toBe(true)
    await page.getByLabel('Sell SELAT below cost').check()
    await apply.click()
    await page.getByText('The catalogue is changed.').waitFor()
    await visitor.go('/portal/catalogue?at_loss=true')
    await page.getByText('Selat Prepaid').first().waitFor()
    expect(await page.getByText('Nova <b>Maju</b>').count()).toBe(0)
    await expectAccessible(visitor)
    expect(visitor.takeProblems()).toEqual([])
  })

  it('moves a product among its neighbours by keyboard and by dragging, and the API has the new order', async () => {
    const { page } = visitor
    await visitor.go('/portal/catalogue')
    const codes = () => page.locator('tbody .who2 .mono').allTextContents()
    await visitor.settle()
    const [first = '', second = '', third = '', ...others] = await codes()
    const handle = (at: number) =>
      page.getByRole('button', { name: /^Move .*arrow up or arrow down$/ }).nth(at)
    await handle(0).focus()
    await page.keyboard.press('ArrowDown')
    await expect.poll(codes).toEqual([second, first, third, ...others])
    // The handle keeps the focus, so that the next key moves the same product on.
    await page.keyboard.press('ArrowDown')
    await expect.poll(codes).toEqual([second, third, first, ...others])
    await handle(1).dragTo(page.locator('tbody tr').first())
    await expect.poll(codes).toEqual([third, second, first, ...others])
    await page.getByRole('button', { name: /^Review and apply/ }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Apply', exact: true }).click()
    await page.getByText('The catalogue is changed.').waitFor()
    await until('the reseller API has the new order', async () => {
      const { tree } = await demo.first.catalog()
      const listed = tree.groups.flatMap(({ categories }) => categories.flatMap((each) => each.product_codes))
      const places = [third, second, first].map((code) => listed.indexOf(code))
      return places.every((place, at) => place > -1 && (at === 0 || place > (places[at - 1] ?? 0)))
    })
    expect(visitor.takeProblems()).toEqual([])
  })

  it('edits on a phone in a sheet with before and after', async () => {
    const phone = await openVisitor(demo.service, { width: 390, theme: 'dark' })
    await phone.context.addCookies(await visitor.context.cookies())
    await phone.go('/portal/catalogue')
    await phone.page.getByRole('button', { name: 'Edit Bayu Prepaid' }).click()
    const sheet = phone.page.getByRole('dialog')
    await sheet.getByRole('textbox', { name: 'Adjustment of Bayu Prepaid', exact: true }).fill('+0.30')
    await sheet.getByText('5.30').waitFor()
    await expectAccessible(phone)
    expect(phone.takeProblems()).toEqual([])
    await phone.close()
  })

  const adjustmentOf = (name: string) =>
    visitor.page.getByRole('textbox', { name: `Adjustment of ${name}`, exact: true })
  const review = () => visitor.page.getByRole('button', { name: /^Review and apply/ })

  it('marks an adjustment that leaves a customer nothing to pay, and offers no review of it', async () => {
    const { page } = visitor
    await visitor.go('/portal/catalogue')
    const field = adjustmentOf('Bayu Prepaid')
    await field.fill('-99')
    const problem = page.getByText(
      'Your adjustment must leave a price greater than 0: RM 5 would be MYR -94.00',
    )
    await problem.waitFor()
    expect(await field.getAttribute('aria-invalid')).toBe('true')
    expect(await review().isDisabled()).toBe(true)
    // Figures of the other products stay.
    await page
      .getByRole('row', { name: /KITA\b/ })
      .first()
      .getByText('500.00')
      .waitFor()
    await expectAccessible(visitor)
    // The service says it with a 400, which the browser's console notes.
    visitor.takeProblems()
    await field.fill('1,5')
    await page.getByText('without commas').waitFor()
    expect(await review().isDisabled()).toBe(true)
    await field.fill('1.5')
    await page
      .getByRole('row', { name: /BAYU\b/ })
      .first()
      .getByText('6.50')
      .waitFor()
    expect(await problem.count()).toBe(0)
    expect(await review().isEnabled()).toBe(true)
    await page.getByRole('button', { name: 'Discard' }).click()
    expect(visitor.takeProblems()).toEqual([])
  })

  it('keeps what is not applied over another page and a reload, until it is discarded or the member signs out', async () => {
    const { page } = visitor
    await visitor.go('/portal/catalogue')
    await adjustmentOf('Bayu Prepaid').fill('+0.40')
    await visitor.follow('/portal/payments')
    await visitor.follow('/portal/catalogue')
    expect(await adjustmentOf('Bayu Prepaid').inputValue()).toBe('+0.40')
    await page.reload()
    await review().waitFor()
    expect(await adjustmentOf('Bayu Prepaid').inputValue()).toBe('+0.40')
    await page.getByRole('button', { name: 'Discard' }).click()
    await page.reload()
    await adjustmentOf('Bayu Prepaid').waitFor()
    expect(await adjustmentOf('Bayu Prepaid').inputValue()).toBe('')
    await adjustmentOf('Bayu Prepaid').fill('+0.40')
    await review().waitFor()
    const { username, password } = demo.first
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.waitForURL('**/portal/sign-in')
    await visitor.letIn(await signIn(demo.service, 'portal', { username, password }))
    await visitor.go('/portal/catalogue')
    await adjustmentOf('Bayu Prepaid').waitFor()
    expect(await adjustmentOf('Bayu Prepaid').inputValue()).toBe('')
    expect(visitor.takeProblems()).toEqual([])
  })

  it('an amount that a stored adjustment leaves without a price is not on the till, and its command is refused', async () => {
    const { page } = visitor
    const adjust = (ringgit: string) =>
      demo.service.warungd(
        ...['overlay', 'set', '--reseller', demo.first.account, '--product', 'NOVA'],
        `--adjust-fixed=${ringgit}`,
      )
    await expect(adjust('-5')).rejects.toThrow(/must leave a price greater than 0: RM 5 would be MYR 0\.00/)
    await adjust('-4.50')
    const file = join(await makeDirectory(), 'options.csv')
    await writeFile(file, 'product,field,code,label,denomination\nNOVA,amount,N4,RM 4,4.00\n')
    await demo.service.warungd('catalog', 'import', '--file', file)
    await until('the reseller API has the new option', async () =>
      (await demo.first.options('product_code=NOVA&field_id=amount')).items.some(({ code }) => code === 'N4'),
    )
    await visitor.go('/portal/sell/NOVA')
    await page.getByRole('radio', { name: /RM 5\b/ }).waitFor()
    expect(await page.getByRole('radio', { name: /RM 4\b/ }).count()).toBe(0)
    expect(visitor.takeProblems()).toEqual([])
  })
})

describe.runIf(hasBrowser())('the console’s import', () => {
  let visitor: Visitor

  beforeAll(async () => {
    visitor = await openVisitor(demo.service)
    await visitor.letIn(await signInOperator(demo.service))
  })
  afterAll(() => visitor?.close())

  const choose = (content: string) =>
    visitor.page
      .locator('input[type=file]')
      .setInputFiles({ name: 'prices.csv', mimeType: 'text/csv', buffer: Buffer.from(content) })

  it('names the line of a problem, shows what changes for whom, and changes nothing before the click', async () => {
    const { page } = visitor
    await visitor.go('/operator/catalogue/import')
    await choose('level,product,discount_type,value\nSTANDARD,NOVA,percentage,ten\n')
    await page.getByRole('button', { name: 'Preview' }).click()
    await page.getByText('prices.csv:2').waitFor()
    visitor.takeProblems()

    await choose('level,product,discount_type,value\nSTANDARD,NOVA,percentage,0.975\n')
    await page.getByRole('button', { name: 'Preview' }).click()
    await page.getByText('STANDARD:NOVA').waitFor()
    await page.getByText(demo.first.account).waitFor()
    await expectAccessible(visitor)
    const before = (await demo.first.catalog()).products.NOVA
    expect(JSON.stringify(before?.pricing)).not.toContain('0.975')

    const importButton = page.getByRole('button', { name: 'Import', exact: true })
    expect(await importButton.isDisabled()).toBe(true)
    await page.getByLabel('Reason, for the audit log').fill('Prices of November')
    await importButton.click()
    await page.getByText('Done: the catalogue has version').waitFor()
    await until('the reseller API has the new price', async () =>
      JSON.stringify((await demo.first.catalog()).products.NOVA?.pricing).includes('0.975'),
    )
    expect(visitor.takeProblems()).toEqual([])
  })

  it('keeps a price that moves far for a second person', async () => {
    const { page } = visitor
    await visitor.go('/operator/levels/STANDARD?search=KITA')
    await page.getByRole('button', { name: 'Set the price of KITA', exact: true }).click()
    await page.getByLabel('Per cent of the face value that is paid').fill('50')
    await page.getByLabel('Reason, for the audit log').fill('A mistake')
    await page.getByRole('button', { name: 'Preview' }).click()
    const save = page.getByRole('button', { name: 'Save' })
    await save.waitFor()
    expect(await save.isDisabled()).toBe(true)
    await page.getByLabel(/I have seen/).check()
    await save.click()
    await page.getByRole('link', { name: 'Open the approval' }).waitFor()
    expect(visitor.takeProblems()).toEqual([])
  })

  it('shows every page of the supply without anything serious for axe', async () => {
    for (const path of [
      '/operator/catalogue',
      '/operator/catalogue/products/NOVA',
      '/operator/margins',
      '/operator/margins?tab=realised',
      '/operator/levels',
      '/operator/providers',
      '/operator/offers',
    ]) {
      await visitor.go(path)
      await visitor.settle()
      await expectAccessible(visitor)
    }
    expect(visitor.takeProblems()).toEqual([])
  })
})
