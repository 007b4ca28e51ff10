import { readFile } from 'node:fs/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Demo } from '../catalog.ts'
import { openDemo } from '../catalog.ts'
import { TRUST_TEST_PROXY } from '../clients.ts'
import { createKey } from '../edge.ts'
import type { Payer } from '../payments.ts'
import { advanceClock, deposit, newRefid, payerAt, reload } from '../payments.ts'
import type { Member } from '../portal/members.ts'
import { newMember } from '../portal/members.ts'
import type { Service } from '../service.ts'
import { openService, stopServices } from '../service.ts'
import type { Visitor } from './browser.ts'
import { excessWidth, expectAccessible, hasBrowser, LOOKS, lookAt, openVisitor } from './browser.ts'

// Payments, statement, reconciliation and cases of the portal, in a browser. Every name and text that comes from
// outside is hostile from the start: no page may run it.

const RUNS_CODE = '<img src=x onerror=alert(1)>'
/** Account whose payment succeeds after ten minutes of the test clock. */
const SLOW_ACCOUNT = '60123451600'
const SLOW_SECONDS = 600
/** Account whose void the simulated supplier approves. */
const VOIDED_ACCOUNT = '60123454001'

describe.runIf(hasBrowser())('payments in a browser', () => {
  let demo: Demo
  let service: Service
  let payer: Payer
  let member: Member
  let visitor: Visitor

  beforeAll(async () => {
    demo = await openDemo({ ...TRUST_TEST_PROXY })
    service = demo.service
    const named = ['--name', `Kedai ${RUNS_CODE}`, '--email', 'someone@example.com']
    const { account } = await service.warungd<{ account: string }>('reseller', 'create', ...named)
    payer = payerAt(service, { account, ...(await createKey(service, account)) })
    await deposit(service, account, '1000')
    member = await newMember(service, account, 'admin')
    visitor = await openVisitor(service)
    await visitor.letIn(member)
  })
  afterAll(async () => {
    await visitor?.close()
    await stopServices()
    await demo?.end()
  })

  const rowOf = (text: string) => visitor.page.getByRole('row').filter({ hasText: text })

  it('shows a new payment in the open list by itself, and its end on its page, without a reload', async () => {
    const { page } = visitor
    await visitor.go('/portal/payments')
    await page.getByText('Live', { exact: true }).waitFor()
    await page.evaluate('window.isFirstLoad = true')
    const body = reload({ account: SLOW_ACCOUNT })
    await payer.pay(body)
    await rowOf(String(body.refid)).getByText('Pending').first().waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/portal/payments/*')
    await page.getByRole('heading', { level: 1 }).getByText('Pending').waitFor()
    // The clock moves what the supplier has.
    await payer.untilStatus(body, 'Processing')
    await advanceClock(service, payer.account, SLOW_SECONDS)
    await page.getByRole('heading', { level: 1 }).getByText('Successful').waitFor()
    await page.getByRole('list', { name: 'Timeline' }).getByText('taken from the wallet').waitFor()
    expect(await page.evaluate('window.isFirstLoad')).toBe(true)
    expect(visitor.takeProblems()).toEqual([])
  })

  it('keeps filters in the address, which names the same rows to whoever opens it and to the file', async () => {
    const { page } = visitor
    const failed = reload({ account: '60123452000' })
    await payer.send(failed)
    await visitor.go('/portal/payments')
    await rowOf(String(failed.refid)).getByText('Failed').first().waitFor()
    await page.getByRole('button', { name: 'Failed' }).click()
    await page.waitForURL('**/portal/payments?status=failed')
    await page.getByLabel('Product').selectOption({ label: 'Nova Prepaid' })
    await page.getByLabel('Account', { exact: true }).fill('60123452000')
    await page.keyboard.press('Enter')
    await page.waitForURL('**status=failed&product=NOVA&account=60123452000')
    await page.reload()
    await expect.poll(() => page.locator('tbody tr').count()).toBe(1)
    const saved = page.waitForEvent('download')
    await page.locator('h1').focus()
    await page.keyboard.press('e')
    const lines = (await readFile(await (await saved).path(), 'utf8')).trim().split('\n')
    expect(lines).toHaveLength(2)
    expect(lines[1]).toContain(String(failed.refid))
    await page.getByLabel('Account', { exact: true }).fill('60000000000')
    await page.keyboard.press('Enter')
    await page.getByText('No payments match').waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await rowOf(String(failed.refid)).waitFor()
    expect(new URL(page.url()).search).toBe('')
    expect(visitor.takeProblems()).toEqual([])
  })

  it('shows the days that are counted, also those that the address leaves open', async () => {
    const { page } = visitor
    const days = () =>
      Promise.all(['From', 'To'].map((label) => page.getByLabel(label, { exact: true }).inputValue()))
    const counted = async (query: string) => {
      const answer = await member.get(`/payments/totals${query}`)
      const { from, to } = answer.json<{ data: { from: string; to: string } }>().data
      return [from, to]
    }
    for (const query of ['', '?from=2026-01-01', '?to=2026-01-31', '?from=2026-01-02&to=2026-01-03']) {
      await visitor.go(`/portal/payments${query}`)
      await expect.poll(days).toEqual(await counted(query))
    }
    await page.getByLabel('Totals of all pages: 2 Jan to 3 Jan').waitFor()
    expect(visitor.takeProblems()).toEqual([])
  })

  it('says what is wrong with a range, in the list and for its file, in the language of the reader', async () => {
    const path = '/portal/payments?from=2026-02-02&to=2026-02-01'
    const { page } = visitor
    await visitor.go(path)
    await page.getByRole('alert').getByText('To: must not lie before the first day.').waitFor()
    expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0)
    await page.getByRole('link', { name: 'Export' }).click()
    const told = page.locator('.toast').getByText('To: must not lie before the first day.')
    await told.waitFor()
    await page.locator('.languages select').selectOption('ms')
    await page
      .getByRole('alert')
      .getByText('Data yang diberikan tidak sah. Hingga: tidak boleh sebelum hari pertama.')
      .waitFor()
    await page.locator('.languages select').selectOption('en')
    await page.route('**/portal/v1/payments.csv*', (route) =>
      route.fulfill({ status: 401, json: { error: 'unauthorized', message: 'Sign in first.' } }),
    )
    await page.getByRole('link', { name: 'Export' }).click()
    await page.waitForURL('**/portal/sign-in?next=*')
    await page.unrouteAll()
    // Chromium reports every answer of 4xx in its console.
    const problems = visitor.takeProblems().filter((text) => !text.startsWith('Failed to load resource'))
    expect(problems).toEqual([])
  })

  it('opens a case for a void, follows it to its end, and offers no second one', async () => {
    const { page } = visitor
    const body = { refid: newRefid(), product: 'NOVAPOST', account: VOIDED_ACCOUNT, amount: 50 }
    const { transaction_id: id } = await payer.untilStatus(body, 'Succesful')
    await visitor.go(`/portal/payments/${id}`)
    await page.getByRole('button', { name: 'Request a void' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Another reason').click()
    await dialog.getByLabel('The reason').fill(RUNS_CODE)
    await expectAccessible(visitor)
    await dialog.getByRole('button', { name: 'Request a void' }).click()
    await page.getByText('The void is requested. A case is open.').waitFor()
    await page.getByRole('link', { name: /^C-\d{4}-\d{6}$/ }).click()
    await page.waitForURL('**/portal/cases/*')
    await page.getByRole('heading', { level: 1 }).getByText('Resolved').waitFor()
    await page.getByRole('list', { name: 'Messages' }).getByText(RUNS_CODE).waitFor()
    await page.getByText('Refunded').first().waitFor()
    await expectAccessible(visitor)
    await page.getByRole('link', { name: 'Open the payment' }).click()
    await page.getByRole('heading', { level: 1 }).getByText('Refunded').waitFor()
    expect(await page.getByRole('button', { name: 'Request a void' }).count()).toBe(0)
    await visitor.go('/portal/cases?state=open')
    await page.getByText('No cases match').waitFor()
    await page.getByRole('button', { name: 'Resolved' }).click()
    await rowOf(body.refid).waitFor()
    expect(visitor.takeProblems()).toEqual([])
  })

  it('finds by the end of a number, reports several at once, and keeps views and columns', async () => {
    const { page } = visitor
    const account = '60123457701'
    for (const amount of [10, 30]) await payer.untilStatus(reload({ account, amount }), 'Succesful')
    await visitor.go('/portal/payments')
    const finder = page.getByLabel('Number, serial, refid or amount')
    await finder.fill('345-7701')
    await page.keyboard.press('Enter')
    await expect.poll(() => page.locator('tbody tr').count()).toBe(2)
    await page.getByLabel('Choose all of this page').check()
    await page.getByText('2 chosen').waitFor()
    await expectAccessible(visitor)
    await page.getByRole('button', { name: 'Report an issue' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Report an issue' }).click()
    await page.getByText('2 cases are open.').waitFor()
    await finder.fill('')
    await page.keyboard.press('Enter')
    for (const name of ['Failed', 'Pending']) await page.getByRole('button', { name, exact: true }).click()
    await page.waitForURL(/status=failed%2Cpending|status=pending%2Cfailed/)
    await page.getByRole('button', { name: 'Save this view' }).click()
    await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('Trouble')
    await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('button', { name: 'Trouble', exact: true }).waitFor()
    await visitor.go('/portal/payments')
    await page.getByText('Columns', { exact: true }).click()
    await page.getByLabel('Serial number').check()
    await page.reload()
    await page.getByRole('columnheader', { name: 'Serial number' }).waitFor()
    await page.getByRole('button', { name: 'Trouble', exact: true }).click()
    await page.waitForURL(/status=/)
    await expectAccessible(visitor)
    expect(visitor.takeProblems()).toEqual([])
  })

  it('says why no case was opened, instead of calling it opened', async () => {
    const { page } = visitor
    const { transaction_id: id } = await payer.untilStatus(reload(), 'Succesful')
    await visitor.go(`/portal/payments/${id}`)
    await page.getByRole('button', { name: 'Report an issue' }).click()
    // Somebody else of the shop is faster.
    await member.send('POST', '/cases/disputes', { trxid: id })
    await page.getByRole('dialog').getByRole('button', { name: 'Report an issue' }).click()
    await page.getByRole('alert').getByText('already exists').waitFor()
    expect(await page.getByText('The issue is reported').count()).toBe(0)
    expect(visitor.takeProblems()).toEqual([])
  })

  it('has a statement that agrees with the wallet by entries, month and day, as pages and as files', async () => {
    const { page } = visitor
    await visitor.go('/portal/statement?type=deposit')
    await expect.poll(() => page.locator('tbody tr').count()).toBe(1)
    await rowOf('bank').getByText('1,000.00').first().waitFor()
    const held = (await payer.balance()).toFixed(2)
    await page
      .getByLabel(/^Totals of all entries/)
      .getByText(held)
      .waitFor()
    await page.getByRole('link', { name: 'Months' }).click()
    const month = page.getByRole('row').filter({ hasText: 'so far' })
    await month.getByText(held).waitFor()
    const saved = page.waitForEvent('download')
    await month.getByRole('link', { name: /as PDF/ }).click()
    expect((await readFile(await (await saved).path())).subarray(0, 5).toString()).toBe('%PDF-')
    await month.getByRole('link', { name: /^\w+ \d{4} so far$/ }).click()
    await page.waitForURL('**/portal/statement?view=months&month=*')
    await page.getByRole('row').filter({ hasText: 'Not closed yet' }).getByText(held).waitFor()
    await page.getByRole('button', { name: 'Show as table' }).click()
    await page.getByRole('button', { name: 'Show as chart' }).waitFor()
    expect(visitor.takeProblems()).toEqual([])
  })

  it.each([1280, 1000])(
    'has tables of months and days that add up at %d px, from opening to closing',
    async (width) => {
      const { page } = visitor
      const month = new Date(Date.now() + 8 * 3_600_000).toISOString().slice(0, 'yyyy-MM'.length)
      await page.setViewportSize({ width, height: 900 })
      for (const view of ['months', `months&month=${month}`]) {
        await visitor.go(`/portal/statement?view=${view}`)
        const row = page.locator('table.fold tbody tr').first()
        await row.waitFor()
        const cells = await row.locator('td.sum-cell:visible').allInnerTexts()
        const sums = cells.map((text) => Number(text.replaceAll(',', '').replace('−', '-').replace('–', '0')))
        expect(sums.length, view).toBeGreaterThanOrEqual(6)
        expect(sums.slice(0, -1).reduce((sum, each) => sum + each, 0)).toBeCloseTo(
          sums.at(-1) ?? Number.NaN,
          4,
        )
        expect(await excessWidth(visitor)).toBe(0)
      }
      await page.setViewportSize({ width: 1440, height: 900 })
      expect(visitor.takeProblems()).toEqual([])
    },
  )

  it("compares a reseller's own file, and gives the differences as a file that runs nothing", async () => {
    const { page } = visitor
    const { refid } = await payer.untilStatus(reload(), 'Succesful')
    await visitor.go('/portal/reconciliation')
    await page.getByRole('button', { name: 'Compare' }).click()
    await page.getByText('Choose your file').waitFor()
    const theirs = `refid,amount\n${refid},11.00\n=1+1,5.00\n${RUNS_CODE},5.00\n`
    await page.getByLabel('CSV file').setInputFiles({
      name: 'theirs.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(theirs),
    })
    await page.getByRole('button', { name: 'Compare' }).click()
    await rowOf(refid).getByText('Other amount').waitFor()
    await rowOf(RUNS_CODE).getByText('Not here').waitFor()
    await expectAccessible(visitor)
    await page.getByRole('button', { name: /^Not here/ }).click()
    await expect.poll(() => page.locator('tbody tr').count()).toBe(2)
    const saved = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download differences' }).click()
    const lines = (await readFile(await (await saved).path(), 'utf8')).trim().split('\r\n')
    expect(lines[0]).toBe('kind,cause,line,refid,transaction_id,theirs,ours,detail')
    expect(lines.some((line) => line.startsWith("missing_here,never_received,3,'=1+1,"))).toBe(true)
    expect(visitor.takeProblems()).toEqual([])
  })

  it('shows hostile names, remarks, supplier answers and refids as text, in list, page and palette', async () => {
    const { page } = visitor
    const refid = `${newRefid().slice(0, 16)}${RUNS_CODE}`
    const { transaction_id: id } = await payer.untilStatus(reload({ refid }), 'Succesful')
    const client = new pg.Client({ connectionString: service.environment.DATABASE_URL })
    await client.connect()
    // Answers of a supplier are stored as they came.
    await client.query(
      'update payments set product_name = $2, remarks = $2, serial_number = $2, note = $3 where id = $1',
      [id, RUNS_CODE, 'javascript:alert(1)'],
    )
    await client.end()
    await visitor.go(`/portal/payments?refid=${encodeURIComponent(refid)}`)
    await rowOf(refid).getByText(RUNS_CODE).first().waitFor()
    await rowOf(refid).click()
    await page.getByText('javascript:alert(1)').first().waitFor()
    await page.getByRole('list', { name: 'Timeline' }).getByText(RUNS_CODE).waitFor()
    expect(await page.locator('a[href^="javascript" i], img').count()).toBe(0)
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search or jump to' }).fill(refid)
    await page.getByRole('option').getByText(refid).waitFor()
    expect(await page.locator('img').count()).toBe(0)
    await page.keyboard.press('Escape')
    expect(visitor.takeProblems()).toEqual([])
  })

  it('is accessible in Malay, complete, and fits wide and narrow screens, light and dark', async () => {
    const { transaction_id: id } = await payer.pay(reload())
    await member.send('POST', '/cases/disputes', { trxid: id })
    const { data: cases } = (await member.get('/cases')).json<{ data: { number: string }[] }>()
    const titles = {
      '/portal/payments': 'Bayaran',
      [`/portal/payments/${id}`]: 'MYR',
      '/portal/reports': 'Laporan',
      '/portal/reports?by=seller': 'Laporan',
      '/portal/statement': 'Penyata',
      '/portal/statement?view=months': 'Penyata',
      '/portal/reconciliation': 'Penyesuaian',
      '/portal/cases': 'Kes',
      [`/portal/cases/${cases[0]?.number}`]: 'C-',
    }
    const reader = await openVisitor(service, { language: 'ms' })
    await reader.letIn(member)
    for (const [path, title] of Object.entries(titles)) {
      await reader.go(path)
      await reader.page.locator('h1', { hasText: title }).waitFor()
      await reader.settle()
      for (const look of LOOKS) {
        await lookAt(reader, look)
        await expectAccessible(reader)
        expect([path, look, await excessWidth(reader)]).toEqual([path, look, 0])
      }
    }
    expect(reader.takeProblems()).toEqual([])
    await reader.close()
  })

  it('says that the service is away, and goes on by itself when it is back', async () => {
    const { page } = visitor
    await visitor.go('/portal/payments')
    await page.getByText('Live', { exact: true }).waitFor()
    await page.evaluate('window.isFirstLoad = true')
    await service.stop()
    const banner = page.getByText('The connection to the service is interrupted.')
    await banner.waitFor()
    service = await startAgain(service)
    await banner.waitFor({ state: 'detached', timeout: 60_000 })
    const body = reload()
    await payer.pay(body)
    await rowOf(String(body.refid)).waitFor()
    expect(await page.evaluate('window.isFirstLoad')).toBe(true)
    const unexpected = visitor
      .takeProblems()
      .filter((text) => !/net::ERR_|Failed to load resource/.test(text))
    expect(unexpected).toEqual([])
  })
})

/** Starts the service at its former address, where the open pages look for it. */
function startAgain({ environment, dataDir, baseUrl }: Service): Promise<Service> {
  const own = Object.entries(environment).filter(([name]) => /^(WARUNG_|DATABASE_URL$)/.test(name))
  const { port } = new URL(baseUrl)
  return openService({
    dataDir,
    environment: { ...Object.fromEntries(own), WARUNG_PORT: port } as Record<string, string>,
  })
}
