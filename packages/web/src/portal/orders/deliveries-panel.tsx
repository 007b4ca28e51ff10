import { usePortal } from '../../api/portal.ts'
import { PageLink } from '../../shell/navigation.tsx'
import { dateTimeText } from '../../text/dates.ts'
import { useText } from '../../text/language.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { Panel } from '../../ui/panel.tsx'
import { State } from '../../ui/state.tsx'
import { ORDER } from './messages.ts'
import type { Order } from './units.ts'

const TONES = { success: 'ok', failed: 'bad', pending: 'wait' } as const

/** Deliveries of the order webhook about one order. */
export function DeliveriesPanel({ order }: { order: Order }) {
  const text = useText(ORDER)
  const reading = usePortal('portalListOrderDeliveries', { params: { order_id: order.order_id } })
  return (
    <Panel
      isFlush
      title={text.deliveries}
      about={text.deliveriesAbout}
      actions={
        <PageLink className="link" to="/portal/developers/webhooks/order">
          {text.toWebhook}
        </PageLink>
      }
    >
      <Loaded reading={reading} bones={1}>
        {({ data }) =>
          data.length === 0 ? (
            <p className="in sub small">
              {order.completed_at === null ? text.noDeliveries : text.noDeliveriesEnded}
            </p>
          ) : (
            <ul className="list">
              {data.map((each) => (
                <li key={each.id} className="middle wrap">
                  <State tone={TONES[each.status]}>{text.delivery[each.status]}</State>
                  <span className="t">
                    <span className="mono">{each.event_type}</span>{' '}
                    <span className="sub small">
                      {text.attempts(each.attempts)}
                      {each.response_status === 0 ? null : `, ${text.answer(each.response_status)}`}
                    </span>
                  </span>
                  <PageLink
                    className="link mono small"
                    to="/portal/developers/webhooks/order"
                    search={{ event: each.event_id }}
                  >
                    {each.event_id}
                  </PageLink>
                  <time className="sub small" dateTime={each.created_at}>
                    {dateTimeText(each.created_at)}
                  </time>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Panel>
  )
}
