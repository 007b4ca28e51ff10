import { readWithin } from '../../../db/bounded.ts'
import type { Database } from '../../../db/database.ts'
import { RequestError } from '../../../lib/errors.ts'
import { parseId } from '../../../lib/input/ids.ts'
import { findNamed } from '../../../lib/input/named.ts'
import type { LivePlans, NumberPlans } from '../../../lib/numbers/plans.ts'
import { searchResellers } from '../../accounts/public.sql.ts'
import type { Reseller } from '../../accounts/types.ts'
import type { OperatorCase } from '../../cases/operators.service.ts'
import { getAnyCase } from '../../cases/operators.service.ts'
import type { Catalog } from '../../catalog/model/store.types.ts'
import { parseReference } from '../../payments/core/schedule.rules.ts'
import type { FoundPayment, PaymentSearch } from '../../payments/read/search.service.ts'
import { findPayments } from '../../payments/read/search.service.ts'
import { listConnections } from '../../providers/connections/connections.service.ts'
import type { OperatorCaller } from '../../sessions/people/types.ts'
import type { Permission } from '../kit/roles.rules.ts'
import { mayDo } from '../kit/roles.rules.ts'

export type SearchContext = {
  readonly database: Database
  readonly catalog: Pick<Catalog, 'base'>
  /** Plans by which numbers are read. */
  readonly numbers: LivePlans
}

export type Coded = { readonly code: string; readonly name: string }

/** Everything that was found; what the caller may not read is empty. */
export type FoundAnywhere = {
  readonly payments: readonly FoundPayment[]
  readonly resellers: readonly Reseller[]
  readonly products: readonly Coded[]
  readonly providers: readonly Coded[]
  readonly cases: readonly OperatorCase[]
}

const FOUND_MAX = 8
const TIMEOUT_MS = 4_000

/** Finds what somebody types into the search of the back office, as far as their role may read it. */
export async function searchEverything(
  { database, catalog, numbers }: SearchContext,
  { role }: Pick<OperatorCaller, 'role'>,
  text: string,
): Promise<FoundAnywhere> {
  const allowed = async <T>(permission: Permission, read: () => Promise<readonly T[]>) =>
    mayDo(role, permission) ? read() : []
  return {
    payments: await allowed('payments.read', () => paymentsLike(database, text, numbers.current)),
    resellers: await allowed('resellers.read', () =>
      searchResellers(database, {
        search: text,
        status: null,
        priceLevel: null,
        cursor: null,
        limit: FOUND_MAX,
      }),
    ),
    products: await allowed('catalogue.read', async () =>
      findNamed(catalog.base().products, text, FOUND_MAX),
    ),
    providers: await allowed('providers.read', async () =>
      findNamed(await listConnections(database), text, FOUND_MAX),
    ),
    cases: await allowed('cases.read', () => caseWith(database, text)),
  }
}

const ANY: PaymentSearch = {
  id: null,
  refid: null,
  customer: null,
  account: null,
  product: null,
  provider: null,
  serialNumber: null,
  state: null,
  days: null,
  beforeId: null,
  limit: FOUND_MAX,
}

/**
 * Finds payments by our id or the reference that a provider knows; else by the reseller's own refid, and by the customer,
 * however the number is written.
 */
function paymentsLike(database: Database, text: string, plans: NumberPlans): Promise<FoundPayment[]> {
  const id = parseReference(text)?.paymentId ?? parseId(text)
  return readWithin(database, TIMEOUT_MS, async (tx) => {
    const byId = id === undefined ? [] : await findPayments(tx, { ...ANY, id })
    if (byId.length > 0) return byId
    const byRefid = await findPayments(tx, { ...ANY, refid: text })
    const byCustomer = await findPayments(tx, { ...ANY, customer: text }, plans)
    const found = new Map([...byRefid, ...byCustomer].map((payment) => [payment.id, payment]))
    return [...found.values()].slice(0, FOUND_MAX)
  })
}

async function caseWith(database: Database, text: string): Promise<OperatorCase[]> {
  const number = text.toUpperCase()
  if (!number.startsWith('C-')) return []
  try {
    const { case: found, account } = await getAnyCase({ database }, number)
    return [{ ...found, account }]
  } catch (error) {
    if (error instanceof RequestError && error.status === 404) return []
    throw error
  }
}
