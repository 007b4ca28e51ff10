import { formatDay, formatMilliseconds } from '../../../lib/dates.ts'
import { guardFormula, printCsv } from '../../../lib/input/csv.ts'
import { formatMoney } from '../../../lib/money.ts'
import type { Entry } from '../../wallet/balance/types.ts'
import type { Movement, Movements } from '../../wallet/statement/periods.types.ts'
import { KINDS, sumOf } from '../closings/closings.rules.ts'
import type { MonthStatement } from '../closings/types.ts'

// One table for everything, so that a program reads it with any CSV reader and picks rows by their first cell.
export const STATEMENT_COLUMNS = [
  'record',
  'date',
  'id',
  'type',
  'count',
  'amount',
  'balance',
  'text',
] as const

type Row = Partial<Record<(typeof STATEMENT_COLUMNS)[number], string>>

/**
 * Makes the cells. Amounts stay numbers, because we wrote them. Text written by others is guarded against running as a
 * formula.
 */
export async function* statementCells(statement: MonthStatement): AsyncGenerator<readonly string[][]> {
  yield headRows(statement).map(cellsOf)
  for await (const page of statement.entries()) yield page.map((entry) => cellsOf(entryRow(entry)))
}

export async function* printStatementCsv(statement: MonthStatement): AsyncGenerator<string> {
  yield printCsv([[...STATEMENT_COLUMNS]])
  for await (const page of statementCells(statement)) yield printCsv(page)
}

function cellsOf(row: Row): string[] {
  return STATEMENT_COLUMNS.map((column) => row[column] ?? '')
}

function headRows({ account, name, month, opening, days, totals, closing }: MonthStatement): Row[] {
  return [
    { record: 'account', text: guardFormula(account) },
    { record: 'name', text: guardFormula(name) },
    { record: 'month', date: month.name },
    { record: 'zone', text: 'GMT+8' },
    { record: 'currency', text: 'MYR' },
    { record: 'opening', date: formatDay(month.from), balance: formatMoney(opening) },
    ...days.flatMap(({ day, movements, closing: balance }) =>
      movementRows('day', formatDay(day), movements, formatMoney(balance)),
    ),
    ...movementRows('total', month.name, totals, formatMoney(closing)),
    { record: 'closing', date: formatDay(month.to), balance: formatMoney(closing) },
  ]
}

/** Makes a row for each kind that moved, and one for all kinds with the balance after them. */
function movementRows(record: string, date: string, movements: Movements, balance: string): Row[] {
  const row = (type: string, { count, amount }: Movement): Row => ({
    record,
    date,
    type,
    count: String(count),
    amount: formatMoney(amount),
  })
  return [
    ...KINDS.filter((kind) => movements[kind].count > 0n).map((kind) => row(kind, movements[kind])),
    { ...row('all', sumOf(movements)), balance },
  ]
}

function entryRow(entry: Entry): Row {
  return {
    record: 'entry',
    date: formatMilliseconds(entry.createdAt),
    id: String(entry.sequence),
    type: entry.kind,
    amount: formatMoney(entry.amount),
    balance: formatMoney(entry.balanceAfter),
    text: guardFormula(entry.remarks),
  }
}
