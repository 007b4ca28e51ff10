import type { ReactNode } from 'react'
import { PageLink, usePaging } from '../../shell/navigation.tsx'
import { useText } from '../../text/language.ts'
import type { Reading } from '../../ui/loaded.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { PageHead } from '../../ui/panel.tsx'
import { Pager } from '../../ui/table.tsx'
import { PARTS } from './messages.ts'
import './parts.css'

type PagesProps = { readonly rows: number; readonly cursor: string | null; readonly hasMore: boolean }

/** Foot of a list that the server gives in pages. Each page is a step of the browser's history. */
export function Pages({ rows, cursor, hasMore }: PagesProps) {
  const text = useText(PARTS)
  const paging = usePaging()
  return (
    <Pager onNewer={paging.onNewer} onOlder={hasMore ? paging.olderFrom(cursor) : undefined}>
      {text.shown(rows)}
    </Pager>
  )
}

type LoadedPageProps<T> = {
  readonly reading: Reading<T>
  /** Title of the page when the thing that it is about could not be read. */
  readonly title: string
  readonly children: (data: T) => ReactNode
}

/** Page about one thing: without it the page still has a title, and says why. */
export function LoadedPage<T>({ reading, title, children }: LoadedPageProps<T>) {
  const isMissing = reading.data === undefined && reading.error !== null
  return (
    <>
      {isMissing ? <PageHead title={title} /> : null}
      <Loaded reading={reading} bones={8}>
        {children}
      </Loaded>
    </>
  )
}

type Tab = { readonly value: string; readonly label: string }

type TabsProps = {
  readonly label: string
  readonly to: string
  /** Tab that is open. */
  readonly open: string
  readonly tabs: readonly Tab[]
}

/** Parts of a page, each with an address of its own. */
export function Tabs({ label, to, open, tabs }: TabsProps) {
  return (
    <nav className="tabs" aria-label={label}>
      {tabs.map(({ value, label: name }) => (
        <PageLink
          key={value}
          to={to}
          search={{ tab: value }}
          {...(value === open ? { 'aria-current': 'page' as const } : {})}
        >
          {name}
        </PageLink>
      ))}
    </nav>
  )
}

/** Line of filters above a list. */
export function FilterLine({ children }: { children: ReactNode }) {
  return <div className="find-bar">{children}</div>
}
