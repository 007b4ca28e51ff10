import type { KeyboardEvent, ReactNode } from 'react'

/** Place of a cell in the two-line row of narrow screens. */
export type FoldedPlace = 'shape' | 'name' | 'amount' | 'detail' | 'time'

const FOLDED: Readonly<Record<FoldedPlace, string>> = {
  shape: 'p-a',
  name: 'p-b',
  amount: 'p-c',
  detail: 'p-d',
  time: 'p-e',
}

export type Column<Row> = {
  readonly key: string
  readonly head: ReactNode
  readonly cell: (row: Row) => ReactNode
  readonly isRight?: boolean
  /** Columns of rank 2 leave below 1,220 px, of rank 3 below 1,340 px. */
  readonly rank?: 2 | 3
  readonly folded?: FoldedPlace
  readonly width?: number
  readonly className?: string
}

export type TableProps<Row> = {
  /** Says what the rows are; for screen readers. */
  readonly caption: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly rowKey: (row: Row) => string
  /** Opens a row by click, or by Enter. */
  readonly onOpen?: (row: Row) => void
  readonly rowClass?: (row: Row) => string | undefined
  /** Row of cursor keys. */
  readonly cursor?: string | undefined
  /** False: columns stay on narrow screens, and the table scrolls. */
  readonly isFolding?: boolean
}

/** Table of the server's pages. J and K move through rows that can be opened. */
export function Table<Row>(props: TableProps<Row>) {
  const { caption, columns, rows, rowKey, onOpen, rowClass, cursor, isFolding = true } = props
  const folds = isFolding && columns.some((each) => each.folded !== undefined)
  const table = (
    <table className={`tbl${folds ? ' fold' : ''}${onOpen === undefined ? '' : ' go'}`}>
      <caption className="hide">{caption}</caption>
      <thead>
        <tr>
          {columns.map((column) => (
            <th
              key={column.key}
              scope="col"
              className={columnClass(column)}
              style={column.width === undefined ? undefined : { width: column.width }}
            >
              {column.head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => {
          const key = rowKey(row)
          const classes = [rowClass?.(row), key === cursor ? 'is-cursor' : undefined]
          return (
            <tr
              key={key}
              className={classes.filter((each) => each !== undefined).join(' ') || undefined}
              {...(onOpen === undefined ? {} : openAttributes(() => onOpen(row)))}
            >
              {columns.map((column) => (
                <td key={column.key} className={columnClass(column)}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          )
        })}
      </tbody>
    </table>
  )
  return folds ? table : <div className="scroll-x">{table}</div>
}

function columnClass<Row>({ isRight, rank, folded, className }: Column<Row>): string | undefined {
  const parts = [
    isRight ? 'r' : '',
    rank === undefined ? '' : `c-${rank}`,
    folded === undefined ? '' : FOLDED[folded],
    className ?? '',
  ]
  return parts.filter((each) => each !== '').join(' ') || undefined
}

function openAttributes(open: () => void) {
  return {
    tabIndex: 0,
    'data-row': '',
    onClick: (event: { target: EventTarget }) => {
      // A link or a button inside the row does its own thing.
      if (event.target instanceof Element && event.target.closest('a, button, input') !== null) return
      open()
    },
    onKeyDown: (event: KeyboardEvent<HTMLTableRowElement>) => {
      if (event.key === 'Enter' && event.target === event.currentTarget) open()
    },
  }
}
