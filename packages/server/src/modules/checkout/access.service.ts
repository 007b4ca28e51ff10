import { isOwnOrigin, originOf, readableBy } from '../../http/cross-origin.ts'
import type { Authenticate, Authenticated, IncomingRequest } from '../../http/operation.ts'
import { unavailable } from '../../lib/errors.ts'
import { parseQuery } from '../../lib/input/forms.ts'
import { DIRECTORY_STALE_MS } from '../accounts/directory.ts'
import type { Directory, DirectoryReseller } from '../accounts/types.ts'
import { orderProblem } from '../orders/core/problems.rules.ts'
import type { CustomerOrders } from '../orders/core/service.ts'
import type { CheckoutSettingsStore } from '../orders/settings/service.ts'
import type { OrderLimits } from './limits.service.ts'
import { proofOf } from './limits.service.ts'
import { checkoutProblem } from './problems.rules.ts'
import { readClaim } from './token.rules.ts'
import type { Customer, CustomerAtOrder } from './types.ts'

export type CustomerAccessSettings = {
  readonly orders: Pick<CustomerOrders, 'findByToken' | 'readForCustomer'>
  readonly settings: Pick<CheckoutSettingsStore, 'settingsOf'>
  readonly directory: Pick<Directory, 'ageMs' | 'findReseller'>
  readonly limits: OrderLimits
  /** Own address of the service, whose pages may always call. */
  readonly baseUrl: () => string
}

/** Headers of every answer: it is one customer's own, and its address names the order. */
const PRIVATE_HEADERS = { 'Referrer-Policy': 'no-referrer' }

/**
 * Headers of answers to requests whose customer and origin are not proven. Such answers refuse, and tell nothing of any
 * order: pages of every site may read them, so that the developer of a site sees why it was refused.
 */
export const REFUSAL_HEADERS = { ...PRIVATE_HEADERS, ...readableBy('*') }

/**
 * Proves the holder of an order's token. A missing order, a wrong token and the token of another order look the same.
 * The steps are in the order of their cost: a flood of a proven customer ends before the database is asked.
 */
export function createCustomerAuthenticator(access: CustomerAccessSettings): Authenticate<Customer> {
  const { orders, settings, limits } = access
  return async (request) => {
    const claim = readClaim(request.params?.order_id, request.headers.authorization)
    if (claim === undefined) throw orderProblem('order_not_found')
    const { code, token } = claim
    const proof = proofOf(claim)
    limits.refuseFlood(proof)
    const key = await orders.findByToken(code, token)
    if (key === undefined) throw orderProblem('order_not_found')
    limits.spend(proof, 'requests')
    const reseller = resellerOf(access, key.resellerId)
    const found = await settings.settingsOf(key.resellerId)
    return {
      caller: {
        key,
        reseller,
        settings: found,
        spend: (kind, more) => limits.spend(proof, kind, more),
      },
      query: parseQuery(request.rawQuery),
      headers: headersFor(request, found.allowedOrigins, access.baseUrl()),
      logFields: { reseller: reseller.account, order: code },
    }
  }
}

/** Returns the headers of the answers. It refuses a page of a site that the account does not name. */
function headersFor(request: IncomingRequest, allowed: readonly string[], baseUrl: string) {
  const origin = originOf(request)
  if (origin === undefined) return { ...PRIVATE_HEADERS, Vary: 'Origin' }
  if (!isOwnOrigin(request, baseUrl) && !allowed.includes(origin)) {
    throw checkoutProblem('origin_not_allowed')
  }
  return { ...PRIVATE_HEADERS, ...readableBy(origin) }
}

function resellerOf(
  { directory }: Pick<CustomerAccessSettings, 'directory'>,
  resellerId: bigint,
): DirectoryReseller {
  const ageMs = directory.ageMs()
  if (ageMs > DIRECTORY_STALE_MS) {
    throw unavailable('directory_stale', `the directory is ${Math.round(ageMs)} ms old`)
  }
  const reseller = directory.findReseller(resellerId)
  if (reseller === undefined)
    throw unavailable('directory_stale', 'the directory does not have the account yet')
  return reseller
}

/** Proves a customer and reads the order. */
export function atOrder(
  authenticate: Authenticate<Customer>,
  orders: Pick<CustomerOrders, 'readForCustomer'>,
): Authenticate<CustomerAtOrder> {
  return async (request): Promise<Authenticated<CustomerAtOrder>> => {
    const authenticated = await authenticate(request)
    const { caller } = authenticated
    return { ...authenticated, caller: { ...caller, read: await orders.readForCustomer(caller.key) } }
  }
}
