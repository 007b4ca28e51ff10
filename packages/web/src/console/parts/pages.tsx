import { useLocation } from '@tanstack/react-router'
import { useFilters, useGo } from '../../shell/navigation.tsx'
import { useText } from '../../text/language.ts'
import { Pager } from '../../ui/pager.tsx'
import { PARTS } from './messages.ts'

export type PagesProps = { readonly rows: number; readonly cursor: string | null; readonly hasMore: boolean }

/** Foot of a list that the server gives in pages. Each page is a step of the browser's history. */
export function Pages({ rows, cursor, hasMore }: PagesProps) {
  const text = useText(PARTS)
  const [search] = useFilters()
  const { pathname } = useLocation()
  const go = useGo()
  return (
    <Pager
      onNewer={search.cursor === undefined ? undefined : () => history.back()}
      onOlder={hasMore && cursor !== null ? () => go(pathname, { ...search, cursor }) : undefined}
    >
      {text.shown(rows)}
    </Pager>
  )
}
