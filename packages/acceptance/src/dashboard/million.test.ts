import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Demo } from '../catalog.ts'
import { startDemo } from '../catalog.ts'
import type { Shop } from '../portal/members.ts'
import { openShop } from '../portal/members.ts'
import { signInOperator } from '../portal/people.ts'
import type { Visitor } from './browser.ts'
import { hasBrowser, openVisitor } from './browser.ts'
import type { PastPayment } from './million.ts'
import { DAYS, dayAgo, MILLION, pageOf, pastPayment, writeMillion } from './million.ts'

/** Part of the million that the whole journey may read; one read of all of it would be more. */
const READ_MAX = MILLION / 2
/** Time for writing the payments: most of a minute, and several on a busy machine. */
const WRITTEN_MS_MAX = 600_000
/** Days before today that operators search when they name none. */
const SEARCHED_DAYS = 30

describe.runIf(hasBrowser())('a list of a million payments in a browser', () => {
  let demo: Demo
  let shop: Shop
  let client: pg.Client
  let visitor: Visitor

  beforeAll(async () => {
    demo = await startDemo()
    shop = await openShop(demo.service, null)
    client = new pg.Client({ connectionString: demo.service.environment.DATABASE_URL })
    await client.connect()
    await writeMillion(client, shop.payer.account)
    visitor = await openVisitor(demo.service)
    await visitor.letIn(shop.admin)
  }, WRITTEN_MS_MAX)
  afterAll(async () => {
    await visitor?.close()
    await client?.end()
    await demo?.end()
  })

  const isRefunded = ({ status }: PastPayment) => status === 'refunded'
  const isFailedKita = ({ status, product }: PastPayment) => status === 'failed' && product === 'KITA'
  const totals = () => visitor.page.getByLabel('Totals of all pages')
  const refids = () => visitor.page.locator('tbody .refid').allTextContents()

  it('is summed up, filtered by days, state and product, and paged to the right rows', async () => {
    const { page } = visitor
    await visitor.go('/portal/payments')
    await page.getByLabel('From', { exact: true }).fill(dayAgo(DAYS))
    await totals().getByText(MILLION.toLocaleString('en'), { exact: true }).waitFor()
    expect(await refids()).toEqual(pageOf(() => true))

    await page.getByRole('button', { name: 'Refunded' }).click()
    await expect.poll(refids).toEqual(pageOf(isRefunded))
    await totals().getByText('20', { exact: true }).first().waitFor()

    await page.getByRole('button', { name: 'Failed' }).click()
    await page.getByLabel('Product').selectOption({ label: 'Kita Prepaid' })
    await expect.poll(refids).toEqual(pageOf(isFailedKita))
    for (const offset of [50, 100]) {
      await page.getByRole('button', { name: 'Older' }).click()
      await expect.poll(refids).toEqual(pageOf(isFailedKita, offset))
    }
    await page.getByRole('button', { name: 'Newer' }).click()
    await expect.poll(refids).toEqual(pageOf(isFailedKita, 50))

    await page.getByLabel('To', { exact: true }).fill(dayAgo(200))
    await expect.poll(refids).toEqual(pageOf((each) => isFailedKita(each) && each.daysAgo >= 200))
    expect(visitor.takeProblems()).toEqual([])
  })

  it('leads to one payment by its account and by its refid', async () => {
    const { page } = visitor
    await visitor.go(`/portal/payments?from=${dayAgo(DAYS)}`)
    await page.getByLabel('Account', { exact: true }).fill(pastPayment(123_456).account)
    await page.keyboard.press('Enter')
    await expect.poll(refids).toEqual(['past-123456'])
    await page.locator('tbody tr').click()
    await page.waitForURL('**/portal/payments/*')
    await page.getByText('past-123456').first().waitFor()
    await visitor.go('/portal/payments')
    await page.getByLabel('Number, serial, refid or amount').fill('past-654321')
    await page.keyboard.press('Enter')
    await expect.poll(refids).toEqual(['past-654321'])
    expect(visitor.takeProblems()).toEqual([])
  })

  it('is searched by operators, who find the rare ones too', async () => {
    const operator = await openVisitor(demo.service)
    await operator.letIn(await signInOperator(demo.service))
    await operator.go(`/operator/payments?account=${shop.payer.account}&state=voided`)
    const found = pageOf((each) => isRefunded(each) && each.daysAgo <= SEARCHED_DAYS)
    expect(found.length).toBeGreaterThan(0)
    await expect.poll(() => operator.page.locator('tbody tr').count()).toBe(found.length)
    await operator.go('/operator/payments?refid=past-3')
    await operator.page.getByRole('row').filter({ hasText: 'past-3' }).waitFor()
    await operator.go('/operator')
    await operator.page.getByRole('heading', { name: 'Overview' }).waitFor()
    expect(operator.takeProblems()).toEqual([])
    await operator.close()
  })

  it('is never read as a whole by any of it', async () => {
    // A connection reports what it read when it ends.
    await demo.service.stop()
    const { rows } = await client.query<{ whole: string; read: string }>(
      `select seq_scan::text as whole, idx_tup_fetch::text as read from pg_stat_user_tables
        where relname = 'payments'`,
    )
    expect(rows).toMatchObject([{ whole: '0' }])
    expect(Number(rows[0]?.read)).toBeGreaterThan(0)
    expect(Number(rows[0]?.read)).toBeLessThan(READ_MAX)
  })
})
