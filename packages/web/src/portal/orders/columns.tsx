import type { PortalOperations } from '../../api/portal.ts'
import { dateTimeText, whenText } from '../../text/dates.ts'
import { useText } from '../../text/language.ts'
import { Money } from '../../ui/money.tsx'
import { colourOf } from '../../ui/state.tsx'
import type { Column } from '../../ui/table.tsx'
import { ORDER_WORDS, ORDERS } from './messages.ts'
import { ORDER_TONES, OrderStateText } from './state.tsx'

export type OrderRow = PortalOperations['portalListOrders']['answer']['data'][number]

export function useOrderColumns(): readonly Column<OrderRow>[] {
  const text = useText(ORDERS)
  const { states } = useText(ORDER_WORDS)
  return [
    {
      key: 'state',
      head: text.state,
      folded: 'shape',
      width: 170,
      cell: ({ status }) => <OrderStateText status={status} />,
    },
    {
      key: 'reference',
      head: text.reference,
      folded: 'name',
      className: 'cut',
      cell: ({ reference }) => <span className="mono">{reference}</span>,
    },
    {
      key: 'user',
      head: text.user,
      folded: 'detail',
      className: 'cut',
      cell: ({ user_id: user }) => user,
    },
    {
      key: 'total',
      head: text.total,
      isRight: true,
      folded: 'amount',
      className: 'nowrap',
      cell: ({ total_amount: total }) => <Money amount={total} />,
    },
    {
      key: 'refund',
      head: text.refund,
      isRight: true,
      rank: 2,
      className: 'nowrap',
      cell: ({ refund_amount: refund }) => <Money amount={refund} />,
    },
    {
      key: 'order',
      head: text.order,
      rank: 3,
      className: 'cut',
      cell: ({ order_id: id }) => <span className="mono sub">{id}</span>,
    },
    {
      key: 'made',
      head: text.made,
      folded: 'time',
      className: 'nowrap',
      cell: ({ created_at: at, status }) => (
        <>
          <span className={`pw ${colourOf(ORDER_TONES[status])}`}>{states[status]}</span>
          <time className="sub" dateTime={at} title={dateTimeText(at)}>
            {whenText(at)}
          </time>
        </>
      ),
    },
  ]
}
