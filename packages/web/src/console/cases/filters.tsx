import { useEffect, useState } from 'react'
import { useFilters } from '../../shell/navigation.tsx'
import { useText } from '../../text/language.ts'
import { Segment } from '../../ui/field.tsx'
import { CASES } from './messages.ts'
import { STATES } from './state.tsx'

export const KINDS = ['dispute', 'void'] as const

/** Filters of the cases; they live in the address. */
export function CaseFilters() {
  const text = useText(CASES)
  const [search, change] = useFilters()
  const state = STATES.find((each) => each === search.state) ?? (search.state === 'all' ? 'all' : 'waiting')
  return (
    <div className="filter-row">
      <Segment
        label={text.stateFilter}
        value={state}
        onValue={(next) => change({ state: next === 'waiting' ? undefined : next, cursor: undefined })}
        options={(['waiting', ...STATES, 'all'] as const).map((each) => ({
          value: each,
          label: each === 'waiting' ? text.waiting : each === 'all' ? text.all : text.states[each],
        }))}
      />
      <label className="chip">
        <span className="sub">{text.kindFilter}</span>
        <select
          value={search.kind ?? ''}
          onChange={(event) => change({ kind: event.target.value, cursor: undefined })}
        >
          <option value="">{text.anyKind}</option>
          {KINDS.map((each) => (
            <option key={each} value={each}>
              {text.kinds[each]}
            </option>
          ))}
        </select>
      </label>
      <AccountFilter />
    </div>
  )
}

/** Account of a reseller; it is used on Enter or when the field is left, so that typing asks nothing. */
function AccountFilter() {
  const text = useText(CASES)
  const [search, change] = useFilters()
  const current = search.account ?? ''
  const [value, setValue] = useState(current)
  useEffect(() => setValue(current), [current])
  const use = () => {
    if (value.trim() !== current) change({ account: value.trim(), cursor: undefined })
  }
  return (
    <label className={`chip${current === '' ? '' : ' on'}`}>
      <input
        aria-label={text.account}
        placeholder={text.account}
        value={value}
        onChange={(event) => setValue(event.target.value)}
        onBlur={use}
        onKeyDown={(event) => {
          if (event.key === 'Enter') use()
        }}
        data-find=""
      />
    </label>
  )
}
