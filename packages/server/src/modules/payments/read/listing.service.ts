import { readWithin } from '../../../db/bounded.ts'
import type { Database, Queryable, Tx } from '../../../db/database.ts'
import type { Reader } from '../../../db/standby/reader.ts'
import type { Vault } from '../../../db/vault.ts'
import { withFreshKeys } from '../../../db/vault.ts'
import type { DayRange } from '../../../lib/dates.ts'
import type { Amount } from '../../../lib/money.ts'
import type { LivePlans, NumberPlans } from '../../../lib/numbers/plans.ts'
import type { SellerNames } from '../../accounts/public.sql.ts'
import { listSellerNames } from '../../accounts/public.sql.ts'
import { customersOf } from '../../catalog/model/accounts.rules.ts'
import { findPayment } from '../core/records.service.ts'
import { isFinal } from '../core/states.rules.ts'
import type { Payment, SellerKind } from '../core/types.ts'
import type { DaySum, Status } from './history.rules.ts'
import { codeFilterOf, matching, possibleDays, STATUSES, statusOf, totalsOf } from './history.rules.ts'
import { sumDays, sumDaysOfAccount, sumDaysOfMember } from './history.sql.ts'
import type { PaymentLine } from './lines.service.ts'
import { toLine } from './lines.service.ts'
import type { LineRow } from './lines.sql.ts'
import type { IdRange } from './listing.rules.ts'
import { rangeOfDays, rangesByDay, rangesOfSums } from './listing.rules.ts'
import type { ListingQuery } from './listing.sql.ts'
import { listPaymentsByRefids, listPaymentsInRanges } from './listing.sql.ts'

export const PAYMENT_STATUSES: readonly Status[] = STATUSES
export type PaymentStatus = Status

export type PaymentFilter = {
  readonly days: DayRange
  /** Statuses to show; empty: all. */
  readonly statuses: readonly PaymentStatus[]
  readonly account: string | null
  readonly product: string | null
  /** Id of the member who sold them; null and left out: anybody. */
  readonly member?: string | null
}

/** Payment in a list for the account's own users; its secrets are open. */
export type ListedPayment = PaymentLine & {
  readonly status: PaymentStatus
  readonly isFinal: boolean
  /** Name of the member, label of the key, or id of the order; null: not known. */
  readonly soldBy: string | null
}

export type PaymentPage = { readonly payments: readonly ListedPayment[]; readonly hasMore: boolean }

export type DayTotals = PaymentTotals & { readonly day: number }

export type PaymentTotals = {
  readonly counts: Readonly<Record<PaymentStatus, bigint>>
  /** Sum in ringgit over payments that succeeded or still may. */
  readonly faceValue: Amount
  readonly cost: Amount
}

export type PaymentListing = {
  /** Lists a page, newest first; `before`: only payments older than this one. */
  list(
    resellerId: bigint,
    filter: PaymentFilter,
    page: { readonly before: bigint | null; readonly limit: number },
  ): Promise<PaymentPage>
  /** Finds a payment by refid. There is at most one: refids are unique. */
  findByRefid(resellerId: bigint, refid: string): Promise<ListedPayment | undefined>
  /** Finds payments by their refids, in no order. Unknown ones are left out. */
  listByRefids(resellerId: bigint, refids: readonly string[]): Promise<readonly ListedPayment[]>
  /**
   * Yields all matching payments page by page. Each page is read when it is asked for, so that memory holds one page.
   */
  pages(resellerId: bigint, filter: PaymentFilter): AsyncGenerator<readonly ListedPayment[]>
  /** Sums everything that matches. */
  sum(resellerId: bigint, filter: PaymentFilter): Promise<PaymentTotals>
  /** Sums each day of the range, oldest first. */
  sumByDay(resellerId: bigint, days: DayRange): Promise<readonly DayTotals[]>
}

/**
 * Payments per page of an export: some milliseconds of work, so that other work waits no longer than that between two
 * pages.
 */
const EXPORT_PAGE = 250
/** Time limits of a page that a user waits for, and of a page of a file, which may scan more. */
const LIST_TIMEOUT_MS = 8_000
const EXPORT_TIMEOUT_MS = 20_000

type ListingSettings = {
  /** Answers what somebody may decide upon: whether a refid was used, and what became of it. */
  readonly database: Database
  /** Answers lists and sums; left out: the database does. */
  readonly reader?: Pick<Reader, 'transaction'>
  readonly vault: Vault
  readonly numbers?: LivePlans | undefined
}

export function createPaymentListing(settings: ListingSettings): PaymentListing {
  const { database, reader = database, vault, numbers } = settings
  return {
    async list(resellerId, filter, { before, limit }) {
      const rows = await readWithin(reader, LIST_TIMEOUT_MS, async (tx) => {
        const ranges = await rangesOf(tx, resellerId, filter, before, (sums) =>
          rangesOfSums(sums, before, limit + 1),
        )
        return listPaymentsInRanges(tx, queryOf(resellerId, filter, ranges, limit + 1, numbers?.current))
      })
      const found = await openRows(settings, resellerId, rows)
      return { payments: found.slice(0, limit), hasMore: found.length > limit }
    },
    async findByRefid(resellerId, refid) {
      const payment = await findPayment(database, vault, resellerId, refid)
      if (payment === undefined) return undefined
      const [line] = await named(database, resellerId, [
        { ...payment, ...statesOf(payment.code), billerCode: payment.extras.billerCode },
      ])
      return line
    },
    async listByRefids(resellerId, refids) {
      if (refids.length === 0) return []
      const rows = await readWithin(database, LIST_TIMEOUT_MS, (tx) =>
        listPaymentsByRefids(tx, resellerId, refids),
      )
      return openRows(settings, resellerId, rows)
    },
    pages: (resellerId, filter) => readPages(settings, resellerId, filter),
    async sum(resellerId, { days: wanted, statuses, account, product, member = null }) {
      const days = possibleDays(wanted)
      if (days === undefined) return totalsOf([])
      const accounts = account === null ? null : customersOf(account, numbers?.current)
      const sums = await readWithin(reader, LIST_TIMEOUT_MS, (tx) => {
        if (member !== null) return sumDaysOfMember(tx, resellerId, days, member, { product, accounts })
        return accounts === null
          ? sumDays(tx, resellerId, days, product)
          : sumDaysOfAccount(tx, resellerId, days, accounts, product)
      })
      return totalsOf(matching(sums, statuses))
    },
    async sumByDay(resellerId, days) {
      const sums = await readWithin(reader, LIST_TIMEOUT_MS, (tx) => sumDays(tx, resellerId, days, null))
      return Array.from({ length: days.to - days.from + 1 }, (_, index) => {
        const day = days.from + index
        const { counts, faceValue, cost } = totalsOf(sums.filter((sum) => sum.day === day))
        return { day, counts, faceValue, cost }
      })
    },
  }
}

async function openRows(
  { database, vault }: Pick<ListingSettings, 'database' | 'vault'>,
  resellerId: bigint,
  rows: readonly LineRow[],
): Promise<ListedPayment[]> {
  const lines = await withFreshKeys(vault, () =>
    rows.map((row) => ({ ...toLine(vault, resellerId, row), ...statesOf(row.code) })),
  )
  return named(database, resellerId, lines)
}

/** Adds who sold each payment, under the name that people know them by. */
async function named(
  database: Queryable,
  resellerId: bigint,
  lines: readonly Omit<ListedPayment, 'soldBy'>[],
): Promise<ListedPayment[]> {
  const idsOf = (kind: SellerKind) => [
    ...new Set(lines.flatMap(({ seller, memberId }) => (seller === kind ? [BigInt(memberId)] : []))),
  ]
  const names = await listSellerNames(database, resellerId, { members: idsOf('member'), keys: idsOf('key') })
  return lines.map((line) => ({ ...line, soldBy: soldBy(line, names) }))
}

function soldBy(
  { seller, memberId }: Pick<PaymentLine, 'seller' | 'memberId'>,
  names: SellerNames,
): string | null {
  switch (seller) {
    case 'member':
      return names.members.get(memberId) ?? null
    case 'key':
      return names.keys.get(memberId) ?? null
    case 'order':
      return memberId
    default:
      return null
  }
}

async function* readPages(
  settings: ListingSettings,
  resellerId: bigint,
  filter: PaymentFilter,
): AsyncGenerator<readonly ListedPayment[]> {
  const { database, reader = database, numbers } = settings
  const ranges = await readWithin(reader, EXPORT_TIMEOUT_MS, (tx) =>
    rangesOf(tx, resellerId, filter, null, rangesByDay),
  )
  for (const { fromId, untilId } of ranges) {
    let end = untilId
    for (;;) {
      const query = queryOf(resellerId, filter, [{ fromId, untilId: end }], EXPORT_PAGE, numbers?.current)
      const rows = await readWithin(reader, EXPORT_TIMEOUT_MS, (tx) => listPaymentsInRanges(tx, query))
      if (rows.length > 0) yield await openRows(settings, resellerId, rows)
      const last = rows.at(-1)
      if (last === undefined || rows.length < EXPORT_PAGE) break
      end = last.id
    }
  }
}

/**
 * Finds the ranges to read. One range covers all days if every payment matches, or if an index leads to those of a
 * customer. Product and status are not in the key, so they are looked up in the days' sums first: a page of few
 * payments among very many must not scan them all.
 */
async function rangesOf(
  tx: Tx,
  resellerId: bigint,
  { days: wanted, statuses, account, product, member = null }: PaymentFilter,
  before: bigint | null,
  choose: (sums: readonly DaySum[]) => readonly IdRange[],
): Promise<readonly IdRange[]> {
  const days = possibleDays(wanted)
  if (days === undefined) return []
  const isByKey = product === null && codeFilterOf(statuses) === null
  if (isByKey || account !== null || member !== null) return [rangeOfDays(days, before)]
  return choose(matching(await sumDays(tx, resellerId, days, product), statuses))
}

function queryOf(
  resellerId: bigint,
  { statuses, account, product, member = null }: PaymentFilter,
  ranges: readonly IdRange[],
  limit: number,
  plans: NumberPlans | undefined,
): ListingQuery {
  const accounts = account === null ? null : customersOf(account, plans)
  return { resellerId, ranges, accounts, product, member, codes: codeFilterOf(statuses), limit }
}

function statesOf(code: Payment['code']): Pick<ListedPayment, 'status' | 'isFinal'> {
  return { status: statusOf(code), isFinal: isFinal(code) }
}
