import { readWithin } from '../../../db/bounded.ts'
import { RequestError } from '../../../lib/errors.ts'
import type { Named } from '../../../lib/input/named.ts'
import { findNamed } from '../../../lib/input/named.ts'
import type { Case } from '../../cases/types.ts'
import type { PaymentSummary } from '../../payments/read/summaries.service.ts'
import { findSummaries } from '../../payments/read/summaries.service.ts'
import type { MemberCaller } from '../../sessions/people/types.ts'
import { resellerOf } from '../access/access.service.ts'
import type { PortalSettings } from '../access/types.ts'

export type Found = {
  readonly payments: readonly PaymentSummary[]
  readonly products: readonly Named[]
  readonly cases: readonly Case[]
}

const FOUND_MAX = 8
const TIMEOUT_MS = 3_000

/** Finds what somebody types into the search of the portal. */
export async function searchPortal(
  settings: PortalSettings,
  caller: MemberCaller,
  text: string,
): Promise<Found> {
  const { id } = caller.reseller
  const query = { resellerId: id, text, plans: settings.numbers.current, nowMs: settings.now().getTime() }
  const payments = await readWithin(settings.database, TIMEOUT_MS, (tx) =>
    findSummaries(tx, query, FOUND_MAX),
  )
  const meant = payments.find((each) => each.refid === text || String(each.id) === text)
  return {
    payments,
    products: findProducts(settings, caller, text),
    cases: meant === undefined ? await findCase(settings, id, text) : await casesOf(settings, id, meant),
  }
}

function findProducts(settings: PortalSettings, caller: MemberCaller, text: string): Named[] {
  const sold = [...settings.catalog.snapshotFor(resellerOf(settings, caller)).products.values()]
    .filter((each) => each.isActive && !each.product.isHidden)
    .map(({ product: { code }, name }) => ({ code, name }))
  return findNamed(sold, text, FOUND_MAX)
}

async function casesOf(
  { cases }: PortalSettings,
  resellerId: bigint,
  payment: PaymentSummary,
): Promise<Case[]> {
  return (await cases.listOfPayment(resellerId, payment.id)).slice(0, FOUND_MAX)
}

async function findCase({ cases }: PortalSettings, resellerId: bigint, text: string): Promise<Case[]> {
  const number = text.toUpperCase()
  if (!number.startsWith('C-')) return []
  try {
    return [(await cases.get(resellerId, number)).case]
  } catch (error) {
    if (error instanceof RequestError && error.status === 404) return []
    throw error
  }
}
