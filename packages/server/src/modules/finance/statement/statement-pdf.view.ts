import type PDFDocument from 'pdfkit'
import { formatDay, startOfDayMs } from '../../../lib/dates.ts'
import type { Amount } from '../../../lib/money.ts'
import type { TransferKind } from '../../wallet/balance/types.ts'
import type { Movements } from '../../wallet/statement/periods.types.ts'
import { KINDS, sumOf } from '../closings/closings.rules.ts'
import type { MonthStatement } from '../closings/types.ts'
import { sameDecimals, statementNumber, toLatin } from './statement.rules.ts'

type Document = InstanceType<typeof PDFDocument>
/** An amount as the reader sees it. */
type Write = (amount: Amount) => string

const MARGIN = 50
const PAGE_WIDTH = 595.28
const RIGHT = PAGE_WIDTH - MARGIN
/** The last row ends above the page's number. */
const BOTTOM = 770
const FOOT = 795
const ROW = 16
const GREY = '#666666'
const BLACK = '#000000'

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

/** Summary and days of a month. The same statement is the same bytes: nothing in it is of the time of printing. */
export async function* printStatementPdf(
  statement: MonthStatement,
  issuer: string,
): AsyncGenerator<Uint8Array> {
  const title = toLatin(`Statement ${statement.month.name}, account ${statement.account}`)
  // When it is needed: it is large, and most of those who start never print.
  const { default: Paper } = await import('pdfkit')
  const document = new Paper({
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
  const afterHead = drawHead(document, statement, issuer)
  const money = sameDecimals(amountsOf(statement))
  const afterSummary = drawSummary(document, statement, money, afterHead + ROW)
  drawDays(document, statement, money, afterSummary + ROW)
  numberPages(document, title)
  document.end()
  for await (const piece of document) yield piece as Uint8Array
}

/** Every amount that is shown. */
function amountsOf({ opening, closing, totals, days }: MonthStatement): Amount[] {
  const shown = (movements: Movements) => KINDS.map((kind) => movements[kind].amount)
  return [
    opening,
    closing,
    ...shown(totals),
    ...days.flatMap(({ movements, closing: left }) => [...shown(movements), left]),
  ]
}

function drawHead(document: Document, statement: MonthStatement, issuer: string): number {
  const { account, name, month, asOf } = statement
  write(document, 'Statement of account', MARGIN, MARGIN, 16, true)
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
    write(document, label, MARGIN, y, 9, false, GREY)
    write(document, cutToFit(document, toLatin(value), RIGHT - MARGIN - 80), MARGIN + 80, y, 9)
    y += ROW
  }
  return y
}

function drawSummary(document: Document, statement: MonthStatement, money: Write, from: number): number {
  const { opening, totals, closing } = statement
  const moved = sumOf(totals)
  return drawTable(
    document,
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

function drawDays(document: Document, { days, totals }: MonthStatement, money: Write, from: number): void {
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
  const y = drawTable(document, from, columns, [...rows, sum])
  const note = 'Days without movements are left out.'
  const open = days.some(({ closedAt }) => closedAt === null) ? ' * not closed yet' : ''
  write(document, `${note}${open}`, MARGIN, roomFor(document, y + 4), 8, false, GREY)
}

/** Returns where it ends; what does not fit on the page goes on on the next one, under the headings again. */
function drawTable(
  document: Document,
  from: number,
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
): number {
  const titles = columns.map(({ title }) => title)
  const heading = (y: number) => {
    drawRow(document, y, columns, titles, true)
    line(document, y + ROW - 4)
    return y + ROW
  }
  let y = heading(from + 2 * ROW > BOTTOM ? nextPage(document) : from)
  for (const row of rows) {
    if (y + ROW > BOTTOM) y = heading(nextPage(document))
    drawRow(document, y, columns, row, false)
    y += ROW
  }
  line(document, y - 3)
  return y
}

function drawRow(
  document: Document,
  y: number,
  columns: readonly Column[],
  cells: readonly string[],
  isBold: boolean,
): void {
  let x = MARGIN
  for (const [index, { width, isNumber }] of columns.entries()) {
    const cell = cells[index] ?? ''
    setFont(document, 8, isBold, BLACK)
    // Placed by hand: a width given to the document would let it break lines and pages by itself.
    const indent = isNumber ? width - document.widthOfString(cell) : 0
    write(document, cell, x + indent, y, 8, isBold)
    x += width
  }
}

function roomFor(document: Document, y: number): number {
  return y + ROW > BOTTOM ? nextPage(document) : y
}

function nextPage(document: Document): number {
  document.addPage()
  return MARGIN
}

function numberPages(document: Document, title: string): void {
  const { start, count } = document.bufferedPageRange()
  for (let index = 0; index < count; index += 1) {
    document.switchToPage(start + index)
    const place = `Page ${index + 1} of ${count}`
    write(document, title, MARGIN, FOOT, 8, false, GREY)
    write(document, place, RIGHT - document.widthOfString(place), FOOT, 8, false, GREY)
  }
}

function write(
  document: Document,
  words: string,
  x: number,
  y: number,
  size: number,
  isBold = false,
  color = BLACK,
): void {
  if (words === '') return
  setFont(document, size, isBold, color)
  document.text(words, x, y, { lineBreak: false })
}

function setFont(document: Document, size: number, isBold: boolean, color: string): void {
  document
    .font(isBold ? 'Helvetica-Bold' : 'Helvetica')
    .fontSize(size)
    .fillColor(color)
}

function line(document: Document, y: number): void {
  document.moveTo(MARGIN, y).lineTo(RIGHT, y).lineWidth(0.5).strokeColor(GREY).stroke()
}

/** Cut off with an ellipsis where it is wider. */
function cutToFit(document: Document, words: string, width: number): string {
  setFont(document, 9, false, BLACK)
  if (document.widthOfString(words) <= width) return words
  let kept = words
  while (kept !== '' && document.widthOfString(`${kept}…`) > width) kept = kept.slice(0, -1)
  return `${kept}…`
}
