import { writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, it } from 'vitest'
import { createOrder } from '../checkout/api-client.ts'
import { pagePath } from '../checkout/customers.ts'
import type { Visitor } from '../dashboard/browser.ts'
import { openVisitor } from '../dashboard/browser.ts'
import { credentialsOf } from '../http.ts'
import { signIn, signInOperator } from '../portal/people.ts'
import type { DemoReseller, Service } from '../service.ts'
import { startService, stopServices, until } from '../service.ts'

// Body of `npm run pictures`: docs/screens as a visitor of the demo sees the portal, the console and the checkout.

const SCREENS = fileURLToPath(new URL('../../../../docs/screens/', import.meta.url))
const WIDTH = 1280
const HEIGHT = 800
/** The page of the checkout is short. */
const CHECKOUT_HEIGHT = 640

let service: Service
let shop: DemoReseller

beforeAll(async () => {
  service = await startService({ environment: { WARUNG_DEMO: 'all' } })
  const { shop: found } = service.demo
  if (found === undefined) throw new Error('the demo has no shop')
  shop = found
})
afterAll(stopServices)

async function picture(
  name: string,
  open: (visitor: Visitor) => Promise<void>,
  height = HEIGHT,
): Promise<void> {
  for (const theme of ['light', 'dark'] as const) {
    const visitor = await openVisitor(service, { width: WIDTH, theme })
    try {
      await visitor.page.setViewportSize({ width: WIDTH, height })
      await open(visitor)
      const screen = await visitor.page.screenshot({ animations: 'disabled', caret: 'hide' })
      await writeFile(`${SCREENS}${name}-${theme}.png`, screen)
    } finally {
      await visitor.close()
    }
  }
}

it('pictures the portal', async () => {
  const member = await signIn(service, 'portal', { username: shop.username, password: shop.password })
  await picture('portal', async (visitor) => {
    await visitor.letIn(member)
    await visitor.go('/portal')
    await visitor.settle()
  })
})

it('pictures the console', async () => {
  const operator = await signInOperator(service)
  const read = async <T>(path: string) => (await operator.get(path)).json<{ data: T[] }>().data
  await operator.send('POST', '/ledger/proofs', { reason: 'Every morning' })
  await until('the stuck payment is an alert', async () =>
    (await read<{ kind: string }>('/alerts')).some(({ kind }) => kind === 'payments_stuck'),
  )
  await until('the ledger is proved', async () =>
    (await read<{ finished_at: string | null }>('/ledger/proofs')).some(({ finished_at: at }) => at !== null),
  )
  await picture('console', async (visitor) => {
    await visitor.letIn(operator)
    await visitor.go('/operator')
    await visitor.settle()
  })
})

it('pictures the checkout', async () => {
  const seller = { baseUrl: service.baseUrl, credentials: credentialsOf(shop) }
  const fill = async ({ page }: Visitor) => {
    await page.goto(pagePath(await createOrder(seller)))
    await page.getByRole('button', { name: /^Kita Prepaid/ }).click()
    await page.getByLabel('Mobile number', { exact: true }).fill('60123456789')
    await page.getByLabel('Amount', { exact: true }).fill('20')
    await page.getByRole('button', { name: /^Add to basket, RM/ }).click()
    await page.getByRole('button', { name: 'Add another product' }).click()
    await page.getByRole('heading', { name: 'Choose a product' }).waitFor()
    await page.getByRole('button', { name: /^Continue to payment, RM/ }).waitFor()
    // Nothing is marked as if somebody pointed at it.
    await page.mouse.move(0, 0)
  }
  await picture('checkout', fill, CHECKOUT_HEIGHT)
})
