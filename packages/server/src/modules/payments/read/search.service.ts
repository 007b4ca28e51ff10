import type { Database, Queryable, Tx } from '../../../db/database.ts'
import type { Vault } from '../../../db/vault.ts'
import type { DayRange } from '../../../lib/dates.ts'
import type { Amount } from '../../../lib/money.ts'
import type { NumberPlans } from '../../../lib/numbers/plans.ts'
import type { ResellerNames } from '../../accounts/public.sql.ts'
import { findReseller, listResellerNames } from '../../accounts/public.sql.ts'
import { listResellers } from '../../accounts/service.ts'
import { customersOf } from '../../catalog/model/accounts.rules.ts'
import { isFinal, stateOf } from '../core/states.rules.ts'
import type { PaymentCode } from '../core/types.ts'
import type { PaymentReport } from '../support/support.service.ts'
import { getPaymentReport } from '../support/support.service.ts'
import type { Status } from './history.rules.ts'
import { codeFilterOf, firstIdOf, possibleDays } from './history.rules.ts'
import type { FoundRow, SearchPath, SearchQuery } from './search.sql.ts'
import { listOverdue, searchPayments } from './search.sql.ts'

// Search of operators over the payments of all accounts.

/** `stuck` is pending and past the due time. */
export const SEARCH_STATES = ['pending', 'stuck', 'succeeded', 'failed', 'voided'] as const
export type SearchState = (typeof SEARCH_STATES)[number]

/** Search conditions; null: any. */
export type PaymentSearch = {
  readonly id: bigint | null
  readonly refid: string | null
  /** Account that was paid for: a phone number, a bill's account. */
  readonly customer: string | null
  /** Account number of the reseller. */
  readonly account: string | null
  readonly product: string | null
  readonly provider: string | null
  /** Number that the provider gave to the order. */
  readonly serialNumber: string | null
  readonly state: SearchState | null
  readonly days: DayRange | null
  readonly beforeId: bigint | null
  readonly limit: number
}

/** Payment without any field that is worth money by itself. */
export type FoundPayment = {
  readonly account: string
  readonly resellerName: string
  readonly id: bigint
  readonly refid: string
  readonly productCode: string
  readonly productName: string
  readonly customer: string
  readonly amount: Amount
  readonly faceValue: Amount
  readonly cost: Amount
  readonly code: PaymentCode
  readonly state: ReturnType<typeof stateOf>
  readonly remarks: string
  readonly provider: string
  readonly createdAt: Date
  readonly changedAt: Date
  /** Time since which it is past its due time; null: it has ended, or is still in time. */
  readonly stuckSince: Date | null
}

const STATUS_OF: Readonly<Record<SearchState, Status>> = {
  pending: 'PENDING',
  stuck: 'PENDING',
  succeeded: 'SUCCESSFUL',
  failed: 'FAILED',
  voided: 'REFUND',
}
const RESELLERS_PAGE = 1_000
const ID_MAX = 2n ** 63n - 1n

/** Finds payments, newest first. A reseller that does not exist has no payments. */
export async function findPayments(
  database: Tx,
  search: PaymentSearch,
  plans?: NumberPlans,
): Promise<FoundPayment[]> {
  const reseller = search.account === null ? undefined : await findReseller(database, search.account)
  if (search.account !== null && reseller === undefined) return []
  const range = rangeOf(search)
  if (range === undefined) return []
  const customers = search.customer === null ? null : customersOf(search.customer, plans)
  const query = {
    resellerId: reseller?.id ?? null,
    product: search.product,
    provider: search.provider,
    serialNumber: search.serialNumber,
    isOverdue: search.state === 'stuck',
    codes: codeFilterOf(search.state === null ? [] : [STATUS_OF[search.state]]),
    ...range,
    limit: search.limit,
  }
  const rows =
    search.refid !== null && search.id === null
      ? await findByRefid(database, search.refid, query)
      : await searchPayments(database, { ...query, way: searchPathOf(search, customers, query.resellerId) })
  const wanted = rows.filter((row) => isWanted(search, customers, row))
  const names = await listResellerNames(
    database,
    wanted.map((row) => row.reseller_id),
  )
  const overdue = await listOverdue(
    database,
    wanted.filter(({ code }) => !isFinal(code)),
  )
  return wanted.map((row) => toFound(row, names.get(row.reseller_id), overdue.get(row.id) ?? null))
}

function searchPathOf(
  { id, state }: PaymentSearch,
  customers: readonly string[] | null,
  resellerId: bigint | null,
): SearchPath {
  if (id !== null) return { by: 'id', id }
  if (customers !== null) return { by: 'account', accounts: customers }
  // Payments that are not final are also in the queue of work, which is short.
  if (state === 'pending' || state === 'stuck') return { by: 'pending' }
  return resellerId === null ? { by: 'time' } : { by: 'reseller', resellerId }
}

/** Finds payments by refid. Refids are unique per reseller only: one index lookup for each reseller. */
async function findByRefid(
  database: Queryable,
  refid: string,
  query: Omit<SearchQuery, 'way'>,
): Promise<FoundRow[]> {
  if (query.resellerId !== null) {
    return searchPayments(database, {
      ...query,
      way: { by: 'refid', resellerIds: [query.resellerId], refid },
    })
  }
  const found: FoundRow[] = []
  for (let after = 0n; ; ) {
    const resellers = await listResellers(database, { after, limit: RESELLERS_PAGE })
    const resellerIds = resellers.map(({ id }) => id)
    found.push(...(await searchPayments(database, { ...query, way: { by: 'refid', resellerIds, refid } })))
    const last = resellers.at(-1)
    if (last === undefined || resellers.length < RESELLERS_PAGE) break
    after = last.id
  }
  return found.sort((a, b) => (a.id < b.id ? 1 : -1)).slice(0, query.limit)
}

/** Checks the conditions that the way did not check: it leads to few payments then. */
function isWanted({ id, refid }: PaymentSearch, customers: readonly string[] | null, row: FoundRow): boolean {
  return (
    (id === null || row.id === id) &&
    (refid === null || row.refid === refid) &&
    (customers === null || customers.includes(row.customer))
  )
}

function rangeOf({ days, beforeId }: PaymentSearch): { fromId: bigint; untilId: bigint } | undefined {
  const possible = days === null ? undefined : possibleDays(days)
  if (days !== null && possible === undefined) return undefined
  const fromId = possible === undefined ? 0n : firstIdOf(possible.from)
  const endId = possible === undefined ? ID_MAX : firstIdOf(possible.to + 1)
  return { fromId, untilId: beforeId !== null && beforeId < endId ? beforeId : endId }
}

function toFound(row: FoundRow, names: ResellerNames | undefined, stuckSince: Date | null): FoundPayment {
  return {
    account: names?.account ?? '',
    resellerName: names?.name ?? '',
    id: row.id,
    refid: row.refid,
    productCode: row.product_code,
    productName: row.product_name,
    customer: row.account,
    amount: row.amount,
    faceValue: row.face_value,
    cost: row.cost,
    code: row.code,
    state: stateOf(row.code),
    remarks: row.failure ?? row.remarks,
    provider: row.provider,
    createdAt: row.created_at,
    changedAt: row.changed_at,
    stuckSince,
  }
}

export type AnyPaymentReport = PaymentReport & {
  readonly account: string
  readonly resellerName: string
  readonly resellerId: bigint
  readonly provider: string
  readonly stuckSince: Date | null
}

/** Finds a payment of any reseller, with its secrets masked; undefined: there is none. */
export async function findAnyPayment(
  settings: { database: Database; vault: Vault },
  id: bigint,
): Promise<AnyPaymentReport | undefined> {
  const range = { fromId: 0n, untilId: ID_MAX }
  const all = {
    resellerId: null,
    product: null,
    provider: null,
    serialNumber: null,
    isOverdue: false,
    codes: null,
    limit: 1,
  }
  const [row] = await searchPayments(settings.database, { ...all, ...range, way: { by: 'id', id } })
  if (row === undefined) return undefined
  const names = await listResellerNames(settings.database, [row.reseller_id])
  const reseller = names.get(row.reseller_id)
  const overdue = await listOverdue(settings.database, isFinal(row.code) ? [] : [row])
  return {
    ...(await getPaymentReport(settings, row.reseller_id, { id })),
    account: reseller?.account ?? '',
    resellerName: reseller?.name ?? '',
    resellerId: row.reseller_id,
    provider: row.provider,
    stuckSince: overdue.get(row.id) ?? null,
  }
}
