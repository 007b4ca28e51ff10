import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import type { AnchorHTMLAttributes, ReactNode } from 'react'
import { useRef } from 'react'
import { Icon } from '../ui/icon.tsx'

export type Search = Readonly<Record<string, string | undefined>>

type PageLinkProps = {
  /** Path of a page of this entry, with its parameters filled in. */
  readonly to: string
  readonly search?: Search
  readonly children?: ReactNode
} & Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'>

/** Link to a page of the app. */
export function PageLink({ to, search, children, ...rest }: PageLinkProps) {
  const target = { to, ...(search === undefined ? {} : { search }) }
  return (
    <Link {...(target as unknown as { to: '.' })} {...rest} activeOptions={{ exact: true }}>
      {children}
    </Link>
  )
}

type CrumbsProps = { readonly to: string; readonly label: string; readonly here: ReactNode }

/** Path to a page, above its title: the list that it is in, and its own code. */
export function Crumbs({ to, label, here }: CrumbsProps) {
  return (
    <>
      <PageLink to={to}>{label}</PageLink>
      <Icon name="chevronRight" small />
      <span className="mono">{here}</span>
    </>
  )
}

/** Returns a function that opens a page. */
export function useGo(): (to: string, search?: Search, options?: { replace?: boolean }) => void {
  const navigate = useNavigate()
  return (to, search, options = {}) => {
    const target = { to, search: search ?? {}, replace: options.replace ?? false }
    void navigate(target as unknown as { to: '.' })
  }
}

/** Returns the filters in the address, and a function that changes some of them; undefined removes one. */
export function useFilters(): readonly [Search, (changes: Search) => void] {
  const search = useSearch({ strict: false }) as Search
  const navigate = useNavigate()
  const change = (changes: Search) => {
    const next: Record<string, string> = {}
    for (const [name, value] of Object.entries({ ...search, ...changes })) {
      if (value !== undefined && value !== '') next[name] = value
    }
    void navigate({ to: '.', search: next as never, replace: true })
  }
  return [search, change]
}

/** Returns a parameter of the page's path. */
export function useParam(name: string): string {
  const params = useParams({ strict: false }) as Readonly<Record<string, string | undefined>>
  return params[name] ?? ''
}

export type Paging = {
  readonly isFirstPage: boolean
  /** Opens the page before this one; undefined on the first. */
  readonly onNewer: (() => void) | undefined
  /** Returns what opens the page at a cursor; undefined when the list ends here. */
  readonly olderFrom: (cursor: string | null) => (() => void) | undefined
  readonly openFirst: () => void
}

/**
 * Pages of a list by the cursor in the address. Each page is a step of the browser's history. The server's cursors lead
 * to older rows only, so the way back is remembered here; a page that was opened by its address leads to the first.
 */
export function usePaging(): Paging {
  const search = useSearch({ strict: false }) as Search
  const navigate = useNavigate()
  const newerOf = useRef(new Map<string, string | undefined>())
  const { cursor, ...filters } = search
  const open = (next: string | undefined) => {
    const target = next === undefined ? filters : { ...filters, cursor: next }
    void navigate({ to: '.', search: target as never })
  }
  return {
    isFirstPage: cursor === undefined,
    onNewer: cursor === undefined ? undefined : () => open(newerOf.current.get(cursor)),
    olderFrom: (next) =>
      next === null
        ? undefined
        : () => {
            newerOf.current.set(next, cursor)
            open(next)
          },
    openFirst: () => open(undefined),
  }
}
