import type { PortalOperations } from '../../api/portal.ts'
import { useText } from '../../text/language.ts'
import type { Tone } from '../../ui/state.tsx'
import { Pill, State } from '../../ui/state.tsx'
import { ORDER, ORDER_WORDS } from './messages.ts'

export type Order = PortalOperations['portalGetOrder']['answer']['data']
export type OrderState = Order['status']
export type ItemState = Order['items'][number]['status']

export const ORDER_TONES: Readonly<Record<OrderState, Tone>> = {
  draft: 'info',
  awaiting_payment: 'wait',
  confirmed: 'wait',
  completed: 'ok',
  partially_completed: 'warning',
  failed: 'bad',
  cancelled: 'off',
  timeout: 'off',
}

export const ORDER_STATES = Object.keys(ORDER_TONES) as OrderState[]

const ITEM_TONES: Readonly<Record<ItemState, Tone>> = {
  pending: 'off',
  processing: 'wait',
  succeeded: 'ok',
  failed: 'bad',
  partially_succeeded: 'warning',
}

/** True while the order can be cancelled, and times out. */
export function isOpen(status: OrderState): boolean {
  return status === 'draft' || status === 'awaiting_payment'
}

export function OrderStateText({ status }: { status: OrderState }) {
  const { states } = useText(ORDER_WORDS)
  return <State tone={ORDER_TONES[status]}>{states[status]}</State>
}

export function OrderPill({ status }: { status: OrderState }) {
  const { states } = useText(ORDER_WORDS)
  return <Pill tone={ORDER_TONES[status]}>{states[status]}</Pill>
}

export function ItemStateText({ status }: { status: ItemState }) {
  const { units } = useText(ORDER)
  return <State tone={ITEM_TONES[status]}>{units[status]}</State>
}
