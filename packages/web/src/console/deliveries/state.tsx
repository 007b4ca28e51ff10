import type { Receiver } from '../../api/operator.generated.ts'
import { useText } from '../../text/language.ts'
import type { Tone } from '../../ui/state.tsx'
import { Pill, State } from '../../ui/state.tsx'
import { DELIVERIES } from './messages.ts'

export type ReceiverStateName = 'well' | 'untried' | 'failing' | 'paused' | 'disabled'

export const RECEIVER_TONES: Readonly<Record<ReceiverStateName, Tone>> = {
  well: 'ok',
  untried: 'info',
  failing: 'bad',
  paused: 'wait',
  disabled: 'off',
}

type Standing = Pick<Receiver, 'is_enabled' | 'paused_at' | 'failing_since' | 'last_success_at'>

/** State of a receiver. A pause by an operator is told before everything else. */
export function receiverState({
  is_enabled: isEnabled,
  paused_at: paused,
  failing_since: failing,
  last_success_at: success,
}: Standing): ReceiverStateName {
  if (paused !== null) return 'paused'
  if (!isEnabled) return 'disabled'
  if (failing !== null) return 'failing'
  return success === null ? 'untried' : 'well'
}

export function ReceiverState({ receiver }: { receiver: Standing }) {
  const text = useText(DELIVERIES)
  const state = receiverState(receiver)
  return <State tone={RECEIVER_TONES[state]}>{text.states[state]}</State>
}

export function ReceiverPill({ receiver }: { receiver: Standing }) {
  const text = useText(DELIVERIES)
  const state = receiverState(receiver)
  return <Pill tone={RECEIVER_TONES[state]}>{text.states[state]}</Pill>
}
