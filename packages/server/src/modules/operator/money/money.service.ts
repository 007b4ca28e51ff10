import type { Database } from '../../../db/database.ts'
import { dayOf, dayRange } from '../../../lib/dates.ts'
import { oneOf, readFields } from '../../../lib/input/fields.ts'
import { parseId } from '../../../lib/input/ids.ts'
import { optional } from '../../../lib/input/parameters.ts'
import { getReseller } from '../../accounts/service.ts'
import { createRefidLookup } from '../../payments/read/references.service.ts'
import type { BalanceAsOf } from '../../wallet/balance/service.ts'
import { balanceAsOf } from '../../wallet/balance/service.ts'
import type { WalletEntry } from '../../wallet/statement/listing.service.ts'
import { createWalletListing } from '../../wallet/statement/listing.service.ts'
import type { Page } from '../kit/pages.rules.ts'
import { isPlain, PAGE_RULES, unknown } from '../kit/pages.rules.ts'

export type WalletNow = BalanceAsOf & { readonly account: string; readonly name: string }

const MICROS_PER_MS = 1_000n

export async function getWallet(database: Database, account: string, nowMs: number): Promise<WalletNow> {
  if (!isPlain(account)) throw unknown('reseller')
  const { id, name } = await getReseller(database, account)
  // The time is a minute ahead: entries are dated by the database's clock, which may be ahead of this one.
  const untilMicros = BigInt(Math.ceil(nowMs) + 60_000) * MICROS_PER_MS
  return { account, name, ...(await balanceAsOf(database, id, untilMicros)) }
}

export const ENTRY_DAYS_MAX = 366
const ENTRY_DAYS_USUAL = 31

const ENTRY_TYPES = {
  deposit: 'DEPOSIT',
  payment: 'TRANSACTION',
  refund: 'REFUND',
  commission: 'COMMISSION',
} as const

const ENTRY_WORDS = Object.keys(ENTRY_TYPES) as (keyof typeof ENTRY_TYPES)[]

export const ENTRY_RULES = {
  ...PAGE_RULES,
  type: optional(oneOf(ENTRY_WORDS), null),
  days: optional(dayRange(ENTRY_DAYS_MAX), null),
}

type EntryQuery = { readonly [name in keyof typeof ENTRY_RULES]?: string | undefined }

/** Reads the filter and the page. The days are the last month unless the query gives others. */
function readEntryQuery(query: EntryQuery, today: number) {
  const { limit, cursor, type, days } = readFields(ENTRY_RULES, query)
  return {
    filter: {
      days: days ?? { from: today - ENTRY_DAYS_USUAL + 1, to: today },
      type: type === null ? null : ENTRY_TYPES[type],
    },
    page: { before: cursor === null ? null : (parseId(cursor) ?? 1n), limit },
  }
}

/** Lists the newest first, with the numbers that the statement shows. */
export async function listWalletEntries(
  database: Database,
  account: string,
  query: EntryQuery,
  nowMs: number,
): Promise<Page<WalletEntry>> {
  if (!isPlain(account)) throw unknown('reseller')
  const { id } = await getReseller(database, account)
  const { filter, page } = readEntryQuery(query, dayOf(nowMs))
  const { entries, hasMore } = await createWalletListing(database, createRefidLookup(database)).list(
    id,
    filter,
    page,
  )
  const last = entries.at(-1)
  return { items: entries, cursor: hasMore && last !== undefined ? String(last.sequence) : null }
}
