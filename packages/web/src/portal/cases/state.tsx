import type { Case } from '../../api/portal.generated.ts'
import { useText } from '../../text/language.ts'
import type { Tone } from '../../ui/state.tsx'
import { Pill, State } from '../../ui/state.tsx'
import { CASE_WORDS } from './messages.ts'

export type CaseStateName = Case['state']

export const CASE_STATES: readonly CaseStateName[] = ['open', 'in_progress', 'resolved', 'refused']

export const CASE_TONES: Readonly<Record<CaseStateName, Tone>> = {
  open: 'info',
  in_progress: 'wait',
  resolved: 'ok',
  refused: 'bad',
}

export function isClosed(state: CaseStateName): boolean {
  return state === 'resolved' || state === 'refused'
}

export function CaseState({ state }: { state: CaseStateName }) {
  const { states } = useText(CASE_WORDS)
  return <State tone={CASE_TONES[state]}>{states[state]}</State>
}

export function CasePill({ state }: { state: CaseStateName }) {
  const { states } = useText(CASE_WORDS)
  return <Pill tone={CASE_TONES[state]}>{states[state]}</Pill>
}
