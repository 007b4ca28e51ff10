import type { ResellerCase } from '../../api/operator.generated.ts'
import { SelectFilter, TextFilter } from '../../shell/filters.tsx'
import { useFilters } from '../../shell/navigation.tsx'
import { durationText, whenText } from '../../text/dates.ts'
import { useText } from '../../text/language.ts'
import { Segment } from '../../ui/field.tsx'
import { Shape } from '../../ui/state.tsx'
import { namesOf, useWords } from '../states.ts'
import { CASES } from './messages.ts'

export const KINDS = ['dispute', 'void'] as const

/** Filters of the cases; they live in the address. */
export function CaseFilters() {
  const text = useText(CASES)
  const words = useWords('case')
  const states = namesOf('case')
  const [search, change] = useFilters()
  const state = states.find((each) => each === search.state) ?? (search.state === 'all' ? 'all' : 'waiting')
  return (
    <div className="filter-row">
      <Segment
        label={text.stateFilter}
        value={state}
        onValue={(next) => change({ state: next === 'waiting' ? undefined : next, cursor: undefined })}
        options={(['waiting', ...states, 'all'] as const).map((each) => ({
          value: each,
          label: each === 'waiting' ? text.waiting : each === 'all' ? text.all : words[each],
        }))}
      />
      <SelectFilter
        name="kind"
        label={text.kindFilter}
        any={text.anyKind}
        options={KINDS.map((each) => ({ value: each, label: text.kinds[each] }))}
      />
      <TextFilter name="account" label={text.account} isFinder />
    </div>
  )
}

type Due = Pick<ResellerCase, 'due_at' | 'closed_at'>

export function isOverdue({ due_at: due, closed_at: closed }: Due): boolean {
  return closed === null && Date.parse(due) < Date.now()
}

/** Due time; overdue cases say for how long. */
export function DueTime(props: Due) {
  const text = useText(CASES)
  const leftMs = Date.parse(props.due_at) - Date.now()
  if (isOverdue(props)) {
    return (
      <span className="st bad">
        <Shape tone="critical" />
        {text.overdue(durationText(-leftMs))}
      </span>
    )
  }
  return (
    <span className="nowrap">
      {whenText(props.due_at)}{' '}
      {props.closed_at === null ? <span className="sub">{text.left(durationText(leftMs))}</span> : null}
    </span>
  )
}
