import { useState } from 'react'
import type { Approval } from '../../api/operator.generated.ts'
import { useOperator } from '../../api/operator.ts'
import { SelectFilter } from '../../shell/filters.tsx'
import { useFilters, usePaging } from '../../shell/navigation.tsx'
import { useText } from '../../text/language.ts'
import { Segment } from '../../ui/field.tsx'
import { Empty, Loaded } from '../../ui/loaded.tsx'
import { PageHead, Panel } from '../../ui/panel.tsx'
import { Pager } from '../../ui/table.tsx'
import { CONSOLE } from '../messages.ts'
import { useMay } from '../roles.ts'
import { useSignedIn } from '../session.ts'
import { namesOf, useWords } from '../states.ts'
import type { Verdict } from './approval-item.tsx'
import { ApprovalItem, DecideDialog } from './approval-item.tsx'
import type { Kind } from './descriptions.ts'
import { ICONS } from './descriptions.ts'
import { APPROVALS } from './messages.ts'
import './approvals.css'

const PAGE_ROWS = 50
const KINDS = Object.keys(ICONS) as readonly Kind[]

/** Requests that wait for a second person, and former ones. */
export function Page() {
  const text = useText(APPROVALS)
  const pages = useText(CONSOLE)
  const [search, change] = useFilters()
  const paging = usePaging()
  const states = useWords('approval')
  const state =
    namesOf('approval').find((each) => each === search.state) ?? (search.state === 'all' ? 'all' : 'pending')
  const kind = KINDS.find((each) => each === search.kind)
  const query = {
    ...(state === 'all' ? {} : { state }),
    ...(kind === undefined ? {} : { kind }),
    ...(search.cursor === undefined ? {} : { cursor: search.cursor }),
    limit: PAGE_ROWS,
  }
  const reading = useOperator('listApprovals', { query }, { keepsFormer: true })
  return (
    <>
      <PageHead title={pages.approvals} about={text.about} />
      <Panel isFlush className="appr">
        <div className="filter-row">
          <Segment
            label={text.stateFilter}
            value={state}
            onValue={(next) => change({ state: next === 'pending' ? undefined : next, cursor: undefined })}
            options={[...namesOf('approval'), 'all' as const].map((each) => ({
              value: each,
              label: each === 'all' ? text.allStates : states[each],
            }))}
          />
          <SelectFilter
            name="kind"
            label={text.kindFilter}
            any={text.anyKind}
            options={KINDS.map((each) => ({ value: each, label: text.kinds[each] }))}
          />
        </div>
        <Loaded
          reading={reading}
          bones={6}
          empty={<Empty icon="check" title={text.none} about={text.noneAbout} />}
        >
          {({ data, ...around }) => (
            <>
              <Items approvals={data} />
              <Pager
                onNewer={paging.onNewer}
                onOlder={around.has_more ? paging.olderFrom(around.cursor) : undefined}
              >
                {text.shown(data.length)}
              </Pager>
            </>
          )}
        </Loaded>
      </Panel>
    </>
  )
}

function Items({ approvals }: { approvals: readonly Approval[] }) {
  const may = useMay()
  const { email } = useSignedIn()
  const [asked, setAsked] = useState<{ approval: Approval; verdict: Verdict } | undefined>(undefined)
  return (
    <>
      <ul className="list">
        {approvals.map((approval) => (
          <ApprovalItem
            key={approval.id}
            approval={approval}
            mayDecide={may('approvals.decide') && approval.requested_by !== email}
            onDecide={(verdict) => setAsked({ approval, verdict })}
          />
        ))}
      </ul>
      {asked === undefined ? null : <DecideDialog {...asked} onClose={() => setAsked(undefined)} />}
    </>
  )
}
