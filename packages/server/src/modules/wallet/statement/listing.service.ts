import { readWithin } from '../../../db/bounded.ts'
import type { Tx } from '../../../db/database.ts'
import type { Reader } from '../../../db/standby/reader.ts'
import type { DayRange } from '../../../lib/dates.ts'
import { startOfDayMs } from '../../../lib/dates.ts'
import { assert } from '../../../lib/errors.ts'
import type { Amount } from '../../../lib/money.ts'
import type { ListedEntry } from './listing.sql.ts'
import { listEntryStretch } from './listing.sql.ts'
import type { StatementType, Stretch, Totals } from './statement.rules.ts'
import { kindsOf, STATEMENT_TYPES, totalsOf } from './statement.rules.ts'
import type { RefidLookup, StatementEntry } from './statement.service.ts'
import { withRefids } from './statement.service.ts'
import { findStretch, sumOthers } from './statement.sql.ts'

export const ENTRY_TYPES: readonly StatementType[] = STATEMENT_TYPES
export type EntryType = StatementType
export type WalletEntry = StatementEntry

export type EntryFilter = {
  readonly days: DayRange
  /** null: all types. */
  readonly type: EntryType | null
}

/** Balances and totals of some days of a wallet: opening + the totals = closing. */
export type Span = {
  readonly days: DayRange
  readonly opening: Amount
  readonly closing: Amount
  readonly totals: Totals
}

export type PageWanted = { readonly before: bigint | null; readonly limit: number }

export type EntryPage = { readonly entries: readonly WalletEntry[]; readonly hasMore: boolean }

export type WalletListing = {
  /** Lists entries, newest first. `before`: only entries older than this one. */
  list(resellerId: bigint, filter: EntryFilter, page: PageWanted): Promise<EntryPage>
  /**
   * Lists entries with the sums of the days, in one snapshot: an entry that arrives meanwhile is in both or in neither.
   */
  listWithSum(
    resellerId: bigint,
    filter: EntryFilter,
    page: PageWanted,
  ): Promise<EntryPage & { readonly span: Span }>
  /** Reads all entries that match, page by page. A page is read when it is requested. */
  pages(resellerId: bigint, filter: EntryFilter): AsyncGenerator<readonly WalletEntry[]>
  sum(resellerId: bigint, days: DayRange): Promise<Span>
}

/** Entries per page of an export: some milliseconds of work, so that other work between two pages waits no longer. */
const EXPORT_PAGE = 250
/** Timeouts of a page that a client waits for, and of a page of a file, which may search through more entries. */
const LIST_TIMEOUT_MS = 8_000
const EXPORT_TIMEOUT_MS = 20_000

export function createWalletListing(
  database: Pick<Reader, 'transaction'>,
  findRefids: RefidLookup,
): WalletListing {
  const named = async <Found extends ListedPage>(resellerId: bigint, found: Found) => ({
    ...found,
    entries: await withRefids(findRefids, resellerId, found.entries),
  })
  return {
    async list(resellerId, filter, page) {
      const found = await readWithin(database, LIST_TIMEOUT_MS, async (tx) =>
        pageOf(tx, resellerId, await stretchOf(tx, resellerId, filter.days), filter, page),
      )
      return named(resellerId, found)
    },
    async listWithSum(resellerId, filter, page) {
      const found = await readWithin(database, LIST_TIMEOUT_MS, async (tx) => {
        const stretch = await stretchOf(tx, resellerId, filter.days)
        const listed = await pageOf(tx, resellerId, stretch, filter, page)
        return { ...listed, span: await spanOf(tx, resellerId, stretch, filter.days) }
      })
      return named(resellerId, found)
    },
    async *pages(resellerId, { days, type }) {
      const stretch = await readWithin(database, EXPORT_TIMEOUT_MS, (tx) => stretchOf(tx, resellerId, days))
      const kinds = type === null ? null : kindsOf(type)
      let first = stretch.last
      for (;;) {
        const wanted = { first, kinds, limit: EXPORT_PAGE }
        const page = await readWithin(database, EXPORT_TIMEOUT_MS, (tx) =>
          listEntryStretch(tx, resellerId, stretch, wanted),
        )
        const last = page.at(-1)
        if (last !== undefined) yield await withRefids(findRefids, resellerId, page)
        if (last === undefined || page.length < EXPORT_PAGE) return
        first = last.sequence - 1n
      }
    },
    sum: (resellerId, days) =>
      readWithin(database, LIST_TIMEOUT_MS, async (tx) =>
        spanOf(tx, resellerId, await stretchOf(tx, resellerId, days), days),
      ),
  }
}

type ListedPage = { readonly entries: readonly ListedEntry[]; readonly hasMore: boolean }

async function pageOf(
  tx: Tx,
  resellerId: bigint,
  stretch: Stretch,
  { type }: EntryFilter,
  { before, limit }: PageWanted,
): Promise<ListedPage> {
  const kinds = type === null ? null : kindsOf(type)
  const wanted = { first: firstOf(stretch, before), kinds, limit: limit + 1 }
  const found = await listEntryStretch(tx, resellerId, stretch, wanted)
  return { entries: found.slice(0, limit), hasMore: found.length > limit }
}

async function spanOf(tx: Tx, resellerId: bigint, stretch: Stretch, days: DayRange): Promise<Span> {
  const totals = totalsOf(stretch, await sumOthers(tx, resellerId, stretch))
  return { days, opening: stretch.balanceBefore, closing: stretch.balanceLast, totals }
}

async function stretchOf(tx: Tx, resellerId: bigint, days: DayRange): Promise<Stretch> {
  const from = new Date(startOfDayMs(days.from))
  const until = new Date(startOfDayMs(days.to + 1))
  const stretch = await findStretch(tx, resellerId, from, until)
  assert(stretch !== undefined, 'every reseller has a wallet')
  return stretch
}

function firstOf({ last }: Stretch, before: bigint | null): bigint {
  return before !== null && before <= last ? before - 1n : last
}
