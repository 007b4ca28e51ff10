import { readWithin } from '../../db/bounded.ts'
import type { Database, Tx } from '../../db/database.ts'
import type { DayRange } from '../../lib/dates.ts'
import { startOfDayMs } from '../../lib/dates.ts'
import { assert } from '../../lib/errors.ts'
import type { ListedEntry } from './listing.sql.ts'
import { listEntryStretch } from './listing.sql.ts'
import type { StatementType, Stretch, Totals } from './statement.rules.ts'
import { kindsOf, STATEMENT_TYPES, totalsOf } from './statement.rules.ts'
import { findStretch, sumOthers } from './statement.sql.ts'
import type { Amount } from './types.ts'

export const ENTRY_TYPES: readonly StatementType[] = STATEMENT_TYPES
export type EntryType = StatementType
export type WalletEntry = ListedEntry

export type EntryFilter = {
  readonly days: DayRange
  /** null: all. */
  readonly type: EntryType | null
}

/** What some days did to a wallet: opening + the totals = closing. */
export type Span = {
  readonly days: DayRange
  readonly opening: Amount
  readonly closing: Amount
  readonly totals: Totals
}

export type WalletListing = {
  /** Newest first; `before`: older than this entry alone. */
  list(
    resellerId: bigint,
    filter: EntryFilter,
    page: { readonly before: bigint | null; readonly limit: number },
  ): Promise<{ entries: readonly WalletEntry[]; hasMore: boolean }>
  /** All that match, page by page, each read when it is asked for. */
  pages(resellerId: bigint, filter: EntryFilter): AsyncGenerator<readonly WalletEntry[]>
  sum(resellerId: bigint, days: DayRange): Promise<Span>
}

const EXPORT_PAGE = 1_000
/** A page that somebody waits for, and one of a file, which may look through more. */
const LIST_TIMEOUT_MS = 8_000
const EXPORT_TIMEOUT_MS = 20_000

export function createWalletListing(database: Database): WalletListing {
  return {
    async list(resellerId, { days, type }, { before, limit }) {
      const kinds = type === null ? null : kindsOf(type)
      const found = await readWithin(database, LIST_TIMEOUT_MS, async (tx) => {
        const stretch = await stretchOf(tx, resellerId, days)
        const first = firstOf(stretch, before)
        return listEntryStretch(tx, resellerId, stretch, { first, kinds, limit: limit + 1 })
      })
      return { entries: found.slice(0, limit), hasMore: found.length > limit }
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
        if (last !== undefined) yield page
        if (last === undefined || page.length < EXPORT_PAGE) return
        first = last.sequence - 1n
      }
    },
    sum: (resellerId, days) =>
      readWithin(database, LIST_TIMEOUT_MS, async (tx) => {
        const stretch = await stretchOf(tx, resellerId, days)
        const totals = totalsOf(stretch, await sumOthers(tx, resellerId, stretch))
        return { days, opening: stretch.balanceBefore, closing: stretch.balanceLast, totals }
      }),
  }
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
