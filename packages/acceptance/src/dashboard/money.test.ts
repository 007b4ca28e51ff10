import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Person } from '../operator/operators.ts'
import { hireOperator } from '../operator/operators.ts'
import { signIn, signInMember } from '../portal/people.ts'
import { SLIPS } from '../portal/slips.ts'
import type { Service, TestDatabase } from '../service.ts'
import { createDatabase, openService, stopServices } from '../service.ts'
import type { Visitor } from './browser.ts'
import { expectAccessible, hasBrowser, openVisitor } from './browser.ts'

let service: Service
let database: TestDatabase
let accepting: Person
let approving: Person

beforeAll(async () => {
  database = await createDatabase()
  service = await openService({ database })
  accepting = await hireOperator(service, 'finance')
  approving = await hireOperator(service, 'finance')
})
afterAll(async () => {
  await stopServices()
  await database?.drop()
})

/** Opens a page of the console for an operator. */
async function enterConsole(visitor: Visitor, person: Person, path: string): Promise<void> {
  await visitor.letIn(await signIn(service, 'operator', person))
  await visitor.go(path)
}

const reseller = () => service.demo.resellers[0] ?? { account: '', name: '', username: '', password: '' }
/** Text that would run if a page built HTML of it. */
const HOSTILE = '<img src=x onerror=alert(1)> MBB-7731'

describe.runIf(hasBrowser())('money between a reseller and finance, in a browser', () => {
  let shop: Visitor
  let office: Visitor

  beforeAll(async () => {
    shop = await openVisitor(service)
    office = await openVisitor(service)
    await shop.letIn(await signInMember(service))
    await office.letIn(await signIn(service, 'operator', accepting))
  })
  afterAll(async () => {
    await shop?.close()
    await office?.close()
  })

  async function fillReport(reference: string): Promise<void> {
    const { page } = shop
    await shop.go('/portal/deposits')
    await page.getByRole('button', { name: 'Report a transfer' }).first().click()
    await page.getByLabel('Amount', { exact: true }).fill('125.50')
    await page.getByLabel('Bank reference').fill(reference)
  }

  const attach = (name: string, mimeType: string, buffer: Buffer) =>
    shop.page.getByLabel('Slip', { exact: true }).setInputFiles({ name, mimeType, buffer })

  it('a file that is no slip, whatever its name, is refused before it is sent, and what was typed stays', async () => {
    const { page } = shop
    await fillReport('MBB-1')
    await attach('slip.png', 'image/png', Buffer.from('I am a text'))
    await page.getByText('This file is not a PNG, JPEG, WebP or PDF').waitFor()
    expect(await page.getByRole('button', { name: 'Report', exact: true }).isDisabled()).toBe(true)
    await attach('slip.png', 'image/png', Buffer.alloc(2 * 1024 * 1024 + 1))
    await page.getByText('This file is larger than 2 MB').waitFor()
    expect(await page.getByLabel('Bank reference').inputValue()).toBe('MBB-1')
    await page.getByLabel('Amount', { exact: true }).fill('1,250.00')
    await page.getByText('Write the amount without commas, such as 1000 or 1.50').waitFor()
    await expectAccessible(shop)
    await page.keyboard.press('Escape')
    const { rows } = await database.query('select 1 from deposit_requests')
    expect(rows).toEqual([])
  })

  it('a reported transfer is accepted by one operator, approved by another, and then in the wallet', async () => {
    const { page } = shop
    await shop.go('/portal/deposits')
    const before = await page.locator('.purse b').textContent()
    await fillReport(HOSTILE)
    await attach('slip.png', 'image/png', SLIPS.png)
    await page.getByRole('button', { name: 'Report', exact: true }).click()
    await page.getByRole('heading', { name: `Transfer ${HOSTILE}` }).waitFor()
    await page.getByRole('img', { name: `Slip of transfer ${HOSTILE}` }).waitFor()
    await page.getByRole('button', { name: 'Close', exact: true }).click()

    await office.go('/operator/deposits')
    await office.page.getByRole('link', { name: HOSTILE }).click()
    await office.page.getByRole('img', { name: `Slip of transfer ${HOSTILE}` }).waitFor()
    await expectAccessible(office)
    await office.page.getByRole('button', { name: 'Accept', exact: true }).click()
    await office.page.getByLabel('Reason').fill('Line 7 of the bank statement')
    await office.page.getByRole('dialog').getByRole('button', { name: 'Accept', exact: true }).click()
    await office.page.getByText('waits for a second person. Nothing has moved yet').waitFor()
    expect(await page.locator('.purse b').textContent()).toBe(before)

    const link = await office.page.getByRole('link', { name: 'See the request' }).getAttribute('href')
    const second = await signIn(service, 'operator', approving)
    const approval = (link ?? '').split('/').at(-1)
    const approved = await second.send('POST', `/approvals/${approval}/approve`, { reason: 'compared' })
    expect(approved.status, approved.text).toBe(200)
    await expect.poll(() => page.locator('.purse b').textContent()).not.toBe(before)
    await page.getByText('In the wallet', { exact: true }).nth(1).waitFor()
    await office.page.getByText('The money is in the wallet.').waitFor()
    expect([...shop.takeProblems(), ...office.takeProblems()]).toEqual([])
  })

  it('the same transfer reported again is the first one, and the same reference of another transfer warns', async () => {
    const { page } = shop
    const report = async (amount: string) => {
      await fillReport('MBB-2')
      await page.getByLabel('Amount', { exact: true }).fill(amount)
      await attach('slip.png', 'image/png', SLIPS.png)
      await page.getByRole('button', { name: 'Report', exact: true }).click()
      await page.getByRole('heading', { name: 'Transfer MBB-2' }).waitFor()
    }
    await report('70')
    const first = new URL(page.url()).searchParams.get('request')
    await report('70')
    expect(new URL(page.url()).searchParams.get('request')).toBe(first)
    await report('71')
    await page.getByText('Look twice.').waitFor()
    await page.getByRole('button', { name: 'Withdraw', exact: true }).click()
    await page.getByRole('button', { name: 'Withdraw', exact: true }).click()
    await page.getByText('The report is withdrawn.').waitFor()
  })

  it('an adjustment moves nothing until a second person has approved it, and then stands among the entries', async () => {
    const { account } = reseller()
    const { page } = office
    await office.go(`/operator/resellers/${account}`)
    await page.getByRole('button', { name: 'Adjust', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Amount').fill('-12.50')
    await dialog.getByLabel('Remarks').fill('Fee of the bank')
    await dialog.getByLabel('Reason').fill('agreed by mail')
    await dialog.getByRole('button', { name: 'Ask for approval' }).click()
    await page.getByText('waits for a second person. Nothing has moved yet').waitFor()
    expect(await page.getByRole('row').filter({ hasText: 'Fee of the bank' }).count()).toBe(0)

    const link = await page.getByRole('link', { name: 'See the request' }).getAttribute('href')
    const second = await signIn(service, 'operator', approving)
    const approval = (link ?? '').split('/').at(-1)
    const approved = await second.send('POST', `/approvals/${approval}/approve`, { reason: 'seen the mail' })
    expect(approved.status, approved.text).toBe(200)
    const entry = page.getByRole('row').filter({ hasText: 'Fee of the bank' })
    await entry.getByText('Adjustment').waitFor()
    await entry.getByText('12.50').first().waitFor()
    expect(office.takeProblems()).toEqual([])
  })

  it('an admin suspends a reseller with a reason; finance has no such button', async () => {
    const { account, name } = reseller()
    await office.go(`/operator/resellers/${account}`)
    await office.page.getByRole('button', { name: 'New deposit' }).waitFor()
    expect(await office.page.getByRole('button', { name: 'Suspend' }).count()).toBe(0)

    const admin = await openVisitor(service)
    await enterConsole(admin, service.demo.operator, `/operator/resellers/${account}`)
    await admin.page.getByRole('button', { name: 'Suspend', exact: true }).click()
    const dialog = admin.page.getByRole('dialog')
    expect(await dialog.getByRole('button', { name: 'Suspend', exact: true }).isDisabled()).toBe(true)
    await dialog.getByLabel('Reason').fill('Asked for it by letter')
    await dialog.getByRole('button', { name: 'Suspend', exact: true }).click()
    await admin.page.getByText(`${name} is suspended: new payments are refused.`).waitFor()
    await admin.page.getByText('This reseller is suspended.').waitFor()
    const { rows } = await database.query('select reason from audit_log where action = $1', [
      'reseller.suspend',
    ])
    expect(rows).toEqual([{ reason: 'Asked for it by letter' }])
    await admin.close()
  })

  it('the ledger and the audit log are proved on the page', async () => {
    await office.go('/operator/ledger')
    await office.page.getByRole('button', { name: /^Prove/ }).click()
    await office.page.getByLabel('Reason').fill('End of the day')
    await office.page.getByRole('dialog').getByRole('button', { name: 'Prove the ledger' }).click()
    await office.page.getByText('All accounts together: 0.00, as it must be.').waitFor()
    await expectAccessible(office)
    const reader = await openVisitor(service, { theme: 'dark' })
    await enterConsole(reader, await hireOperator(service, 'read_only'), '/operator/audit?action=reseller')
    await reader.page.getByRole('button', { name: 'Prove the chain' }).click()
    await reader.page.getByText('each as it was written').waitFor()
    await reader.page.getByText('Asked for it by letter').click()
    await reader.page.getByRole('dialog').getByText('suspended').waitFor()
    await expectAccessible(reader)
    expect(reader.takeProblems()).toEqual([])
    await reader.close()
  })
})

describe.runIf(hasBrowser())('a shift of cash at a till, in a browser', () => {
  it('is opened with a float, closed with a count, and printed as a Z report', async () => {
    const visitor = await openVisitor(service)
    const { page } = visitor
    await visitor.letIn(await signInMember(service))
    const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
    const inDialog = (name: string) =>
      page.getByRole('dialog').getByRole('button', { name, exact: true }).click()
    const fill = (label: string, value: string) => page.getByLabel(label, { exact: true }).fill(value)
    await visitor.go('/portal/shifts')
    await press('Add branch')
    await fill('Name', 'Jalan Ipoh')
    await inDialog('Save')
    await press('Add till: Jalan Ipoh')
    await fill('Name', 'Till 9')
    await inDialog('Save')
    await press('This browser: Till 9')
    await inDialog('This browser')
    await press('Open shift')
    await fill('Cash in the drawer', '50.00')
    await inDialog('Open shift')
    await press('Cash in or out')
    await fill('Amount', '4.50')
    await fill('Reason', 'Ice')
    await inDialog('Note it')
    await expectAccessible(visitor)
    await press('Close shift')
    await fill('Cash counted', '45.00')
    await inDialog('Close shift')
    await page.getByText('Cash taken out: Ice').waitFor()
    await page.getByText('RM 45.50').waitFor()
    await page.getByText(/RM .0\.50/).waitFor()
    expect(await page.getByText('Copy', { exact: true }).count()).toBe(0)
    await page.evaluate('window.print = () => {}')
    await press('Print')
    await page.getByText('Copy', { exact: true }).waitFor()
    await expectAccessible(visitor)
    expect(visitor.takeProblems()).toEqual([])
    await visitor.close()
  })
})
