import type { Queryable } from '../../../db/database.ts'
import { assert } from '../../../lib/errors.ts'
import type { Entry, TransferKind } from '../balance/types.ts'
import { listTimes, listUpFrom, listWalletRows, passWalletLock, sumEntryRows } from './periods.sql.ts'
import type { Movement, Movements, Period, Place } from './periods.types.ts'
import { findStretch, sumOthers } from './statement.sql.ts'

// What others may ask about a stretch of a wallet's life: for closings, statements and whoever checks them.

const NOTHING: Movement = { count: 0n, amount: 0n }
const BEGINNING = new Date(0)

/** Where the wallet stood at an instant: the last entry before it. */
export async function findPlaceBefore(
  connection: Queryable,
  resellerId: bigint,
  until: Date,
): Promise<Place> {
  const stretch = await findStretch(connection, resellerId, BEGINNING, until)
  assert(stretch !== undefined, 'every reseller has a wallet')
  return { sequence: stretch.last, balance: stretch.balanceLast }
}

/**
 * What moved between two places. Payments are not read: entries have no gaps, and what is not among the others is
 * theirs.
 */
export async function sumBetween(
  connection: Queryable,
  resellerId: bigint,
  from: Place,
  to: Place,
): Promise<Period> {
  const stretch = {
    before: from.sequence,
    last: to.sequence,
    balanceBefore: from.balance,
    balanceLast: to.balance,
  }
  const others = await sumOthers(connection, resellerId, stretch)
  const payment = [...others.values()].reduce<Movement>(
    (rest, each) => ({ count: rest.count - each.count, amount: rest.amount - each.amount }),
    { count: to.sequence - from.sequence, amount: to.balance - from.balance },
  )
  return {
    before: from.sequence,
    last: to.sequence,
    opening: from.balance,
    closing: to.balance,
    movements: { ...movementsOf(others), payment },
  }
}

/** Entries summed in one statement: a day of a million is many short ones. */
const CHUNK = 20_000n

/** The same by reading every entry: for what is kept, and for a check, which must not lean on what it checks. */
export async function countBetween(
  connection: Queryable,
  resellerId: bigint,
  range: { readonly before: bigint; readonly last: bigint },
  chunk = CHUNK,
): Promise<Movements> {
  const sums = new Map<TransferKind, Movement>()
  for (let before = range.before; before < range.last; before += chunk) {
    const last = before + chunk < range.last ? before + chunk : range.last
    for (const [kind, each] of await sumEntryRows(connection, resellerId, { before, last })) {
      const { count, amount } = sums.get(kind) ?? NOTHING
      sums.set(kind, { count: count + each.count, amount: amount + each.amount })
    }
  }
  return movementsOf(sums)
}

function movementsOf(sums: ReadonlyMap<TransferKind, Movement>): Movements {
  return {
    deposit: sums.get('deposit') ?? NOTHING,
    adjustment: sums.get('adjustment') ?? NOTHING,
    commission: sums.get('commission') ?? NOTHING,
    payment: sums.get('payment') ?? NOTHING,
    refund: sums.get('refund') ?? NOTHING,
  }
}

/** Oldest first: everything after one entry up to another, at most so many. */
export function listEntriesBetween(
  connection: Queryable,
  resellerId: bigint,
  page: { readonly after: bigint; readonly last: bigint; readonly limit: number },
): Promise<Entry[]> {
  return listUpFrom(connection, resellerId, page)
}

export type WalletHead = { readonly resellerId: bigint; readonly sequence: bigint }

/** The number of each wallet's last entry, by reseller. */
export async function listWalletHeads(
  connection: Queryable,
  page: { readonly after: bigint; readonly limit: number },
): Promise<WalletHead[]> {
  const rows = await listWalletRows(connection, page)
  return rows.map(({ reseller_id: resellerId, sequence }) => ({ resellerId, sequence }))
}

/** When entries of many wallets, one of each, were made; those that do not exist are left out. */
export async function findEntryTimes(
  connection: Queryable,
  keys: readonly WalletHead[],
): Promise<Map<bigint, Date>> {
  if (keys.length === 0) return new Map()
  const rows = await listTimes(connection, keys)
  return new Map(rows.map((row) => [row.reseller_id, row.created_at]))
}

/**
 * Returns when every entry that was dated before now has been committed, or never will be. Not to be called in a
 * transaction: it would keep the wallet's lock.
 */
export function awaitPosted(connection: Queryable, resellerId: bigint): Promise<void> {
  return passWalletLock(connection, resellerId)
}
