import { Link } from '@tanstack/react-router'
import type { KeyboardEvent, MouseEvent, ReactNode } from 'react'
import { useText } from '../text/language.ts'
import { Button } from './button.tsx'
import { UI } from './messages.ts'

/** Place of a cell in the two-line row of narrow screens. */
type FoldedPlace = 'shape' | 'name' | 'amount' | 'detail' | 'time'

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

/** Page that a row leads to. `isBeside`: it is shown beside the table, which stays where it is. */
type RowLink = {
  readonly to: string
  readonly search?: Readonly<Record<string, string | undefined>>
  readonly isBeside?: boolean
}

type TableProps<Row> = {
  /** Says what the rows are; for screen readers. */
  readonly caption: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly rowKey: (row: Row) => string
  /** Page of each row: its name is the link, and the rest of the row follows it, into another tab as well. */
  readonly linkTo?: (row: Row) => RowLink
  /** Opens what has no address by click, or by Enter. */
  readonly onOpen?: (row: Row) => void
  readonly rowClass?: (row: Row) => string | undefined
  /** Row of cursor keys. */
  readonly cursor?: string | undefined
  /** False: columns stay on narrow screens, and the table scrolls. */
  readonly isFolding?: boolean
}

/** Table of the server's pages. J and K move through rows that can be opened. */
export function Table<Row>(props: TableProps<Row>) {
  const { caption, columns, rows, rowKey, linkTo, onOpen, rowClass, cursor, isFolding = true } = props
  const named = columns.find(({ folded }) => folded === 'name') ?? columns[0]
  const folds = isFolding && columns.some((each) => each.folded !== undefined)
  const table = (
    <table
      className={`tbl${folds ? ' fold' : ''}${onOpen === undefined && linkTo === undefined ? '' : ' go'}`}
    >
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
              {...(linkTo === undefined ? {} : LINKED)}
              {...(onOpen === undefined ? {} : openAttributes(() => onOpen(row)))}
            >
              {columns.map((column) => (
                <td key={column.key} className={columnClass(column)}>
                  {linkTo !== undefined && column === named ? (
                    <NameLink {...linkTo(row)}>{column.cell(row)}</NameLink>
                  ) : (
                    column.cell(row)
                  )}
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

function NameLink({ to, search, isBeside, children }: RowLink & { children: ReactNode }) {
  const target = { to, ...(search === undefined ? {} : { search }) }
  const staying = isBeside ? { replace: true, resetScroll: false } : {}
  return (
    <Link
      {...(target as unknown as { to: '.' })}
      {...staying}
      className="row-link"
      activeProps={{ 'aria-current': undefined }}
      data-row=""
    >
      {children}
    </Link>
  )
}

/** A link, a button or a field inside the row does its own thing, and text that is being marked is left alone. */
function isForRow({ target }: { target: EventTarget }): boolean {
  if (target instanceof Element && target.closest('a, button, input, label') !== null) return false
  return getSelection()?.isCollapsed !== false
}

type RowEvent = MouseEvent<HTMLTableRowElement>

function follow(event: RowEvent): void {
  if (!isForRow(event)) return
  const link = event.currentTarget.querySelector<HTMLAnchorElement>('a.row-link')
  const isElsewhere = event.button === 1 || event.ctrlKey || event.metaKey || event.shiftKey
  if (isElsewhere) window.open(link?.href, '_blank', 'noopener')
  else link?.click()
}

const LINKED = {
  onClick: follow,
  onAuxClick: (event: RowEvent) => {
    if (event.button === 1) follow(event)
  },
  onMouseDown: (event: RowEvent) => {
    // The middle button would begin to scroll by itself.
    if (event.button === 1 && isForRow(event)) event.preventDefault()
  },
}

function openAttributes(open: () => void) {
  return {
    tabIndex: 0,
    'data-row': '',
    onClick: (event: { target: EventTarget }) => {
      if (isForRow(event)) open()
    },
    onKeyDown: (event: KeyboardEvent<HTMLTableRowElement>) => {
      if (event.key === 'Enter' && event.target === event.currentTarget) open()
    },
  }
}

type PagerProps = {
  /** Says how many rows are shown. */
  readonly children: ReactNode
  readonly onNewer: (() => void) | undefined
  readonly onOlder: (() => void) | undefined
  /** Order of the rows: `age` is newest first. */
  readonly order?: 'age' | 'other'
}

/** Foot of a table whose pages follow one another by cursor. */
export function Pager({ children, onNewer, onOlder, order = 'age' }: PagerProps) {
  const text = useText(UI)
  return (
    <div className="foot-row">
      <span>{children}</span>
      <span className="row push">
        <Button size="sm" icon="chevronLeft" disabled={onNewer === undefined} onClick={() => onNewer?.()}>
          {order === 'age' ? text.newer : text.previous}
        </Button>
        <Button size="sm" icon="chevronRight" disabled={onOlder === undefined} onClick={() => onOlder?.()}>
          {order === 'age' ? text.older : text.next}
        </Button>
      </span>
    </div>
  )
}

/** Column of what can be done with a row; its head is read out and not shown. */
export function actionHead(label: string) {
  return {
    key: 'act',
    head: <span className="hide">{label}</span>,
    isRight: true,
    folded: 'amount',
  } as const
}
