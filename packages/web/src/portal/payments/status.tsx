import type { PortalPayment } from '../../api/portal.generated.ts'
import { useText } from '../../text/language.ts'
import type { Tone } from '../../ui/state.tsx'
import { Pill, State } from '../../ui/state.tsx'
import { PORTAL } from '../messages.ts'

export type PaymentStatus = PortalPayment['status']

export const STATUSES: readonly PaymentStatus[] = ['pending', 'successful', 'failed', 'refunded']

export const STATUS_TONES: Readonly<Record<PaymentStatus, Tone>> = {
  successful: 'ok',
  pending: 'wait',
  failed: 'bad',
  refunded: 'back',
}

export function PaymentState({ status }: { status: PaymentStatus }) {
  const text = useText(PORTAL)
  return <State tone={STATUS_TONES[status]}>{text.status[status]}</State>
}

export function PaymentPill({ status }: { status: PaymentStatus }) {
  const text = useText(PORTAL)
  return <Pill tone={STATUS_TONES[status]}>{text.status[status]}</Pill>
}
