import { useRef } from 'react'
import { useFilters } from '../shell/navigation.tsx'

type Page = { readonly cursor: string | null; readonly has_more: boolean }

/**
 * Ways to the pages around this one, for `Pager`. The address holds the cursor of the page, and a page leads only to
 * older ones, so the pages that were left are kept here. An address that was opened directly leads to the newest page.
 */
export function useCursor() {
  const [search, change] = useFilters()
  const left = useRef<(string | undefined)[]>([])
  return ({ cursor, has_more: hasMore }: Page) => ({
    onNewer: search.cursor === undefined ? undefined : () => change({ cursor: left.current.pop() }),
    onOlder:
      hasMore && cursor !== null
        ? () => {
            left.current.push(search.cursor)
            change({ cursor })
          }
        : undefined,
  })
}
