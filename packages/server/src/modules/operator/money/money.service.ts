import type { Database } from '../../../db/database.ts'
import { dayOf } from '../../../lib/dates.ts'
import { getReseller } from '../../accounts/service.ts'
import { createRefidLookup } from '../../payments/read/references.service.ts'
import type { BalanceAsOf } from '../../wallet/balance/service.ts'
import { balanceAsOf } from '../../wallet/balance/service.ts'
import type { WalletEntry } from '../../wallet/statement/listing.service.ts'
import { createWalletListing } from '../../wallet/statement/listing.service.ts'
import type { Page } from '../console/pages.rules.ts'
import { isPlain, unknown } from '../console/pages.rules.ts'
import type { EntryQuery } from './money.rules.ts'
import { readEntryQuery } from './money.rules.ts'

export type WalletNow = BalanceAsOf & { readonly account: string; readonly name: string }

const MICROS_PER_MS = 1_000n

export async function getWallet(database: Database, account: string, nowMs: number): Promise<WalletNow> {
  if (!isPlain(account)) throw unknown('reseller')
  const { id, name } = await getReseller(database, account)
  // The time is a minute ahead: entries are dated by the database's clock, which may be ahead of this one.
  const untilMicros = BigInt(Math.ceil(nowMs) + 60_000) * MICROS_PER_MS
  return { account, name, ...(await balanceAsOf(database, id, untilMicros)) }
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
