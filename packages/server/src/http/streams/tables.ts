import { guardFormula, printCsv } from '../../lib/input/csv.ts'

/** Value of a column: text as others may have written it, a number of things, an amount or a share from 0 to 1. */
export type ColumnKind = 'text' | 'count' | 'money' | 'share'

/** Table that fits into memory. Cells are texts; an empty one says that there is no value. */
export type DataTable = {
  readonly title: string
  readonly columns: readonly { readonly name: string; readonly kind: ColumnKind }[]
  readonly rows: readonly (readonly string[])[]
}

/** Limit of rows: a table is built in memory, and its file is made at once. */
export const TABLE_ROWS_MAX = 20_000

/** Cells as a CSV file has them: text is guarded against running as a formula. */
export function csvCells({ columns, rows }: DataTable): string[][] {
  return rows.map((row) => row.map((cell, at) => (columns[at]?.kind === 'text' ? guardFormula(cell) : cell)))
}

export function printTableCsv(table: DataTable): string {
  return printCsv([table.columns.map(({ name }) => name), ...csvCells(table)])
}

const FORMATS: Readonly<Record<Exclude<ColumnKind, 'text'>, string>> = {
  count: '#,##0',
  money: '#,##0.00##',
  share: '0.0%',
}
/** Excel's limits of a sheet's name and of a cell's text. */
const SHEET_NAME_MAX = 31
const CELL_LENGTH_MAX = 32_767
const WIDTHS: Readonly<Record<ColumnKind, number>> = { text: 28, count: 12, money: 16, share: 12 }

/**
 * Prints tables as the sheets of an XLSX file. A text is a text cell, whatever it begins with: nothing in the file is a
 * formula, and a telephone number keeps its zeros. Amounts have at most 15 digits, which is what a spreadsheet keeps.
 */
export async function printXlsx(tables: readonly DataTable[]): Promise<Buffer> {
  // The library is imported at the first file: most processes never write one.
  const { default: writeXlsx } = await import('write-excel-file/node')
  const sheets = tables.map(({ title, columns, rows }) => ({
    sheet: title.replaceAll(/[\\/?*[\]:]/g, ' ').slice(0, SHEET_NAME_MAX),
    stickyRowsCount: 1,
    columns: columns.map(({ kind }) => ({ width: WIDTHS[kind] })),
    data: [
      columns.map(({ name }) => ({ value: name, type: String, fontWeight: 'bold' as const })),
      ...rows.map((row) => row.map((cell, at) => cellOf(cell, columns[at]?.kind ?? 'text'))),
    ],
  }))
  return writeXlsx(sheets).toBuffer()
}

function cellOf(cell: string, kind: ColumnKind) {
  if (cell === '') return null
  if (kind === 'text') return { value: printable(cell).slice(0, CELL_LENGTH_MAX), type: String }
  return { value: Number(cell), type: Number, format: FORMATS[kind] }
}

/** Leaves out characters that XML has no form for, with which no program would open the file. */
function printable(text: string): string {
  return text.replaceAll(/[^\t\n\r\P{Cc}]|\p{Cs}|[\ufffe\uffff]/gu, '')
}
