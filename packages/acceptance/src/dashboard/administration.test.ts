import type pg from 'pg'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TRUST_TEST_PROXY } from '../clients.ts'
import { signInAs } from '../operator/operators.ts'
import type { Payer } from '../payments.ts'
import { createPayer, reload } from '../payments.ts'
import { call } from '../portal/people.ts'
import type { Service } from '../service.ts'
import { until } from '../service.ts'
import type { Admin } from './admin.ts'
import { openAdmin } from './admin.ts'
import type { Visitor } from './browser.ts'
import { expectAccessible, hasBrowser, openVisitor } from './browser.ts'
import { findChanges } from './onlookers.ts'
import { expectSound } from './sound-page.ts'

// Pages of the console by which an admin runs the service: its people, their scripts, notices, blocks, routes, levels.

const REASON = /^Reason/
const PROVIDER = 'kedai'

describe.runIf(hasBrowser())('an admin at the console', () => {
  let admin: Admin
  let service: Service
  let client: pg.Client
  let payer: Payer
  let visitor: Visitor
  let page: Page

  beforeAll(async () => {
    admin = await openAdmin(TRUST_TEST_PROXY)
    service = admin.demo.service
    client = admin.client
    visitor = admin.visitor
    page = visitor.page
    payer = await createPayer(service, '1000')
    // It sells from a stock, of which there is none: no test here sends it an order.
    await service.warungd('provider', 'add', '--code', PROVIDER, '--kind', 'stock')
  })
  afterAll(() => admin?.close())

  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })
  const dialog = () => page.getByRole('dialog')
  const row = (text: string) => page.getByRole('row').filter({ hasText: text })

  /** Presses the button of the open dialog, and waits until the dialog has closed. */
  async function confirm(name: string): Promise<void> {
    await dialog().getByRole('button', { name, exact: true }).click()
    await dialog().waitFor({ state: 'detached' })
  }

  async function lastReason(): Promise<string | undefined> {
    const { rows } = await client.query<{ reason: string }>(
      'select reason from audit_log order by sequence desc limit 1',
    )
    return rows[0]?.reason
  }

  it('lets somebody in with a second admin, changes the role, and keeps the person out', async () => {
    const email = 'siti@example.com'
    const second = await signInAs(service, 'admin')
    await visitor.go('/operator/people')
    await button('Let somebody in').click()
    await dialog().getByLabel('Email').fill(email)
    await dialog().getByLabel('Name').fill('Siti')
    await dialog().getByLabel('Role').selectOption({ label: 'support' })
    const create = dialog().getByRole('button', { name: 'Let somebody in' })
    expect(await create.isDisabled()).toBe(true)
    await dialog().getByLabel('Reason').fill('starts on Monday')
    await confirm('Let somebody in')
    await page.getByText('another admin decides').waitFor()
    const asked = (await second.get('/approvals?state=pending&kind=operator_create')).json<{
      data: { id: string }[]
    }>()
    const approved = await second.send('POST', `/approvals/${asked.data[0]?.id}/approve`, {
      reason: 'we have met',
    })
    expect(approved.status, approved.text).toBe(200)
    await visitor.go('/operator/people')
    await row(email).getByText('Active').first().waitFor()

    await button('Change: Siti').click()
    await dialog().getByLabel('Role').selectOption('read_only')
    await dialog().getByRole('button', { name: 'Kept out' }).click()
    await dialog().getByLabel('Reason').fill('left again')
    await expectAccessible(visitor)
    await confirm('Change')
    await row(email).getByText('Kept out').first().waitFor()
    const { rows } = await client.query('select role, status from operators where email = $1', [email])
    expect(rows).toEqual([{ role: 'read_only', status: 'disabled' }])
    expect(visitor.takeProblems()).toEqual([])
  })

  it('makes a token for a script, which reads with it until it is revoked', async () => {
    await visitor.go('/operator/account')
    await button('Make a token').click()
    await dialog().getByLabel('Name').fill('Nightly report')
    await dialog().getByLabel('Your password').fill(service.demo.operator.password)
    await dialog().getByRole('button', { name: 'Make a token' }).click()
    await page.getByRole('heading', { name: 'Your new token' }).waitFor()
    const token = (await dialog().locator('.secret .mono').textContent()) ?? ''
    await page.getByText('I have put it where it will be found again').click()
    await confirm('Done')
    const read = () =>
      call(service, 'GET', '/operator/v1/resellers', undefined, { Authorization: `Bearer ${token}` })
    expect((await read()).status).toBe(200)
    expect(await page.content()).not.toContain(token)

    await button('Revoke: Nightly report').click()
    await confirm('Revoke')
    await page.getByText('The token Nightly report no longer works.').waitFor()
    await row('Nightly report').getByText('Revoked').first().waitFor()
    expect((await read()).status).toBe(401)
    expect(visitor.takeProblems()).toEqual([])
  })

  it('makes one reseller by a double click without a gap, and one by a held Enter', async () => {
    const made = async (name: string) => {
      const { rows } = await client.query<{ email: string }>('select email from resellers where name = $1', [
        name,
      ])
      return rows.length
    }
    const fill = async (name: string) => {
      await visitor.go('/operator/resellers')
      await button('New reseller').click()
      await dialog().getByLabel('Name').fill(name)
      await dialog().getByLabel('Email').fill('twice@example.com')
      await dialog().getByLabel('Price level').selectOption('STANDARD')
      await dialog().getByLabel(REASON).fill('a new shop')
    }
    await fill('Kedai Klik')
    await dialog()
      .locator('button[type="submit"]')
      .evaluate((submit: { click(): void }) => {
        submit.click()
        submit.click()
      })
    await page.waitForURL('**/operator/resellers/*')
    await fill('Kedai Tekan')
    await dialog().getByLabel('Email').focus()
    for (let times = 0; times < 20; times += 1) await page.keyboard.down('Enter')
    await page.waitForURL('**/operator/resellers/*')
    for (let times = 0; times < 5; times += 1) await page.keyboard.down('Enter')
    await page.keyboard.up('Enter')
    await visitor.settle()
    expect([await made('Kedai Klik'), await made('Kedai Tekan')]).toEqual([1, 1])
    expect(visitor.takeProblems()).toEqual([])
  })

  it('posts a notice that stops payments of a product, and ends it', async () => {
    await visitor.go('/operator/notices')
    await button('New notice').click()
    await dialog().getByRole('combobox', { name: 'Product' }).fill('Kita')
    await dialog().getByRole('option', { name: 'Kita Prepaid KITA', exact: true }).click()
    await dialog().getByLabel('Message').fill('<b>The network is down.</b>')
    await dialog().getByLabel('Refuse new payments meanwhile').check()
    await dialog().getByLabel(REASON).fill('the operator told us')
    await expectAccessible(visitor)
    await confirm('Post it')
    await row('KITA').getByText('In force').first().waitFor()
    const pay = () => payer.send(reload({ product: 'KITA', amount: 20 }))
    await until('payments are refused', async () => (await pay()).status === 400)

    await button('End the notice about KITA?').click()
    await dialog().getByLabel(REASON).fill('it is back')
    await confirm('End')
    await page.getByText('The notice is ended.').waitFor()
    await until('payments are taken', async () => (await pay()).status === 200)
    expect(visitor.takeProblems()).toEqual([])
  })

  it('lifts the block of an address', async () => {
    const address = '203.0.113.77'
    await client.query("insert into address_blocks values ($1, now(), now() + interval '1 hour', 90000)", [
      address,
    ])
    await visitor.go('/operator/blocks')
    await row(address).getByText('90,000').waitFor()
    await row(address).getByRole('button', { name: 'Lift' }).click()
    await dialog().getByLabel(REASON).fill('they mended their loop')
    await confirm('Lift')
    await page.getByText(`The block of ${address} is lifted.`).waitFor()
    await page.getByText('No address is blocked').waitFor()
    expect(visitor.takeProblems()).toEqual([])
  })

  it('asks for another rate of a currency, which a second person approves', async () => {
    await client.query(
      `insert into currency_rates (currency, rate, from_at, reason, set_by)
       values ('USD', 4.7, now() - interval '9 days', 'the bank', 'siti')`,
    )
    await visitor.go('/operator/rates')
    await row('USD').getByText('the bank').waitFor()
    await expectAccessible(visitor)
    await button('Set anew: USD').click()
    expect(await dialog().getByLabel('Currency').inputValue()).toBe('USD')
    await dialog().getByLabel('1 USD in MYR').fill('4.65')
    await dialog().getByLabel(REASON).fill('the bank, 12:00')
    await confirm('Ask for the rate')
    await page.getByText('Another operator approves the rate.').waitFor()
    await page.getByRole('link', { name: 'See the request' }).click()
    await page.getByText('One USD is 4.65 ringgit').waitFor()
    expect(visitor.takeProblems()).toEqual([])
  })

  it('adds a level, which begins without prices, and renames it', async () => {
    await visitor.go('/operator/levels')
    await button('New level').click()
    await dialog().getByLabel('Code').fill('GOLD')
    await dialog().getByLabel('Name').fill('Gold')
    await dialog().getByLabel(REASON).fill('for the largest shops')
    await dialog().getByRole('button', { name: 'New level' }).click()
    await page.waitForURL('**/operator/levels/GOLD')
    await page.getByText('No price matches').waitFor()
    await button('Rename').click()
    await dialog().getByLabel('Name').fill('Gold & more')
    await dialog().getByLabel(REASON).fill('as the contract says')
    await confirm('Save')
    await page.getByRole('heading', { level: 1, name: 'Gold & more' }).waitFor()
    expect(await lastReason()).toBe('as the contract says')
    await button('Add a limit').click()
    await dialog().getByLabel('Payments').fill('500')
    await dialog().getByLabel(REASON).fill('at first')
    await confirm('Save')
    await row('all payments a day').getByText('500 payments', { exact: true }).waitFor()
    expect(visitor.takeProblems()).toEqual([])
  })

  it('sets limits of a reseller, sees what is used, and is told at its field what a limit cannot be', async () => {
    expect((await payer.send(reload({ product: 'KITA', amount: 20 }))).status).toBe(200)
    await visitor.go(`/operator/resellers/${payer.account}?tab=limits`)
    await page.getByText('No limits').waitFor()
    await button('Add a limit').click()
    await dialog().getByLabel('Category').fill('NOTHING')
    await dialog().getByLabel('Face value').fill('20')
    await dialog().getByLabel(REASON).fill('a new shop')
    await dialog().getByRole('button', { name: 'Save' }).click()
    await dialog()
      .getByText(/category.*NOTHING/)
      .first()
      .waitFor()
    visitor.takeProblems()
    expect(await dialog().getByLabel('Category').getAttribute('aria-invalid')).toBe('true')
    await dialog().getByLabel('Category').fill('')
    await expectAccessible(visitor)
    await confirm('Save')
    await row('all payments a day').getByText('MYR 20.00', { exact: true }).first().waitFor()
    expect((await payer.send(reload({ product: 'KITA', amount: 20 }))).status).toBe(400)

    await button('Change the limit for all payments a day').click()
    await dialog().getByLabel('Face value').fill('60')
    await dialog().getByLabel(REASON).fill('they are known')
    await confirm('Save')
    await row('all payments a day').getByText('MYR 60.00', { exact: true }).waitFor()
    const path = `/operator/resellers/${payer.account}?tab=limits`
    await visitor.go('/operator/providers')
    await expectSound(visitor, path)
    await button('Remove the limit for all payments a day').click()
    await dialog().getByLabel(REASON).fill('they pay first')
    await confirm('Remove')
    await page.getByText('No limits').waitFor()
    expect(await lastReason()).toBe('they pay first')
    expect(visitor.takeProblems()).toEqual([])
  })

  it('replaces the plan of a country from a file, and reads what numbers are whose', async () => {
    const plan = { country: 'SG', trunk: '', source: 'Made up', as_of: '2026-01-01' }
    const operators = [{ code: 'SIGMA', name: 'Sigma', aliases: [], products: ['KITA'] }]
    const range = { prefix: '9', kind: 'mobile', digits_min: 8, digits_max: 8, operator: 'SIGMA' }
    const choose = (text: string) =>
      dialog()
        .getByLabel('JSON file')
        .setInputFiles({ name: 'plans.json', mimeType: 'application/json', buffer: Buffer.from(text) })
    await visitor.go('/operator/numbers')
    await page.getByText('Known by the service').first().waitFor()
    await button('Replace plans').click()
    await choose('{}')
    await dialog().getByText('This is not a file of plans.').waitFor()
    await choose(JSON.stringify({ plans: [{ ...plan, operators, ranges: [range] }] }))
    await dialog().getByLabel(REASON).fill('the regulator’s list')
    await expectAccessible(visitor)
    await confirm('Replace')
    await page.getByRole('heading', { name: 'SG, as of 2026-01-01' }).waitFor()
    await row('SIGMA').getByText('KITA').waitFor()
    await visitor.go('/operator/providers')
    await expectSound(visitor, '/operator/numbers')
    expect(visitor.takeProblems()).toEqual([])
  })

  it('sets a route, switches its provider off and on, and removes the route only with a second person', async () => {
    await visitor.go(`/operator/providers/${PROVIDER}`)
    await button('Add a route').click()
    await dialog().getByLabel('Product').fill('KITA')
    await dialog().getByLabel('Cost').fill('95%')
    await dialog().getByLabel(REASON).fill('their new price')
    await dialog().getByRole('button', { name: 'Preview' }).click()
    await dialog().getByText('95.00%').first().waitFor()
    await confirm('Save')
    await page.getByText('The route is set.').waitFor()
    await row('KITA').getByText('Nobody else: refused').waitFor()

    await button('Switch off').click()
    await dialog().getByText('1 product has nobody else:').waitFor()
    await dialog().getByLabel(REASON).fill('they asked for it')
    const off = dialog().getByRole('button', { name: 'Switch off' })
    expect(await off.isDisabled()).toBe(true)
    await dialog().getByLabel('Type this to confirm').fill(PROVIDER)
    await confirm('Switch off')
    await page.getByText('It takes no new orders.').waitFor()
    expect(await lastReason()).toBe('they asked for it')
    await button('Switch on').click()
    await dialog().getByLabel(REASON).fill('they are back')
    await confirm('Switch on')
    await page.getByText('It takes orders again.').waitFor()

    await button('Remove the route of KITA').click()
    await dialog().getByText('Nobody else delivers it').waitFor()
    await dialog().getByLabel(REASON).fill('not needed')
    await dialog().getByRole('button', { name: 'Remove', exact: true }).click()
    await dialog().getByRole('link', { name: 'Open the approval' }).waitFor()
    await confirm('Close')
    await row('KITA').getByText('Nobody else: refused').waitFor()
    expect(visitor.takeProblems()).toEqual([])
  })

  it('sees the provider wide and narrow, and who may only read changes nothing there', async () => {
    const path = `/operator/providers/${PROVIDER}`
    await visitor.go('/operator/providers')
    await expectSound(visitor, path)
    const reader = await openVisitor(service)
    await reader.letIn(await signInAs(service, 'read_only'))
    expect(await findChanges(reader, path)).toEqual([])
    await reader.close()
  })
})
