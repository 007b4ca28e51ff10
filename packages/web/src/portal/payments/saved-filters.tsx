import { useState } from 'react'
import type { SavedFilter } from '../../api/portal.generated.ts'
import { usePortal } from '../../api/portal.ts'
import { portalDropFilter, portalSaveFilter } from '../../api/portal-acts.generated.ts'
import type { Search } from '../../shell/navigation.tsx'
import { useFilters } from '../../shell/navigation.tsx'
import { useText } from '../../text/language.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { PortalAct } from '../act.tsx'
import { useMay } from '../session.ts'
import { PAYMENTS } from './messages.ts'

/** Filters that a view has; the page of a list is none of them. */
const NAMES = ['status', 'product', 'account', 'refid', 'q', 'from', 'to'] as const

function queryOf(search: Search): string {
  const given = NAMES.flatMap((name) => {
    const value = search[name]
    return value === undefined || value === '' ? [] : [[name, value] as [string, string]]
  })
  return new URLSearchParams(given).toString()
}

/** Views that people have saved, each of them a click, and the button that saves the present one. */
export function SavedFilters() {
  const text = useText(PAYMENTS)
  const maySave = useMay('sell')
  const [search, change] = useFilters()
  const [isSaving, setSaving] = useState(false)
  const [dropped, setDropped] = useState<SavedFilter | undefined>(undefined)
  const saved = usePortal('portalListFilters', {}).data?.data ?? []
  const query = queryOf(search)
  const open = (filter: SavedFilter) => {
    const wanted = new URLSearchParams(filter.query)
    const values = NAMES.map((name) => [name, wanted.get(name) ?? undefined] as const)
    change({ ...Object.fromEntries(values), cursor: undefined })
  }
  return (
    <>
      {saved.map((each) => (
        <span className="row tight" key={each.id}>
          <button
            type="button"
            className="chip"
            aria-pressed={each.query === query}
            onClick={() => open(each)}
          >
            {each.name}
          </button>
          {maySave ? (
            <IconButton
              icon="close"
              small
              label={text.dropFilter(each.name)}
              onClick={() => setDropped(each)}
            />
          ) : null}
        </span>
      ))}
      {query === '' || !maySave || saved.some((each) => each.query === query) ? null : (
        <Button size="sm" icon="plus" onClick={() => setSaving(true)}>
          {text.saveFilter}
        </Button>
      )}
      {isSaving ? (
        <PortalAct
          act={portalSaveFilter}
          fields={{ name: { label: text.filterName }, is_shared: { label: text.filterShared } }}
          from={{ is_shared: false }}
          members={{ query }}
          title={text.saveFilter}
          action={text.saveAction}
          isDangerous={false}
          refresh={['portalListFilters']}
          onClose={() => setSaving(false)}
        />
      ) : null}
      {dropped === undefined ? null : (
        <PortalAct
          act={portalDropFilter}
          input={{ params: { id: dropped.id } }}
          title={text.dropFilterTitle(dropped.name)}
          action={text.dropAction}
          refresh={['portalListFilters']}
          onClose={() => setDropped(undefined)}
        />
      )}
    </>
  )
}
