import { useState } from 'react'
import { usePortal, usePortalAhead } from '../../api/portal.ts'
import { PageLink, useParam } from '../../shell/navigation.tsx'
import { dateTimeText, whenText } from '../../text/dates.ts'
import { useText } from '../../text/language.ts'
import { moneyText } from '../../text/numbers.ts'
import { Button, LinkButton } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Money } from '../../ui/money.tsx'
import { Facts, PageHead, Panel } from '../../ui/panel.tsx'
import { Note } from '../../ui/state.tsx'
import { Timeline } from '../../ui/timeline.tsx'
import { PORTAL } from '../messages.ts'
import { useIsAdmin } from '../session.ts'
import { StateOf } from '../states.ts'
import { DeliveriesPanel } from './deliveries-panel.tsx'
import { ItemsPanel } from './items-panel.tsx'
import { ORDER } from './messages.ts'
import { CancelDialog, ConfirmOrderDialog } from './order-dialogs.tsx'
import { useOrderMoments } from './timeline.tsx'
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
        crumbs={
          <>
            <PageLink to="/portal/orders">{pages.orders}</PageLink>
            <Icon name="chevronRight" small />
            <span className="mono">{order.reference}</span>
          </>
        }
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
  const isAdmin = useIsAdmin()
  const [open, setOpen] = useState<'cancel' | 'confirm' | undefined>(undefined)
  const close = () => setOpen(undefined)
  if (!isAdmin || !isOpen(order.status)) return null
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
          { term: text.language, value: order.language === 'ms' ? text.languages.ms : text.languages.en },
          { term: text.results, value: order.show_results ? text.resultsShown : text.resultsHidden },
          { term: text.choice, value: order.products?.join(', ') ?? text.everything },
          { term: text.returnUrl, value: <span className="mono breaks">{order.return_url}</span> },
          { term: text.made, value: dateTimeText(order.created_at), isApart: true },
        ]}
      />
    </Panel>
  )
}
