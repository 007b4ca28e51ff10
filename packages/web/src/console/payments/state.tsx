import type { ResellerPayment } from '../../api/operator.generated.ts'
import { durationText } from '../../text/dates.ts'
import { useText } from '../../text/language.ts'
import type { Tone } from '../../ui/state.tsx'
import { Pill, State } from '../../ui/state.tsx'
import { PAYMENTS } from './messages.ts'

export type PaymentState = ResellerPayment['state']

export const STATE_TONES: Readonly<Record<PaymentState, Tone>> = {
  accepted: 'wait',
  processing: 'wait',
  succeeded: 'ok',
  failed: 'bad',
  voided: 'back',
}

type Stated = Pick<ResellerPayment, 'state' | 'stuck' | 'stuck_since'>

/** State of a payment in a table. A stuck payment says so instead of "Processing". */
export function StateLabel({ state, stuck }: Stated) {
  const text = useText(PAYMENTS)
  if (stuck) return <State tone="critical">{text.stuck}</State>
  return <State tone={STATE_TONES[state]}>{text.states[state]}</State>
}

/** State of a payment at the head of its page. */
export function StatePill({ state, stuck, stuck_since: since }: Stated) {
  const text = useText(PAYMENTS)
  if (!stuck) return <Pill tone={STATE_TONES[state]}>{text.states[state]}</Pill>
  return (
    <Pill tone="critical">
      {since === null ? text.stuck : `${text.stuck}, ${text.pastDue(ageText(since))}`}
    </Pill>
  )
}

export function ageText(since: string): string {
  return durationText(Date.now() - Date.parse(since))
}
