import { formatDay, startOfDayMs } from '../../../lib/dates.ts'
import type { Amount } from '../../../lib/money.ts'
import type { TransferKind } from '../../wallet/balance/types.ts'
import type { Movements } from '../../wallet/statement/periods.types.ts'
import { KINDS, sumOf } from '../closings/closings.rules.ts'
import type { MonthStatement } from '../closings/types.ts'
import {
  drawFields,
  drawNote,
  drawTable,
  numberColumn,
  printDocument,
  ROW,
  textColumn,
} from './pages.view.ts'
import { sameDecimals, statementNumber } from './statement.rules.ts'
import type { Paper } from './statement-text.view.ts'

/** Formats an amount for the reader. */
type Write = (amount: Amount) => string

const NAMES: Readonly<Record<TransferKind, string>> = {
  deposit: 'Deposits',
  adjustment: 'Adjustments',
  payment: 'Payments',
  refund: 'Refunds',
  commission: 'Commissions',
}

/** Prints the summary and the days of a month. The same statement gives the same bytes: it has no time of printing. */
export async function* printStatementPdf(
  statement: MonthStatement,
  issuer: string,
): AsyncGenerator<Uint8Array> {
  yield* printDocument(
    {
      title: `Statement ${statement.month.name}, account ${statement.account}`,
      subject: 'Statement of account',
      issuer,
      at: new Date(startOfDayMs(statement.month.to + 1)),
      names: [issuer, statement.name, statement.account],
    },
    (paper) => {
      const afterHead = drawHead(paper, statement, issuer)
      const money = sameDecimals(amountsOf(statement))
      const afterSummary = drawSummary(paper, statement, money, afterHead + ROW)
      drawDays(paper, statement, money, afterSummary + ROW)
    },
  )
}

/** Lists every amount that is shown. */
function amountsOf({ opening, closing, totals, days }: MonthStatement): Amount[] {
  const shown = (movements: Movements) => KINDS.map((kind) => movements[kind].amount)
  return [
    opening,
    closing,
    ...shown(totals),
    ...days.flatMap(({ movements, closing: left }) => [...shown(movements), left]),
  ]
}

function drawHead(paper: Paper, statement: MonthStatement, issuer: string): number {
  const { account, name, month, asOf } = statement
  return drawFields(paper, 'Statement of account', [
    ['Issued by', issuer],
    ['Number', statementNumber(statement)],
    ['Date', asOf > month.to ? formatDay(asOf) : `${formatDay(asOf)}, preliminary: the month is not over`],
    ['Account', account],
    ['Name', name],
    ['Month', month.name],
    ['Zone', 'GMT+8'],
    ['Currency', 'MYR'],
  ])
}

function drawSummary(paper: Paper, statement: MonthStatement, money: Write, from: number): number {
  const { opening, totals, closing } = statement
  const moved = sumOf(totals)
  return drawTable(
    paper,
    from,
    [textColumn('Summary', 200), numberColumn('Count', 80), numberColumn('Amount', 130)],
    [
      ['Opening balance', '', money(opening)],
      ...KINDS.map((kind) => [NAMES[kind], String(totals[kind].count), money(totals[kind].amount)]),
      ['All movements', String(moved.count), money(moved.amount)],
      ['Closing balance', '', money(closing)],
    ],
  )
}

function drawDays(paper: Paper, { days, totals }: MonthStatement, money: Write, from: number): void {
  const columns = [
    textColumn('Day', 60),
    numberColumn('Entries', 45),
    ...KINDS.map((kind) => numberColumn(NAMES[kind], 63)),
    numberColumn('Closing', 75),
  ]
  const amounts = (movements: Movements) => KINDS.map((kind) => money(movements[kind].amount))
  const rows = days.map(({ day, movements, closing, closedAt }) => [
    `${formatDay(day)}${closedAt === null ? ' *' : ''}`,
    String(sumOf(movements).count),
    ...amounts(movements),
    money(closing),
  ])
  const sum = ['Total', String(sumOf(totals).count), ...amounts(totals), '']
  const y = drawTable(paper, from, columns, [...rows, sum])
  const note = 'Days without movements are left out.'
  const open = days.some(({ closedAt }) => closedAt === null) ? ' * not closed yet' : ''
  drawNote(paper, `${note}${open}`, y)
}
