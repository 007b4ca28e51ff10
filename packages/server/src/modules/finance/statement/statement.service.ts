import type { Queryable } from '../../../db/database.ts'
import { startOfDayMs } from '../../../lib/dates.ts'
import { assert, invalidFields } from '../../../lib/errors.ts'
import type { Reseller } from '../../accounts/types.ts'
import type { Entry } from '../../wallet/balance/types.ts'
import { findPositionBefore } from '../../wallet/statement/periods.service.ts'
import { listEntriesBetween } from '../../wallet/statement/public.sql.ts'
import { sumOf } from '../closings/closings.rules.ts'
import { listDaysBetween } from '../closings/closings.service.ts'
import { readLastDayOver } from '../closings/closings.sql.ts'
import type { MonthStatement, StatementFormat } from '../closings/types.ts'
import { MONTH, parseMonth, totalsOf } from './statement.rules.ts'
import { printStatementCsv, STATEMENT_COLUMNS, statementCells } from './statement-csv.view.ts'
import { printStatementPdf } from './statement-pdf.view.ts'

const ENTRIES_PAGE = 500

/** Reads a page of entries, possibly long after the statement was opened. */
export type ReadEntries = <T>(work: (connection: Queryable) => Promise<T>) => Promise<T>

export async function openMonthStatement(
  connection: Queryable,
  { id, account, name }: Pick<Reseller, 'id' | 'account' | 'name'>,
  monthText: string,
  read: ReadEntries = (work) => work(connection),
): Promise<MonthStatement> {
  const month = parseMonth(monthText)
  if (month === undefined) throw invalidFields({ month: [MONTH.message] })
  const today = (await readLastDayOver(connection, 0)) + 1
  if (month.from > today) throw invalidFields({ month: ['must not be in the future'] })
  const from = await findPositionBefore(connection, id, new Date(startOfDayMs(month.from)))
  const to = await findPositionBefore(connection, id, new Date(startOfDayMs(month.to + 1)))
  const days = await listDaysBetween(connection, id, month, from, to)
  const totals = totalsOf(days)
  const moved = sumOf(totals)
  assert(from.balance + moved.amount === to.balance, 'the days of a month come to what it ends with')
  assert(from.sequence + moved.count === to.sequence, 'the days of a month have all of its entries')
  return {
    account,
    name,
    month,
    asOf: Math.min(today, month.to + 1),
    opening: from.balance,
    days,
    totals,
    closing: to.balance,
    entries: () => readEntries(read, id, from.sequence, to.sequence),
  }
}

async function* readEntries(
  read: ReadEntries,
  resellerId: bigint,
  before: bigint,
  last: bigint,
): AsyncGenerator<readonly Entry[]> {
  for (let after = before; after < last; ) {
    const wanted = { after, last, limit: ENTRIES_PAGE }
    const page = await read((connection) => listEntriesBetween(connection, resellerId, wanted))
    const end = page.at(-1)
    assert(end !== undefined, 'a wallet has no gaps')
    yield page
    after = end.sequence
  }
}

/** Prints the file piece by piece. The writer takes the next piece when it has room. */
export function printStatement(
  statement: MonthStatement,
  format: StatementFormat,
  issuer: string,
): AsyncIterable<string | Uint8Array> {
  switch (format) {
    case 'csv':
      return printStatementCsv(statement)
    case 'pdf':
      return printStatementPdf(statement, issuer)
    default:
      return format satisfies never
  }
}

/** Returns the CSV file's rows as a table. */
export function statementTable(statement: MonthStatement) {
  return { columns: STATEMENT_COLUMNS, pages: () => statementCells(statement) }
}
