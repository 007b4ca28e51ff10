import { isLanguage } from '@warung/forms/texts'
import { useState } from 'react'
import { usePortal, usePortalAhead } from '../../api/portal.ts'
import { portalCancelOrder, portalConfirmOrder } from '../../api/portal-acts.generated.ts'
import { Crumbs, PageLink, useParam } from '../../shell/navigation.tsx'
import { dateTimeText, durationText, whenText } from '../../text/dates.ts'
import type { Translated } from '../../text/language.ts'
import { LANGUAGES, useText } from '../../text/language.ts'
import { moneyText } from '../../text/numbers.ts'
import { Button, LinkButton } from '../../ui/button.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Money } from '../../ui/money.tsx'
import type { Moment } from '../../ui/panel.tsx'
import { Facts, PageHead, Panel, Timeline } from '../../ui/panel.tsx'
import { Note, State } from '../../ui/state.tsx'
import { PortalAct } from '../act.tsx'
import { PORTAL } from '../messages.ts'
import { useMay } from '../session.ts'
import { StateOf, toneOf, useWords } from '../states.ts'
import { ItemsPanel } from './items-panel.tsx'
import { ORDER } from './messages.ts'
import type { Order } from './units.ts'
import { isOpen } from './units.ts'
import './orders.css'

/** One order: its items with their payments, how it went, and what the webhook was told. */
export function Page() {
  const id = useParam('id')
  const reading = usePortal('portalGetOrder', { params: { order_id: id } })
  usePortalAhead('portalListOrderDeliveries', { params: { order_id: id } })
  return (
    <Loaded reading={reading} bones={8}>
      {({ data }) => <OrderView order={data} />}
    </Loaded>
  )
}

function OrderView({ order }: { order: Order }) {
  const text = useText(ORDER)
  const pages = useText(PORTAL)
  const moments = useOrderMoments(order)
  return (
    <>
      <PageHead
        crumbs={<Crumbs to="/portal/orders" label={pages.orders} here={order.reference} />}
        title={
          <span className="row wrap">
            <span className="mono">{order.reference}</span>
            <StateOf isPill kind="order" state={order.status} />
          </span>
        }
        about={<span className="mono">{order.order_id}</span>}
        actions={<Actions order={order} />}
      />
      <div className="grid c84">
        <div className="grid">
          <Outlook order={order} />
          <ItemsPanel order={order} />
          <DeliveriesPanel order={order} />
        </div>
        <div className="grid">
          <DetailsPanel order={order} />
          <Panel title={text.timeline} about={text.zone}>
            <Timeline label={text.timeline} moments={moments} />
          </Panel>
        </div>
      </div>
    </>
  )
}

function Actions({ order }: { order: Order }) {
  const text = useText(ORDER)
  const mayChange = useMay('orders.write')
  const [open, setOpen] = useState<'cancel' | 'confirm' | undefined>(undefined)
  const close = () => setOpen(undefined)
  if (!mayChange || !isOpen(order.status)) return null
  return (
    <>
      {order.checkout_url === null ? null : (
        <LinkButton icon="link" href={order.checkout_url} target="_blank" rel="noopener noreferrer">
          {text.openPage}
        </LinkButton>
      )}
      <Button onClick={() => setOpen('cancel')}>{text.cancel}</Button>
      {order.status === 'awaiting_payment' ? (
        <Button look="primary" onClick={() => setOpen('confirm')}>
          {text.confirm}
        </Button>
      ) : null}
      {open === 'cancel' ? <CancelDialog order={order} onClose={close} /> : null}
      {open === 'confirm' ? <ConfirmOrderDialog order={order} onClose={close} /> : null}
    </>
  )
}

/** Note about the next step, or about money that the customer gets back. */
function Outlook({ order }: { order: Order }) {
  const text = useText(ORDER)
  switch (order.status) {
    case 'draft':
    case 'awaiting_payment':
      return (
        <Note tone="info">
          {text.outlook[order.status]} {text.expires(whenText(order.expires_at))}
        </Note>
      )
    case 'confirmed':
      return <Note tone="info">{text.outlook.confirmed}</Note>
    case 'failed':
    case 'partially_completed':
      return (
        <Note tone="warning">
          <b>{text.refundTitle(moneyText(order.refund_amount, order.currency))}</b> {text.refundAbout}
        </Note>
      )
    case 'completed':
    case 'cancelled':
    case 'timeout':
      return null
  }
}

function DetailsPanel({ order }: { order: Order }) {
  const text = useText(ORDER)
  return (
    <Panel title={text.details}>
      <Facts
        facts={[
          { term: text.total, value: <Money amount={order.total_amount} currency={order.currency} /> },
          { term: text.refund, value: <Money amount={order.refund_amount} currency={order.currency} /> },
          order.payment_reference === null
            ? undefined
            : {
                term: text.paymentReference,
                value: <span className="mono">{order.payment_reference}</span>,
              },
          { term: text.user, value: order.user_id, isApart: true },
          {
            term: text.language,
            value: isLanguage(order.language) ? LANGUAGES[order.language] : order.language,
          },
          { term: text.results, value: order.show_results ? text.resultsShown : text.resultsHidden },
          { term: text.choice, value: order.products?.join(', ') ?? text.everything },
          { term: text.returnUrl, value: <span className="mono breaks">{order.return_url}</span> },
          { term: text.made, value: dateTimeText(order.created_at), isApart: true },
        ]}
      />
    </Panel>
  )
}

export const ORDER_READS = ['portalListOrders', 'portalGetOrder', 'portalListOrderDeliveries'] as const

type DialogProps = { readonly order: Order; readonly onClose: () => void }

function CancelDialog({ order, onClose }: DialogProps) {
  const text = useText(ORDER)
  return (
    <PortalAct
      act={portalCancelOrder}
      input={{ params: { order_id: order.order_id } }}
      title={text.cancelTitle(order.reference)}
      action={text.cancel}
      keep={text.keep}
      done={text.cancelled}
      refresh={ORDER_READS}
      onClose={onClose}
      fields={{ reason: { label: text.cancelReason } }}
    >
      <p className="mid">{text.cancelAbout}</p>
    </PortalAct>
  )
}

/**
 * Says that the customer's money is there. The reference is the person's own, so that a second try is the same one. The
 * total that the person saw is sent along: another one is refused.
 */
function ConfirmOrderDialog({ order, onClose }: DialogProps) {
  const text = useText(ORDER)
  return (
    <PortalAct
      act={portalConfirmOrder}
      input={{ params: { order_id: order.order_id } }}
      members={{ total_amount: order.total_amount }}
      title={text.confirmTitle(order.reference)}
      isDangerous={false}
      action={text.confirmNow}
      done={text.confirmedNow}
      refresh={ORDER_READS}
      onClose={onClose}
      fields={{ payment_reference: { label: text.paymentReference, hint: text.paymentReferenceHint } }}
    >
      <p className="mid">{text.confirmAbout(moneyText(order.total_amount, order.currency))}</p>
    </PortalAct>
  )
}

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

type Text = Translated<(typeof ORDER)['en']>

/** States of an order on one line of time, with the gaps between them. */
function useOrderMoments(order: Order): readonly Moment[] {
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
