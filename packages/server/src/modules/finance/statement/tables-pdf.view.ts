import type { ColumnKind, DataTable } from '../../../http/streams/tables.ts'
import type { Column, Imprint } from './pages.view.ts'
import {
  CONTENT_WIDTH,
  drawFields,
  drawTable,
  numberColumn,
  printDocument,
  ROW,
  textColumn,
} from './pages.view.ts'
import { groupThousands } from './statement.rules.ts'

export type TablesDocument = Omit<Imprint, 'names'> & {
  readonly heading: string
  readonly fields: readonly (readonly [label: string, value: string])[]
  readonly tables: readonly DataTable[]
}

const WIDTHS: Readonly<Record<Exclude<ColumnKind, 'text'>, number>> = { count: 48, money: 66, share: 48 }

/** Prints tables below a heading. The same tables give the same bytes. */
export function printTablesPdf(document: TablesDocument): AsyncGenerator<Uint8Array> {
  const { heading, fields, tables, ...imprint } = document
  const texts = tables.flatMap(({ columns, rows }) =>
    rows.flatMap((row) => row.filter((_, at) => columns[at]?.kind === 'text')),
  )
  const names = [imprint.issuer, ...fields.map(([, value]) => value), ...texts]
  return printDocument({ ...imprint, names }, (paper) => {
    let y = drawFields(paper, heading, fields) + ROW
    for (const table of tables) y = drawTable(paper, y, columnsOf(table), rowsOf(table)) + ROW
  })
}

/** Texts share the room that numbers leave. */
function columnsOf({ columns }: DataTable): Column[] {
  const numbers = columns.reduce((sum, { kind }) => sum + (kind === 'text' ? 0 : WIDTHS[kind]), 0)
  const texts = columns.filter(({ kind }) => kind === 'text').length
  const width = (CONTENT_WIDTH - numbers) / Math.max(1, texts)
  return columns.map(({ name, kind }) =>
    kind === 'text' ? textColumn(name, width) : numberColumn(name, WIDTHS[kind]),
  )
}

/** Amounts of a column have the same decimals, so that their points align. */
function rowsOf({ columns, rows }: DataTable): string[][] {
  const decimals = columns.map((_, at) =>
    Math.max(...rows.map((row) => row[at]?.split('.')[1]?.length ?? 0), 0),
  )
  return rows.map((row) =>
    row.map((cell, at) => {
      const kind = columns[at]?.kind ?? 'text'
      if (kind === 'text' || cell === '') return cell
      if (kind === 'share') return `${(Number(cell) * 100).toFixed(1)}%`
      const [whole = '', fraction = ''] = cell.split('.')
      const padded = kind === 'money' ? `${whole}.${fraction.padEnd(decimals[at] ?? 0, '0')}` : cell
      return groupThousands(padded)
    }),
  )
}
