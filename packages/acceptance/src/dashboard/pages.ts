import { readFileSync } from 'node:fs'
import { reloadOrder } from '../checkout-orders.ts'
import { hireOperator } from '../operator/operators.ts'
import { newRefid, reload } from '../payments.ts'
import type { Shop } from '../portal/members.ts'
import { dataOf, openShop } from '../portal/members.ts'
import type { Browser, Side } from '../portal/people.ts'
import { signIn, signInOperator } from '../portal/people.ts'
import { slipOf } from '../portal/slips.ts'
import { at, newTill } from '../portal/tills.ts'
import type { Service } from '../service.ts'
import { until } from '../service.ts'

// All pages of the dashboard, as its build lists them, and a shop that has something to show on each.

/** Paths by entry, with `:name` for each parameter. */
export const PAGES = JSON.parse(
  readFileSync(new URL('../../../web/dist/pages.json', import.meta.url), 'utf8'),
) as Readonly<Record<Side, readonly string[]>>

/** Page of a provider, which administration.test.ts looks at. */
export const PROVIDER_PAGE = '/operator/providers/:code'

/** Pages that are shown without signing in. */
export const IS_PUBLIC = /\/(sign-in|forgot|reset-password|invitation)$/

export function signedInPages(side: Side): readonly string[] {
  return PAGES[side].filter((path) => !IS_PUBLIC.test(path))
}

/** Values of the parameters in the paths of one entry; `roomOf` says under which name. */
export type Examples = Readonly<Record<string, string>>

/** Fills the parameters of a path. Fails for a page without an example: it would never be looked at. */
export function filledPath(path: string, examples: Examples): string {
  return path.replace(/:(\w+)/g, (_, name: string) => {
    const value = examples[`${roomOf(path)} ${name}`]
    if (value === undefined) throw new Error(`${path} has no example of ${roomOf(path)} ${name}`)
    return value
  })
}

/** Returns the last word before the parameters: `code` is another thing for products, levels and providers. */
function roomOf(path: string): string {
  return path.split('/:')[0]?.split('/').at(-1) ?? ''
}

export type FurnishedShop = Shop & {
  /** Operator who may do everything. */
  readonly operator: Browser
  readonly examples: Readonly<Record<Side, Examples>>
}

/** Account whose payment the supplier never answers. */
export const NEVER_ANSWERS = '60123453003'

/**
 * Opens a shop with payments in several states, a case, a reported transfer, an order of the checkout and a request that
 * waits for approval.
 */
export async function openFurnishedShop(service: Service): Promise<FurnishedShop> {
  const shop = await openShop(service, '2000')
  const operator = await signInOperator(service)
  const { transaction_id: payment } = await shop.payer.untilStatus(reload(), 'Succesful')
  await shop.payer.send(reload({ account: '60123452000' }))
  await shop.payer.send(reload({ account: NEVER_ANSWERS, product: 'KITA', amount: 50 }))
  await shop.payer.send({ refid: newRefid(), product: 'PINTEN', account: 'Ali', amount: 10 })
  await shop.admin.send('POST', '/cases/disputes', { trxid: payment })
  const [opened] = dataOf<{ number: string }[]>(await shop.admin.get('/cases'))
  const deposit = dataOf<{ id: string }>(
    await shop.admin.send('POST', '/deposit-requests', slipOf(newRefid())),
  )
  const order = dataOf<{ order_id: string }>(await shop.admin.send('POST', '/orders', reloadOrder()))
  const request = await until('the request log has a line', async () => {
    const [line] = dataOf<{ id: string }[]>(await shop.admin.get('/request-log?limit=1'))
    return line?.id
  })
  const till = await newTill(shop.admin)
  const shift = dataOf<{ id: string }>(
    await shop.admin.send('POST', '/shifts', { float: '50.00' }, at(till, shop.admin)),
  )
  await shop.admin.send('POST', `/shifts/${shift.id}/close`, { counted: '49.50' })
  const { account } = shop.payer
  const portal = {
    'payments id': payment,
    'sell product': 'NOVA',
    'cases number': opened?.number ?? '',
    'webhooks stream': 'callback',
    'requests id': request,
    'orders id': order.order_id,
    'shifts id': shift.id,
  }
  const ofOperators = {
    'payments id': payment,
    'approvals id': await askForDeposit(service, account),
    'cases number': opened?.number ?? '',
    'resellers account': account,
    'deposits id': deposit.id,
    'products code': 'NOVA',
    'levels code': 'STANDARD',
    'deliveries account': account,
    'deliveries stream': 'callback',
  }
  return { ...shop, operator, examples: { portal, operator: ofOperators } }
}

/** Returns the id of a deposit that waits for a second person. */
async function askForDeposit(service: Service, account: string): Promise<string> {
  const finance = await signIn(service, 'operator', await hireOperator(service, 'finance'))
  const body = { account, amount: '25.00', remarks: 'cash', reason: 'counted it' }
  return dataOf<{ id: string }>(await finance.send('POST', '/deposits', body)).id
}
