import { durationText } from '../../text/dates.ts'
import type { Translated } from '../../text/language.ts'
import { useText } from '../../text/language.ts'
import type { Moment } from '../../ui/timeline.tsx'
import { toneOf, useWords } from '../states.ts'
import { ORDER } from './messages.ts'
import type { Order } from './units.ts'
import { isOpen } from './units.ts'

type Text = Translated<(typeof ORDER)['en']>

/** States of an order on one line of time, with the gaps between them. */
export function useOrderMoments(order: Order): readonly Moment[] {
  const text = useText(ORDER)
  const states = useWords('order')
  const moments: Moment[] = [
    { key: 'made', at: order.created_at, icon: 'plus', title: text.made },
    ...confirmedMoment(order, text),
    ...(order.completed_at === null
      ? []
      : [
          {
            key: 'ended',
            at: order.completed_at,
            tone: toneOf('order', order.status),
            title: states[order.status],
            children: order.cancel_reason === null ? undefined : <p>{order.cancel_reason}</p>,
          },
        ]),
    ...(isOpen(order.status)
      ? [{ key: 'expiry', at: order.expires_at, icon: 'clock' as const, title: text.willExpire }]
      : []),
  ]
  return moments.map((moment, index) => {
    const before = moments[index - 1]
    const gapMs = before === undefined ? 0 : Date.parse(moment.at) - Date.parse(before.at)
    return { ...moment, gap: gapMs > 0 ? `+${durationText(gapMs)}` : undefined }
  })
}

function confirmedMoment({ confirmed_at: at, payment_reference: reference }: Order, text: Text): Moment[] {
  if (at === null) return []
  return [
    {
      key: 'confirmed',
      at,
      icon: 'coin',
      title: text.confirmed,
      children: reference === null ? undefined : <p>{text.confirmedBy(reference)}</p>,
    },
  ]
}
