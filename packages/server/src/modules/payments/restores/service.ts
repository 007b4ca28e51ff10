import { COMMIT_MAX_MS } from '../../../db/clock.ts'
import type { Database, Queryable, Tx } from '../../../db/database.ts'
import { RequestError } from '../../../lib/errors.ts'
import { LIST_LIMIT, readFields } from '../../../lib/input/fields.ts'
import type { Reseller } from '../../accounts/types.ts'
import type { LostPosition } from './sql.ts'
import {
  acceptRestores,
  countPayments,
  holdLost,
  insertLost,
  listLostAfter,
  listPaymentsAfter,
  listRestoreRows,
  markRestored,
  releaseLost,
} from './sql.ts'
import type { KeptLostPayment, LostPayment, Restore } from './types.ts'

// Restores, and the payments that the database lost by them. docs/adr/0024 has the reasoning.

const PAGE = 2_000
/** Bits below the millisecond in a payment's id. */
const ID_SEQUENCE_BITS = 20n

/**
 * Reads the payments that a database took after a moment, page by page. The pages also have payments from shortly before
 * it, because the time of a commit is not known: those that the restored database has are left out when they are kept.
 * The last pages have the payments that earlier restores of that database lost: a return to a moment before such a
 * restore would otherwise forget them a second time.
 */
export async function* readPaymentsSince(
  database: Queryable,
  moment: Date,
): AsyncGenerator<readonly LostPayment[]> {
  // A payment's id has the time before its commit.
  let after = BigInt(moment.getTime() - COMMIT_MAX_MS) << ID_SEQUENCE_BITS
  for (;;) {
    const page = await listPaymentsAfter(database, after, PAGE)
    const last = page.at(-1)
    if (last === undefined) break
    yield page
    after = last.paymentId
  }
  yield* readLost(database)
}

async function* readLost(database: Queryable): AsyncGenerator<readonly LostPayment[]> {
  let after = FIRST
  for (;;) {
    const page = await listLostAfter(database, after, PAGE)
    const last = page.at(-1)
    if (last === undefined) return
    yield page
    after = last
  }
}

export type RestoreMark = {
  readonly restoredTo: Date
  /** null: no log beyond the moment was read. */
  readonly logReadTo: Date | null
  readonly resellerIds: readonly bigint[]
  /** Restores that the log has. Those that the database has forgotten are marked again. */
  readonly earlier?: readonly Restore[]
  /** Pages of payments that were taken later; those that the database has are left out. */
  readonly later: AsyncIterable<readonly LostPayment[]>
}

/** Marks the database as returned to an earlier moment, and keeps the payments that it lost. One commit. */
export async function recordRestore(
  tx: Tx,
  { restoredTo, logReadTo, resellerIds, earlier = [], later }: RestoreMark,
): Promise<{ readonly id: bigint; readonly lost: number }> {
  for (const forgotten of await findForgotten(tx, earlier)) {
    // Each mark leaves out numbers of events and cases: those that the database gave after that restore are not reused.
    await markRestored(tx, forgotten.restoredTo, forgotten.logReadTo, resellerIds)
  }
  const id = await markRestored(tx, restoredTo, logReadTo, resellerIds)
  const known = new Set(resellerIds)
  let lost = 0
  for await (const page of later) {
    // A reseller who came after the moment is lost as well, and has no key to ask with.
    const kept = page.filter(({ resellerId }) => known.has(resellerId))
    if (kept.length > 0) lost += await insertLost(tx, id, kept)
  }
  return { id, lost }
}

/** Finds the restores that a database does not have, oldest first. */
async function findForgotten(tx: Tx, restores: readonly Restore[]): Promise<Restore[]> {
  const [newest] = await listRestoreRows(tx, 1)
  return restores.filter(({ id }) => id > (newest?.id ?? 0n)).sort((a, b) => (a.id < b.id ? -1 : 1))
}

const PAGE_RULES = { limit: LIST_LIMIT }

/** Lists restores, newest first. */
export function listRestores(connection: Queryable, page: { readonly limit: number }): Promise<Restore[]> {
  return listRestoreRows(connection, readFields(PAGE_RULES, page).limit)
}

const FIRST: LostPosition = { resellerId: 0n, refid: '' }

/**
 * Lists lost payments that are not released, by reseller and refid: the first ones, or those behind `after`.
 * `accountsOf` gives the accounts of resellers.
 */
export async function listLostPayments(
  connection: Queryable,
  page: { readonly limit: number; readonly after?: LostPosition | undefined },
  accountsOf: (resellerIds: readonly bigint[]) => Promise<ReadonlyMap<bigint, string>>,
): Promise<KeptLostPayment[]> {
  const rows = await listLostAfter(connection, page.after ?? FIRST, readFields(PAGE_RULES, page).limit)
  const accounts = await accountsOf([...new Set(rows.map(({ resellerId }) => resellerId))])
  return rows.map((row) => ({ ...row, reseller: accounts.get(row.resellerId) ?? String(row.resellerId) }))
}

export type Decision = { readonly by: string; readonly reason: string }

/** Accepts restores: from now on refids that the database does not know are taken again, lost ones excepted. */
export async function acceptRestore(tx: Tx, decision: Decision): Promise<bigint[]> {
  const ids = await acceptRestores(tx, decision)
  if (ids.length > 0) return ids
  throw new RequestError({ status: 409, code: 'not_open', publicText: 'There is no restore to accept.' })
}

/** Releases a refid, because its provider says that nothing was done. The next request with it is a new payment. */
export async function releaseRefid(
  tx: Tx,
  reseller: Pick<Reseller, 'id'>,
  refid: string,
  decision: Decision,
): Promise<void> {
  if (await releaseLost(tx, { resellerId: reseller.id, refid }, decision)) return
  throw new RequestError({
    status: 404,
    code: 'not_found',
    publicText: 'No lost payment of this reseller has this refid.',
  })
}

/** Keeps a refid as lost, because a provider or the reseller says that it was paid. */
export async function holdRefid(tx: Tx, reseller: Pick<Reseller, 'id'>, refid: string): Promise<void> {
  const [newest] = await listRestoreRows(tx, 1)
  if (newest === undefined) {
    throw new RequestError({ status: 409, code: 'not_restored', publicText: 'Nothing was ever restored.' })
  }
  if (await holdLost(tx, newest.id, { resellerId: reseller.id, refid })) return
  throw new RequestError({ status: 409, code: 'exists', publicText: 'A payment with this refid exists.' })
}

/** Counts all payments. */
export function countAllPayments(database: Pick<Database, 'query'>): Promise<bigint> {
  return countPayments(database)
}
