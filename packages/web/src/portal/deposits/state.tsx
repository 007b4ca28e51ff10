import type { DepositReport } from '../../api/portal.generated.ts'
import { useText } from '../../text/language.ts'
import type { Tone } from '../../ui/state.tsx'
import { State } from '../../ui/state.tsx'
import { DEPOSITS } from './messages.ts'

export type DepositStateName = DepositReport['state']

export const DEPOSIT_STATES: readonly DepositStateName[] = [
  'reported',
  'accepted',
  'credited',
  'refused',
  'withdrawn',
]

export const DEPOSIT_TONES: Readonly<Record<DepositStateName, Tone>> = {
  reported: 'wait',
  accepted: 'wait',
  credited: 'ok',
  refused: 'bad',
  withdrawn: 'off',
}

export function DepositState({ state }: { state: DepositStateName }) {
  const text = useText(DEPOSITS)
  return <State tone={DEPOSIT_TONES[state]}>{text.states[state]}</State>
}
