import type { Database } from '../../db/database.ts'
import { startOfDayMs } from '../../lib/dates.ts'
import { assert } from '../../lib/errors.ts'
import type { StatementQuery, Stretch, Totals } from './statement.rules.ts'
import { countOf, kindsOf, onlyOf, totalsOf } from './statement.rules.ts'
import { findStretch, listDownFrom, listOfKinds, listPayments, sumOthers } from './statement.sql.ts'
import type { Entry } from './types.ts'

export type StatementPage = {
  readonly entries: readonly Entry[]
  /** Of everything that matches, not of this page. */
  readonly count: bigint
  readonly totals: Totals
}

export type Statements = { read(resellerId: bigint, query: StatementQuery): Promise<StatementPage> }

/**
 * What it costs: finding the days, some forty looks at the primary key; the totals, one step for each entry that
 * is no payment; a page, its own entries, and below the first page of a type, that type's entries before it
 * (payments are not walked through).
 */
export function createStatements(database: Database): Statements {
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
      return { entries, count, totals }
    },
  }
}

function readPage(
  database: Database,
  resellerId: bigint,
  stretch: Stretch,
  { type, perPage }: StatementQuery,
  passOver: bigint,
): Promise<Entry[]> {
  if (type === null) return listDownFrom(database, resellerId, stretch, stretch.last - passOver, perPage)
  if (type === 'TRANSACTION') return listPayments(database, resellerId, stretch, passOver, perPage)
  const kinds = kindsOf(type)
  return listOfKinds(database, resellerId, stretch, { kinds, passOver, limit: perPage })
}
