import type { Case } from '../../api/portal.generated.ts'
import { dateTimeText, durationText, whenText } from '../../text/dates.ts'
import { useText } from '../../text/language.ts'
import { colourOf } from '../../ui/state.tsx'
import type { Column } from '../../ui/table.tsx'
import { StateOf, toneOf, useWords } from '../states.ts'
import { CASE_WORDS, CASES } from './messages.ts'

export function useCaseColumns(): readonly Column<Case>[] {
  const text = useText(CASES)
  const { kinds } = useText(CASE_WORDS)
  const states = useWords('case')
  return [
    {
      key: 'state',
      head: text.state,
      folded: 'shape',
      width: 140,
      cell: ({ state }) => <StateOf kind="case" state={state} />,
    },
    {
      key: 'number',
      head: text.number,
      folded: 'name',
      className: 'nowrap',
      cell: ({ number }) => <span className="mono">{number}</span>,
    },
    { key: 'kind', head: text.kind, folded: 'amount', cell: ({ kind }) => kinds[kind] },
    {
      key: 'refid',
      head: text.refid,
      folded: 'detail',
      className: 'cut refid',
      cell: ({ refid }) => <span className="mono">{refid}</span>,
    },
    {
      key: 'opened',
      head: text.opened,
      className: 'nowrap',
      cell: ({ created_at: at }) => <span className="sub">{dateTimeText(at)}</span>,
    },
    {
      key: 'due',
      head: text.due,
      folded: 'time',
      className: 'nowrap',
      cell: (row) => (
        <>
          <span className={`pw ${colourOf(toneOf('case', row.state))}`}>{states[row.state]}</span>
          <Due subject={row} />
        </>
      ),
    },
    {
      key: 'updated',
      head: text.updated,
      rank: 3,
      className: 'nowrap',
      cell: ({ updated_at: at }) => <span className="sub">{whenText(at)}</span>,
    },
  ]
}

/** True when nobody works on a case any more. */
export function isClosed(state: Case['state']): boolean {
  return state === 'resolved' || state === 'refused'
}

export function isOverdue({ state, due_at: due }: Pick<Case, 'state' | 'due_at'>): boolean {
  return !isClosed(state) && Date.parse(due) < Date.now()
}

/** Time that is left for a case, or when it was closed. */
export function Due({ subject }: { subject: Pick<Case, 'state' | 'due_at' | 'closed_at'> }) {
  const text = useText(CASES)
  if (isClosed(subject.state)) {
    return <span className="sub">{text.closed(whenText(subject.closed_at ?? subject.due_at))}</span>
  }
  const leftMs = Date.parse(subject.due_at) - Date.now()
  if (leftMs < 0) return <span className="bad">{text.overdueBy(durationText(-leftMs))}</span>
  return <>{text.dueIn(durationText(leftMs))}</>
}
