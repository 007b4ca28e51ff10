import type { Queryable } from '../../../db/database.ts'
import { startOfDayMs } from '../../../lib/dates.ts'
import { assert } from '../../../lib/errors.ts'
import type { EntryOfPayment } from '../balance/types.ts'
import type { StatementQuery, Stretch, Totals } from './statement.rules.ts'
import { countOf, kindsOf, onlyOf, totalsOf } from './statement.rules.ts'
import { findStretch, listDownFrom, listOfKinds, listPayments, sumOthers } from './statement.sql.ts'

export type StatementEntry = EntryOfPayment & {
  /** Refid of the entry's payment; null: it has none. */
  readonly refid: string | null
}

export type StatementPage = {
  readonly entries: readonly StatementEntry[]
  /** Number of all entries that match, not of this page. */
  readonly count: bigint
  readonly totals: Totals
}

/** Finds the refids of a reseller's payments by their ids. Payments belong to another module. */
export type RefidLookup = (
  resellerId: bigint,
  paymentIds: readonly bigint[],
) => Promise<ReadonlyMap<bigint, string>>

export type Statements = { read(resellerId: bigint, query: StatementQuery): Promise<StatementPage> }

/**
 * Makes the reader of statements. Costs: finding the days takes about forty lookups in the primary key. The totals take
 * one step for each entry that is not a payment. A page takes its own entries and, after the first page of a type, the
 * entries of that type before it (payments are not walked through).
 */
export function createStatements(database: Queryable, findRefids: RefidLookup): Statements {
  return {
    async read(resellerId, query) {
      const { days, type } = query
      const from = new Date(startOfDayMs(days.from))
      const until = new Date(startOfDayMs(days.to + 1))
      const stretch = await findStretch(database, resellerId, from, until)
      assert(stretch !== undefined, 'every reseller has a wallet')
      const totals = onlyOf(totalsOf(stretch, await sumOthers(database, resellerId, stretch)), type)
      const count = countOf(totals)
      const passOver = BigInt(query.page - 1) * BigInt(query.perPage)
      const entries = passOver < count ? await readPage(database, resellerId, stretch, query, passOver) : []
      return { entries: await withRefids(findRefids, resellerId, entries), count, totals }
    },
  }
}

/** Adds the refids of their payments to entries of one reseller. */
export async function withRefids(
  findRefids: RefidLookup,
  resellerId: bigint,
  entries: readonly EntryOfPayment[],
): Promise<StatementEntry[]> {
  const paymentIds = entries.flatMap(({ paymentId }) => (paymentId === null ? [] : [paymentId]))
  const refids = await findRefids(resellerId, [...new Set(paymentIds)])
  return entries.map((entry) => ({
    ...entry,
    refid: entry.paymentId === null ? null : (refids.get(entry.paymentId) ?? null),
  }))
}

function readPage(
  database: Queryable,
  resellerId: bigint,
  stretch: Stretch,
  { type, perPage }: StatementQuery,
  passOver: bigint,
): Promise<EntryOfPayment[]> {
  if (type === null) return listDownFrom(database, resellerId, stretch, stretch.last - passOver, perPage)
  if (type === 'TRANSACTION') return listPayments(database, resellerId, stretch, passOver, perPage)
  const kinds = kindsOf(type)
  return listOfKinds(database, resellerId, stretch, { kinds, passOver, limit: perPage })
}
