import { usePaging } from '../../shell/paging.ts'
import { useText } from '../../text/language.ts'
import { Pager } from '../../ui/pager.tsx'
import { PARTS } from './messages.ts'

export type PagesProps = { readonly rows: number; readonly cursor: string | null; readonly hasMore: boolean }

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
