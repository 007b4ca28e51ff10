import type { ResellerCase } from '../../api/operator.generated.ts'
import { durationText, whenText } from '../../text/dates.ts'
import { useText } from '../../text/language.ts'
import type { Tone } from '../../ui/state.tsx'
import { Shape } from '../../ui/state.tsx'
import { CASES } from './messages.ts'

export type CaseState = ResellerCase['state']

export const STATES: readonly CaseState[] = ['open', 'in_progress', 'resolved', 'refused']

export const STATE_TONES: Readonly<Record<CaseState, Tone>> = {
  open: 'warning',
  in_progress: 'wait',
  resolved: 'ok',
  refused: 'bad',
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
