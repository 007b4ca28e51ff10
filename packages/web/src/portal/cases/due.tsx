import type { Case } from '../../api/portal.generated.ts'
import { durationText, whenText } from '../../text/dates.ts'
import { useText } from '../../text/language.ts'
import { CASES } from './messages.ts'
import { isClosed } from './state.tsx'

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
