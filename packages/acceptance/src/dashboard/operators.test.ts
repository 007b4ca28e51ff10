import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Demo } from '../catalog.ts'
import { openDemo } from '../catalog.ts'
import { signed } from '../http.ts'
import type { Person, Role } from '../operator/operators.ts'
import { hireOperator, isWorkedOn, signInAs } from '../operator/operators.ts'
import type { Payer } from '../payments.ts'
import { createPayer, newRefid, reload } from '../payments.ts'
import type { Listed } from '../portal/members.ts'
import type { Browser } from '../portal/people.ts'
import { signIn } from '../portal/people.ts'
import { until } from '../service.ts'
import type { Visitor } from './browser.ts'
import { expectAccessible, hasBrowser, openVisitor } from './browser.ts'
import { findChanges } from './onlookers.ts'

const NEVER_ANSWERS = '60123453003'
const HOSTILE = '<img src=x onerror=alert(1)>'

let demo: Demo
let payer: Payer
let support: Browser
let stuckId: string
let caseNumber: string

beforeAll(async () => {
  demo = await openDemo({
    WARUNG_SIMULATOR_TIMEOUT_SECONDS: '1',
    WARUNG_LEASE_SECONDS: '3',
    WARUNG_RESOLVE_ALONE_MAX: '20',
  })
  if (!hasBrowser()) return
  payer = await createPayer(demo.service, '1000')
  support = await signInAs(demo.service, 'support')
  stuckId = await makeStuck()
  caseNumber = await openCase()
})
afterAll(async () => {
  await demo?.end()
})

/** Pays what the supplier never answers, and lets its due time pass. */
async function makeStuck(): Promise<string> {
  const body = reload({ account: NEVER_ANSWERS, product: 'KITA', amount: 50 })
  const { transaction_id: id } = await payer.untilStatus(body, 'Processing')
  await until('it is on the stuck list', async () => {
    await demo.service.warungd('clock', 'advance', '--reseller', payer.account, '--seconds', '900')
    const { data } = (await support.get('/stuck-payments?limit=1000')).json<Listed>()
    return data.some((each) => each.id === id)
  })
  return id
}

async function openCase(): Promise<string> {
  const body = { refid: newRefid(), product: 'VOLT', account: '60123451000', amount: 10 }
  const paid = await payer.untilStatus(body, 'Succesful')
  const answer = await signed(demo.service.baseUrl, payer.credentials, {
    method: 'POST',
    path: '/v2/transactions/check',
    json: { trxid: paid.transaction_id },
  })
  const number = /C-\d{4}-\d{6}/.exec(answer.text)?.[0]
  if (number === undefined) throw new Error(answer.text)
  return number
}

async function visitAs(who: Role | Person): Promise<Visitor> {
  const visitor = await openVisitor(demo.service)
  const person = typeof who === 'string' ? await hireOperator(demo.service, who) : who
  await visitor.letIn(await signIn(demo.service, 'operator', person))
  return visitor
}

async function askForDeposit(finance: Browser, amount: string): Promise<string> {
  const body = { account: payer.account, amount, remarks: 'cash', reason: 'counted it' }
  return (await finance.send('POST', '/deposits', body)).json<{ data: { id: string } }>().data.id
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

describe.runIf(hasBrowser())('operators at work', () => {
  it('end a stuck payment with evidence, after a second person has approved it in another browser', async () => {
    // Only who was let in before the request can decide about it.
    const second = await visitAs('finance')
    const asker = await visitAs('admin')
    await asker.go('/operator')
    // The demo has a stuck payment of its own.
    await asker.page.locator(`a[href$="/operator/payments/${stuckId}"]`, { hasText: 'Resolve' }).click()
    await asker.page.waitForURL(`**/operator/payments/${stuckId}`)
    await asker.page.getByText('What to quote to the supplier').waitFor()
    await expectAccessible(asker)
    const ask = button(asker.page, 'Ask for approval')
    expect(await ask.isDisabled()).toBe(true)
    await asker.page.getByLabel('It was not carried out').check()
    await asker.page.getByLabel('How do you know?').fill(`Supplier's mail, ticket 88-1204 ${HOSTILE}`)
    await asker.page.getByLabel('Reason, for the audit log').fill('The customer waits')
    await ask.click()
    await asker.page.getByText('A second person decides.', { exact: true }).waitFor()

    await second.go('/operator/approvals')
    await second.page.getByRole('link', { name: `Payment ${stuckId} ends as failed` }).click()
    await second.page.getByText(`ticket 88-1204 ${HOSTILE}`).first().waitFor()
    await expectAccessible(second)
    await approve(second.page)
    await second.page.getByText('Approved', { exact: true }).first().waitFor()

    // The asker's page is told by the stream of events, and reads the payment again.
    await asker.page.locator('.head .pill').getByText('Failed').waitFor()
    await asker.page.getByText(`ticket 88-1204 ${HOSTILE}`).first().waitFor()
    expect(await payer.balance()).toBeGreaterThan(980)
    expect([...asker.takeProblems(), ...second.takeProblems()]).toEqual([])
    await asker.close()
    await second.close()
  })

  it('have no buttons for their own requests, and may take them back', async () => {
    const person = await hireOperator(demo.service, 'finance')
    const id = await askForDeposit(await signIn(demo.service, 'operator', person), '12.00')
    const asker = await visitAs(person)
    await asker.go(`/operator/approvals/${id}`)
    await asker.page.getByText('You asked for this, so another operator decides.').waitFor()
    expect(await button(asker.page, 'Approve').count()).toBe(0)
    expect(await button(asker.page, 'Refuse').count()).toBe(0)
    await button(asker.page, 'Withdraw').click()
    await asker.page.getByRole('dialog').getByLabel('Reason, for the audit log').fill('a mistake')
    await asker.page.getByRole('dialog').getByRole('button', { name: 'Withdraw' }).click()
    await asker.page.getByText('Withdrawn', { exact: true }).first().waitFor()
    expect(asker.takeProblems()).toEqual([])
    await asker.close()
  })

  it('take and resolve a case, each step with its reason', async () => {
    const visitor = await visitAs('support')
    const { page } = visitor
    await visitor.go('/operator/cases')
    await page.getByRole('row', { name: caseNumber }).click()
    await button(page, 'Take the case').click()
    await page.getByRole('dialog').getByLabel('Reason, for the audit log').fill('mine')
    await page.getByRole('dialog').getByRole('button', { name: 'Take the case' }).click()
    await page.getByText('In progress', { exact: true }).waitFor()
    await button(page, 'Resolve').click()
    await page.getByRole('dialog').getByLabel('Message to the reseller').fill('The supplier delivered it.')
    await page.getByRole('dialog').getByLabel('Reason, for the audit log').fill('seen their report')
    await page.getByRole('dialog').getByRole('button', { name: 'Resolve' }).click()
    await page.getByText('Resolved', { exact: true }).waitFor()
    await page.getByText('The supplier delivered it.').waitFor()
    expect(visitor.takeProblems()).toEqual([])
    await visitor.close()
  })
})

describe.runIf(hasBrowser())('finance', () => {
  it('compares the books of a reseller with ours, and sees each difference with its payment', async () => {
    const { refid } = await payer.untilStatus(reload(), 'Succesful')
    const visitor = await visitAs('finance')
    const { page } = visitor
    await visitor.go(`/operator/resellers/${payer.account}?tab=statements`)
    await page.getByLabel('CSV of the reseller').setInputFiles({
      name: 'books.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(`refid,amount\n${refid},11.00\n${HOSTILE},5.00\n`),
    })
    await page.getByRole('button', { name: 'Compare', exact: true }).click()
    const differing = page.getByRole('row').filter({ hasText: refid })
    await differing.getByText('Other amount').waitFor()
    await page.getByRole('row').filter({ hasText: HOSTILE }).getByText('Not in ours').waitFor()
    await expectAccessible(visitor)
    await differing.getByRole('link', { name: refid }).click()
    await page.waitForURL('**/operator/payments/*')
    expect(visitor.takeProblems()).toEqual([])
    await visitor.close()
  })
})

describe.runIf(hasBrowser())('an operator who may only read', () => {
  let visitor: Visitor
  let another: string
  let request: string
  let openNumber: string

  beforeAll(async () => {
    another = await makeStuck()
    openNumber = await openCase()
    request = await askForDeposit(await signInAs(demo.service, 'finance'), '5.00')
    visitor = await visitAs('read_only')
  })
  afterAll(() => visitor?.close())

  // Pages on which something waits; every page is opened in onlookers.test.ts.
  it.each([
    ['the overview', () => '/operator'],
    ['a stuck payment', () => `/operator/payments/${another}`],
    ['the stuck list', () => '/operator/stuck'],
    ['one approval', () => `/operator/approvals/${request}`],
    ['a case', () => `/operator/cases/${openNumber}`],
  ])('sees %s without anything to change', async (_name, path) => {
    expect(await findChanges(visitor, path())).toEqual([])
    expect(await visitor.page.locator('main form[aria-label="Resolve"]').count()).toBe(0)
    expect(visitor.takeProblems()).toEqual([])
  })

  it('finds no page in the side column that the role may not read', async () => {
    await visitor.go('/operator')
    const names = await visitor.page.locator('.side .nav a').allTextContents()
    expect(names.some((name) => name.startsWith('Payments'))).toBe(true)
    expect(names.some((name) => name.startsWith('Operators'))).toBe(false)
  })
})

/** Approves on the page of a request. It tries again while a node asks the supplier about the payment. */
async function approve(page: Page): Promise<void> {
  await button(page, 'Approve').click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Reason, for the audit log').fill('Seen the mail as well')
  await until('nobody is at the payment', async () => {
    await dialog.getByRole('button', { name: 'Approve' }).click()
    const refusal = dialog.getByRole('alert')
    await Promise.race([dialog.waitFor({ state: 'detached' }), refusal.waitFor()])
    if ((await dialog.count()) === 0) return true
    const said = await refusal.textContent()
    if (!isWorkedOn(said ?? '')) throw new Error(`the approval was refused: ${said}`)
    return undefined
  })
}
