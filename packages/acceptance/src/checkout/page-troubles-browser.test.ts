import { describe, expect, it } from 'vitest'
import { hasBrowser } from '../dashboard/browser.ts'
import { signed } from '../http.ts'
import { until } from '../service.ts'
import { clientOf, orderIn, PHONE } from './api-client.ts'
import { confirm, expectFine, expectNotCut } from './customers.ts'
import { STORED, useHostedPage } from './hosted-page.ts'

/** Tells whether the option that the arrow keys have reached can be seen in its list. */
const SEES_OPTION = `(() => {
  const { shadowRoot } = document.querySelector('warung-checkout')
  const [list, option] = ['.combo-list', '.combo-list > .on'].map((each) =>
    shadowRoot.querySelector(each)?.getBoundingClientRect())
  return option !== undefined && option.top >= list.top && option.bottom <= list.bottom
})()`
describe.runIf(hasBrowser())('the hosted page, when something is in the way', () => {
  const hosted = useHostedPage()
  const { button, field, said, title, open, addReload, read } = hosted

  it('is as wide as the phone whatever the names and notes of the shop are', async () => {
    const long = `https://redeem.example/${'W'.repeat(90)}`
    const lengthen = (text: string) => text.replace(/("(?:name|note|label|message)":)"/g, `$1"${long} `)
    const api = '**/checkout/v1/orders/**'
    await hosted.visitor.page.route(api, async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, body: lengthen(await response.text()) })
    })
    await open({ products: ['KITA', 'NOVA'] })
    await title('Choose a product')
    await expectNotCut(hosted.visitor, 360)
    await button(/Nova Prepaid/).click()
    await said('Credit arrives within seconds.')
    await button('Add to basket').click()
    await said(/need mending/)
    await expectNotCut(hosted.visitor, 360)
    await hosted.visitor.page.unroute(api)
  })

  it('keeps everything over a reload at every step, but no identity number', async () => {
    const order = await open({ products: ['KITA', 'EDULOAN'] })
    await button(/^Kita Prepaid/).click()
    await field('Mobile number').fill(PHONE)
    await field('Amount').fill('30')
    await button('One more: Kita Prepaid').click()
    await hosted.visitor.page.reload()
    await expect.poll(() => field('Amount').inputValue()).toBe('30')
    expect(await field('Mobile number').inputValue()).toBe(PHONE)
    await button(/^Add to basket, RM 60/).click()
    await title('Your basket')
    await hosted.visitor.page.reload()
    await title('Your basket')
    await said('2 × RM')
    await button('Add another product').click()
    await hosted.visitor.page.getByRole('button', { name: /loan/i }).first().click()
    const identity = '900101145678'
    await field('IC number').fill(identity)
    await said(/Amount/)
    expect(await hosted.visitor.page.evaluate(STORED)).not.toContain(identity)
    await hosted.visitor.page.goBack()
    await title('Choose a product')
    await hosted.visitor.page.goBack()
    await title('Your basket')
    await button(/^Continue to payment/).click()
    await title('Pay for your order')
    await hosted.visitor.page.reload()
    await title('Pay for your order')
    await confirm(hosted.shop, order.order_id)
    await title('Your order is complete')
    await hosted.visitor.page.reload()
    await title('Your order is complete')
  })

  it('says of an interrupted product that it is, in the list and before its form is filled in', async () => {
    await open({ products: ['KITA', 'FP'] })
    await button(/^Fajar Prepaid.*Interrupted now/).waitFor()
    expect(await button(/^Kita Prepaid/).innerText()).not.toMatch(/interrupted/i)
    await button(/^Fajar Prepaid/).click()
    await said('This product is interrupted at the moment. Your order may wait or fail.')
    await expectFine(hosted.visitor)
  })

  it('goes back by the button of the browser, and by its own', async () => {
    await open({ products: ['KITA'] })
    await addReload()
    await hosted.visitor.page.goBack()
    await title('Choose a product')
    await button(/^Kita Prepaid/).click()
    await title('Kita Prepaid')
    await button('Back').click()
    await title('Choose a product')
    await hosted.visitor.page.goForward()
    await title('Kita Prepaid')
    await hosted.visitor.page.goBack()
    await title('Choose a product')
    await button('View basket').click()
    await title('Your basket')
  })

  it('finds a biller as one types, and shows the bill before it is added', async () => {
    await open({ products: ['BILLPAY'] })
    await button(/^Bill/).first().click()
    const biller = hosted.visitor.page.getByRole('combobox', { name: 'Biller' })
    await biller.focus()
    await hosted.visitor.page.getByRole('option').nth(15).waitFor()
    for (let steps = 0; steps < 12; steps += 1) await hosted.visitor.page.keyboard.press('ArrowDown')
    await until('the twelfth option is reached', async () =>
      /-12$/.test((await biller.getAttribute('aria-activedescendant')) ?? ''),
    )
    await expect.poll(() => hosted.visitor.page.evaluate<boolean>(SEES_OPTION)).toBe(true)
    await biller.pressSequentially('air amanah')
    await hosted.visitor.page
      .getByRole('option', { name: /Air Amanah/ })
      .first()
      .click()
    await until('the biller is chosen', async () =>
      (await hosted.visitor.page.getByRole('combobox', { name: 'Biller' }).inputValue()).startsWith(
        'Air Amanah',
      ),
    )
    const number = hosted.visitor.page.locator('#f-account_number, #f-number, #f-ref1').first()
    await number.fill('100200300')
    await said('This bill exists')
    await button(/^Use this amount/).click()
    await expect.poll(() => field('Amount').inputValue()).toMatch(/^\d+\.\d\d$/)
    await expectFine(hosted.visitor)
    await number.fill('000000000000')
    await said('This cannot be ordered.')
    expect(await hosted.visitor.page.getByText('Fill in the form to see the price.').count()).toBe(0)
    await hosted.visitor.page.locator('p.err').first().waitFor({ state: 'attached' })
  })

  it('asks for the missing values of a basket that the shop chose, and for nothing else', async () => {
    const items = [{ product_code: 'KITA', amount: '15.00', quantity: 1 }]
    const order = await open({ items })
    await title('Your basket')
    await said('Something is missing')
    expect(await button(/^One more/).count()).toBe(0)
    await button('Fill in: Kita Prepaid').click()
    await field('Mobile number').fill(PHONE)
    expect(await hosted.visitor.page.locator('form input').count()).toBe(1)
    await button('Save').click()
    await said('Kita Prepaid is saved.')
    await button(/^Continue to payment/).click()
    await title('Pay for your order')
    expect(await read(order)).toMatchObject({ items: [{ account: PHONE, amount: '15.00', quantity: 1 }] })
  })

  it('says that another window changed the basket, shows it, and keeps the form', async () => {
    const order = await open({ products: ['KITA'] })
    await button(/^Kita Prepaid/).click()
    await field('Mobile number').fill(PHONE)
    await field('Amount').fill('40')
    await button(/^Add to basket, RM/).waitFor()
    const other = clientOf(hosted.shop, order)
    orderIn(await other.put([{ product_code: 'KITA', account: PHONE, amount: '7', quantity: 1 }]))
    await button(/^Add to basket, RM/).click()
    await said('The basket was changed in another window.')
    expect(await field('Amount').inputValue()).toBe('40')
    await button(/^Add to basket, RM/).click()
    await title('Your basket')
    expect((await read(order)).items.map(({ amount }) => amount)).toEqual(['7.00', '40.00'])
  })

  it('loses nothing when the network breaks, and sends nothing twice', async () => {
    const order = await open({ products: ['KITA'] })
    await button(/^Kita Prepaid/).click()
    await field('Mobile number').fill(PHONE)
    await field('Amount').fill('25')
    await button(/^Add to basket, RM/).waitFor()
    const api = `**/checkout/v1/orders/${order.order_id}**`
    await hosted.visitor.page.route(api, (route) => route.abort())
    await button(/^Add to basket, RM/).click()
    await said('The connection is lost. Nothing was lost: try again.')
    expect(await field('Amount').inputValue()).toBe('25')
    await hosted.visitor.page.unroute(api)
    let puts = 0
    let release = () => {}
    const isReleased = new Promise<void>((resolve) => {
      release = resolve
    })
    // The answer gets lost after the service has acted: the basket must not have the item twice.
    await hosted.visitor.page.route('**/items', async (route) => {
      puts += 1
      await isReleased
      await route.fetch()
      await route.abort()
    })
    await button('Try again').dblclick()
    release()
    await title('Your basket')
    await hosted.visitor.page.unroute('**/items')
    expect([puts, (await read(order)).items.length]).toEqual([1, 1])
    // The page itself cannot reach the service.
    await hosted.visitor.page.route(api, (route) => route.abort())
    await hosted.visitor.page.reload()
    await said('This page could not reach the service.')
    await hosted.visitor.page.unroute(api)
    await button('Try again').click()
    await title('Your basket')
    hosted.visitor.takeProblems()
  })

  it('says when an order cannot be opened, has ended, or was sent on elsewhere', async () => {
    const order = await open({ products: ['KITA'] })
    await addReload()
    const cancelled = await signed(hosted.shop.baseUrl, hosted.shop.credentials, {
      method: 'POST',
      path: `/v2/orders/${order.order_id}/cancel`,
      json: {},
    })
    expect(cancelled.status, cancelled.text).toBe(200)
    await button(/^Continue to payment/).click()
    await title('The order was cancelled')
    await hosted.visitor.page.goto('about:blank')
    await hosted.visitor.page.goto(`/checkout/${order.order_id}#ct_${'x'.repeat(43)}`)
    await title('This order cannot be opened')
    await hosted.visitor.page.goto('about:blank')
    await hosted.visitor.page.goto(`/checkout/${order.order_id}`)
    await title('This order cannot be opened')
    hosted.visitor.takeProblems()
  })
})
