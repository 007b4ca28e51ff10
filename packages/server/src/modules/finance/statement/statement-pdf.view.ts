import { formatDay, startOfDayMs } from '../../../lib/dates.ts'
import type { Amount } from '../../../lib/money.ts'
import type { TransferKind } from '../../wallet/balance/types.ts'
import type { Movements } from '../../wallet/statement/periods.types.ts'
import { KINDS, sumOf } from '../closings/closings.rules.ts'
import type { MonthStatement } from '../closings/types.ts'
import { sameDecimals, statementNumber } from './statement.rules.ts'
import type { Paper, Style } from './statement-text.view.ts'
import { cutToFit, GREY, openPaper, widthOf, write } from './statement-text.view.ts'

/** Formats an amount for the reader. */
type Write = (amount: Amount) => string

const MARGIN = 50
const PAGE_WIDTH = 595.28
const RIGHT = PAGE_WIDTH - MARGIN
/** Lowest position of a row: it ends above the page number. */
const BOTTOM = 770
const FOOT = 795
const ROW = 16
const CELL: Style = { size: 8 }
const HEADING: Style = { size: 8, isBold: true }
const SMALL: Style = { size: 8, color: GREY }
const LABEL: Style = { size: 9, color: GREY }
const FIELD: Style = { size: 9 }

const NAMES: Readonly<Record<TransferKind, string>> = {
  deposit: 'Deposits',
  adjustment: 'Adjustments',
  payment: 'Payments',
  refund: 'Refunds',
  commission: 'Commissions',
}

type Column = { readonly title: string; readonly width: number; readonly isNumber: boolean }

const text = (title: string, width: number): Column => ({ title, width, isNumber: false })
const number = (title: string, width: number): Column => ({ title, width, isNumber: true })

/** Prints the summary and the days of a month. The same statement gives the same bytes: it has no time of printing. */
export async function* printStatementPdf(
  statement: MonthStatement,
  issuer: string,
): AsyncGenerator<Uint8Array> {
  const title = `Statement ${statement.month.name}, account ${statement.account}`
  // The library is imported at the first print, because it is large and most processes never print.
  const { default: PDFDocument } = await import('pdfkit')
  const document = new PDFDocument({
    size: 'A4',
    margins: { top: MARGIN, right: MARGIN, bottom: 0, left: MARGIN },
    bufferPages: true,
    lang: 'en',
    info: {
      Title: title,
      Author: issuer,
      Subject: 'Statement of account',
      CreationDate: new Date(startOfDayMs(statement.month.to + 1)),
    },
  })
  const paper = await openPaper(document, [issuer, statement.name, statement.account])
  const afterHead = drawHead(paper, statement, issuer)
  const money = sameDecimals(amountsOf(statement))
  const afterSummary = drawSummary(paper, statement, money, afterHead + ROW)
  drawDays(paper, statement, money, afterSummary + ROW)
  numberPages(paper, title)
  document.end()
  for await (const piece of document) yield piece as Uint8Array
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
  write(paper, 'Statement of account', MARGIN, MARGIN, { size: 16, isBold: true })
  const fields = [
    ['Issued by', issuer],
    ['Number', statementNumber(statement)],
    ['Date', asOf > month.to ? formatDay(asOf) : `${formatDay(asOf)}, preliminary: the month is not over`],
    ['Account', account],
    ['Name', name],
    ['Month', month.name],
    ['Zone', 'GMT+8'],
    ['Currency', 'MYR'],
  ] as const
  let y = MARGIN + 2 * ROW
  for (const [label, value] of fields) {
    write(paper, label, MARGIN, y, LABEL)
    write(paper, cutToFit(paper, value, RIGHT - MARGIN - 80, FIELD), MARGIN + 80, y, FIELD)
    y += ROW
  }
  return y
}

function drawSummary(paper: Paper, statement: MonthStatement, money: Write, from: number): number {
  const { opening, totals, closing } = statement
  const moved = sumOf(totals)
  return drawTable(
    paper,
    from,
    [text('Summary', 200), number('Count', 80), number('Amount', 130)],
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
    text('Day', 60),
    number('Entries', 45),
    ...KINDS.map((kind) => number(NAMES[kind], 63)),
    number('Closing', 75),
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
  write(paper, `${note}${open}`, MARGIN, roomFor(paper, y + 4), SMALL)
}

/**
 * Draws a table and returns where it ends. Rows that do not fit continue on the next page, under the headings again.
 */
function drawTable(
  paper: Paper,
  from: number,
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
): number {
  const titles = columns.map(({ title }) => title)
  const heading = (y: number) => {
    drawRow(paper, y, columns, titles, HEADING)
    line(paper, y + ROW - 4)
    return y + ROW
  }
  let y = heading(from + 2 * ROW > BOTTOM ? nextPage(paper) : from)
  for (const row of rows) {
    if (y + ROW > BOTTOM) y = heading(nextPage(paper))
    drawRow(paper, y, columns, row, CELL)
    y += ROW
  }
  line(paper, y - 3)
  return y
}

function drawRow(
  paper: Paper,
  y: number,
  columns: readonly Column[],
  cells: readonly string[],
  style: Style,
): void {
  let x = MARGIN
  for (const [index, { width, isNumber }] of columns.entries()) {
    const cell = cells[index] ?? ''
    // The text is placed by hand: with a given width the library would break lines and pages by itself.
    const indent = isNumber ? width - widthOf(paper, cell, style) : 0
    write(paper, cell, x + indent, y, style)
    x += width
  }
}

function roomFor(paper: Paper, y: number): number {
  return y + ROW > BOTTOM ? nextPage(paper) : y
}

function nextPage(paper: Paper): number {
  paper.document.addPage()
  return MARGIN
}

function numberPages(paper: Paper, title: string): void {
  const { document } = paper
  const { start, count } = document.bufferedPageRange()
  for (let index = 0; index < count; index += 1) {
    document.switchToPage(start + index)
    const place = `Page ${index + 1} of ${count}`
    write(paper, title, MARGIN, FOOT, SMALL)
    write(paper, place, RIGHT - widthOf(paper, place, SMALL), FOOT, SMALL)
  }
}

function line(paper: Paper, y: number): void {
  paper.document.moveTo(MARGIN, y).lineTo(RIGHT, y).lineWidth(0.5).strokeColor(GREY).stroke()
}
