import type { Paper, Style } from './statement-text.view.ts'
import { cutToFit, GREY, openPaper, widthOf, write } from './statement-text.view.ts'

// Pages of fields and tables, which statements and reports share.

const MARGIN = 50
const PAGE_WIDTH = 595.28
const RIGHT = PAGE_WIDTH - MARGIN
export const CONTENT_WIDTH = RIGHT - MARGIN
/** Lowest position of a row: it ends above the page number. */
const BOTTOM = 770
const FOOT = 795
export const ROW = 16
/** Room between a text and the column behind it. */
const GAP = 6
const CELL: Style = { size: 8 }
const HEADING: Style = { size: 8, isBold: true }
const SMALL: Style = { size: 8, color: GREY }
const LABEL: Style = { size: 9, color: GREY }
const FIELD: Style = { size: 9 }

export type Column = { readonly title: string; readonly width: number; readonly isNumber: boolean }

export const textColumn = (title: string, width: number): Column => ({ title, width, isNumber: false })
export const numberColumn = (title: string, width: number): Column => ({ title, width, isNumber: true })

/** Names on a document, and the time that it is of: the same document is the same bytes. */
export type Imprint = {
  readonly title: string
  readonly subject: string
  readonly issuer: string
  readonly at: Date
  /** Texts that may need a typeface of their own. */
  readonly names: readonly string[]
}

/** Opens a document, lets it be drawn, numbers its pages and prints it. */
export async function* printDocument(
  { title, subject, issuer, at, names }: Imprint,
  draw: (paper: Paper) => void,
): AsyncGenerator<Uint8Array> {
  // The library is imported at the first print, because it is large and most processes never print.
  const { default: PDFDocument } = await import('pdfkit')
  const document = new PDFDocument({
    size: 'A4',
    margins: { top: MARGIN, right: MARGIN, bottom: 0, left: MARGIN },
    bufferPages: true,
    lang: 'en',
    info: { Title: title, Author: issuer, Subject: subject, CreationDate: at },
  })
  const paper = await openPaper(document, names)
  draw(paper)
  numberPages(paper, title)
  document.end()
  for await (const piece of document) yield piece as Uint8Array
}

/** Draws the heading and its fields, and returns where they end. */
export function drawFields(
  paper: Paper,
  heading: string,
  fields: readonly (readonly [label: string, value: string])[],
): number {
  write(paper, heading, MARGIN, MARGIN, { size: 16, isBold: true })
  let y = MARGIN + 2 * ROW
  for (const [label, value] of fields) {
    write(paper, label, MARGIN, y, LABEL)
    write(paper, cutToFit(paper, value, RIGHT - MARGIN - 80, FIELD), MARGIN + 80, y, FIELD)
    y += ROW
  }
  return y
}

/** Draws a remark below a table. */
export function drawNote(paper: Paper, note: string, y: number): void {
  write(paper, note, MARGIN, roomFor(paper, y + 4), SMALL)
}

/**
 * Draws a table and returns where it ends. Rows that do not fit continue on the next page, under the headings again.
 */
export function drawTable(
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
    const given = cells[index] ?? ''
    // A number is never cut: it would be another one.
    const cell = isNumber ? given : cutToFit(paper, given, width - GAP, style)
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
