import type { ReportedDeposit } from '../../api/operator.generated.ts'
import { useText } from '../../text/language.ts'
import type { Tone } from '../../ui/state.tsx'
import { Pill, State } from '../../ui/state.tsx'
import { DEPOSITS } from './messages.ts'

export type DepositStateName = ReportedDeposit['state']

export const DEPOSIT_STATES: readonly DepositStateName[] = [
  'reported',
  'accepted',
  'credited',
  'refused',
  'withdrawn',
]

export const DEPOSIT_TONES: Readonly<Record<DepositStateName, Tone>> = {
  reported: 'wait',
  accepted: 'back',
  credited: 'ok',
  refused: 'bad',
  withdrawn: 'off',
}

export function DepositState({ state }: { state: DepositStateName }) {
  const text = useText(DEPOSITS)
  return <State tone={DEPOSIT_TONES[state]}>{text.states[state]}</State>
}

export function DepositPill({ state }: { state: DepositStateName }) {
  const text = useText(DEPOSITS)
  return <Pill tone={DEPOSIT_TONES[state]}>{text.states[state]}</Pill>
}
