import { useNavigate, useSearch } from '@tanstack/react-router'
import { useRef } from 'react'
import type { Search } from './navigation.tsx'

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
