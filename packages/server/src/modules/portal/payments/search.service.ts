import { readWithin } from '../../../db/bounded.ts'
import { dayOf } from '../../../lib/dates.ts'
import { RequestError } from '../../../lib/errors.ts'
import type { Named } from '../../../lib/input/named.ts'
import { findNamed } from '../../../lib/input/named.ts'
import { memberMay } from '../../accounts/members.rules.ts'
import type { Case } from '../../cases/types.ts'
import { listFavourites } from '../../counter/service.ts'
import { findByParts } from '../../payments/find/service.ts'
import type { PaymentSummary } from '../../payments/read/summaries.service.ts'
import { findSummaries, listSummaries } from '../../payments/read/summaries.service.ts'
import type { MemberCaller } from '../../sessions/people/types.ts'
import { maySee, resellerOf, seesSecrets } from '../access/access.service.ts'
import type { PortalSettings } from '../access/types.ts'

export type Found = {
  readonly payments: readonly PaymentSummary[]
  readonly products: readonly Named[]
  readonly cases: readonly Case[]
}

const FOUND_MAX = 8
const TIMEOUT_MS = 3_000
/** Days in which payments of favourites are looked for; an index leads to them. */
const NUMBER_DAYS = 400
/** Favourites of which one name may be a part. */
const FAVOURITES_MEANT = 3

/** Finds what somebody types into the search of the portal. */
export async function searchPortal(
  settings: PortalSettings,
  caller: MemberCaller,
  text: string,
): Promise<Found> {
  const { id } = caller.reseller
  const payments = await searchPayments(settings, caller, text, FOUND_MAX)
  const meant = payments.find((each) => each.refid === text || String(each.id) === text)
  return {
    payments,
    products: findProducts(settings, caller, text),
    cases: memberMay(caller, 'cases.read') ? await findCases(settings, id, text, meant) : [],
  }
}

/**
 * Finds payments: by refid and id first, then of the number, however it is written, then of favourites with the name, then
 * by parts of number, serial and PIN, and by the amount.
 */
export async function searchPayments(
  settings: PortalSettings,
  caller: MemberCaller,
  text: string,
  limit: number,
): Promise<readonly PaymentSummary[]> {
  const { database, payments } = settings
  const { id: resellerId } = caller.reseller
  const found = new Map<bigint, PaymentSummary>()
  const add = (more: readonly PaymentSummary[]) => {
    for (const each of more) {
      if (found.size < limit && !found.has(each.id) && maySee(caller, each)) found.set(each.id, each)
    }
  }
  const nowMs = settings.now().getTime()
  const query = { resellerId, text, plans: settings.numbers.current, nowMs }
  add(await readWithin(database, TIMEOUT_MS, (tx) => findSummaries(tx, query, limit)))
  const today = dayOf(nowMs)
  const days = { from: today - NUMBER_DAYS + 1, to: today }
  for (const { account, productCode } of await favouritesNamed(settings, caller, text)) {
    if (found.size >= limit) break
    const filter = { days, statuses: [], account, product: productCode }
    add((await payments.list(resellerId, filter, { before: null, limit })).payments)
  }
  if (found.size >= limit) return [...found.values()]
  const seesPins = seesSecrets(caller)
  const finding = { resellerId, text, seesPins, now: settings.now(), limit }
  const ids = (await findByParts(settings, finding)).filter((id) => !found.has(id))
  const parts = await listSummaries(database, resellerId, ids)
  const byId = new Map(parts.map((each) => [each.id, each]))
  add(ids.flatMap((id) => byId.get(id) ?? []))
  return [...found.values()]
}

async function favouritesNamed(
  { database }: PortalSettings,
  { reseller, userId }: MemberCaller,
  text: string,
) {
  const wanted = text.toLowerCase()
  const named = (await listFavourites(database, reseller.id, userId)).filter(({ name }) =>
    name.toLowerCase().includes(wanted),
  )
  return named.slice(0, FAVOURITES_MEANT)
}

function findCases(
  settings: PortalSettings,
  resellerId: bigint,
  text: string,
  meant: PaymentSummary | undefined,
): Promise<Case[]> {
  return meant === undefined ? findCase(settings, resellerId, text) : casesOf(settings, resellerId, meant)
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
