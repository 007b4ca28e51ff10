import type { Case } from '../../api/portal.generated.ts'
import { dateTimeText, whenText } from '../../text/dates.ts'
import { useText } from '../../text/language.ts'
import { colourOf } from '../../ui/state.tsx'
import type { Column } from '../../ui/table.tsx'
import { Due } from './due.tsx'
import { CASE_WORDS, CASES } from './messages.ts'
import { CASE_TONES, CaseState } from './state.tsx'

export function useCaseColumns(): readonly Column<Case>[] {
  const text = useText(CASES)
  const { kinds, states } = useText(CASE_WORDS)
  return [
    {
      key: 'state',
      head: text.state,
      folded: 'shape',
      width: 140,
      cell: ({ state }) => <CaseState state={state} />,
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
          <span className={`pw ${colourOf(CASE_TONES[row.state])}`}>{states[row.state]}</span>
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
