import type { PortalOperations } from '../../api/portal.ts'
import { dateTimeText, whenText } from '../../text/dates.ts'
import { useText } from '../../text/language.ts'
import { Money } from '../../ui/money.tsx'
import { colourOf } from '../../ui/state.tsx'
import type { Column } from '../../ui/table.tsx'
import { StateOf, toneOf, useWords } from '../states.ts'
import { ORDERS } from './messages.ts'

export type OrderRow = PortalOperations['portalListOrders']['answer']['data'][number]

export function useOrderColumns(): readonly Column<OrderRow>[] {
  const text = useText(ORDERS)
  const states = useWords('order')
  return [
    {
      key: 'state',
      head: text.state,
      folded: 'shape',
      width: 170,
      cell: ({ status }) => <StateOf kind="order" state={status} />,
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
          <span className={`pw ${colourOf(toneOf('order', status))}`}>{states[status]}</span>
          <time className="sub" dateTime={at} title={dateTimeText(at)}>
            {whenText(at)}
          </time>
        </>
      ),
    },
  ]
}
