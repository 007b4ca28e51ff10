import type { Queryable } from '../../../db/database.ts'
import { assert } from '../../../lib/errors.ts'
import type { TransferKind } from '../balance/types.ts'
import { listTimes, listWalletRows, sumEntryRows } from './periods.sql.ts'
import type { EntryPosition, Movement, Movements, Period } from './periods.types.ts'
import { findStretch, sumOthers } from './statement.sql.ts'

// Questions about a stretch of a wallet's entries, for closings, statements and their checks.

const NOTHING: Movement = { count: 0n, amount: 0n }
const BEGINNING = new Date(0)

/** Finds the last entry before an instant, and the balance after it. */
export async function findPositionBefore(
  connection: Queryable,
  resellerId: bigint,
  until: Date,
): Promise<EntryPosition> {
  const stretch = await findStretch(connection, resellerId, BEGINNING, until)
  assert(stretch !== undefined, 'every reseller has a wallet')
  return { sequence: stretch.last, balance: stretch.balanceLast }
}

/**
 * Sums the movements between two positions. Payments are not read: entries have no gaps, so every entry that is not of
 * another kind is a payment.
 */
export async function sumBetween(
  connection: Queryable,
  resellerId: bigint,
  from: EntryPosition,
  to: EntryPosition,
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

/** Entries summed in one statement. A day with a million entries becomes many short statements. */
const CHUNK = 20_000n

/**
 * Sums by reading every entry: for sums that are stored, and for a check, which must not rely on the code it checks.
 */
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

export type WalletHead = { readonly resellerId: bigint; readonly sequence: bigint }

/** Lists the sequence of each wallet's last entry, by reseller. */
export async function listWalletHeads(
  connection: Queryable,
  page: { readonly after: bigint; readonly limit: number },
): Promise<WalletHead[]> {
  const rows = await listWalletRows(connection, page)
  return rows.map(({ reseller_id: resellerId, sequence }) => ({ resellerId, sequence }))
}

/** Finds the times of entries of many wallets, one entry of each. Entries that do not exist are left out. */
export async function findEntryTimes(
  connection: Queryable,
  keys: readonly WalletHead[],
): Promise<Map<bigint, Date>> {
  if (keys.length === 0) return new Map()
  const rows = await listTimes(connection, keys)
  return new Map(rows.map((row) => [row.reseller_id, row.created_at]))
}
