import { PageLink } from '../../shell/navigation.tsx'
import { useText } from '../../text/language.ts'
import { moneyText } from '../../text/numbers.ts'
import { Money } from '../../ui/money.tsx'
import { Panel } from '../../ui/panel.tsx'
import type { Column } from '../../ui/table.tsx'
import { Table } from '../../ui/table.tsx'
import { PORTAL } from '../messages.ts'
import { StateOf } from '../states.ts'
import { ORDER } from './messages.ts'
import type { Order } from './units.ts'
import { unitStatus } from './units.ts'

type Item = Order['items'][number]

/** Items of an order, each with the payments that were made for it. */
export function ItemsPanel({ order }: { order: Order }) {
  const text = useText(ORDER)
  const columns = useItemColumns(order.currency)
  return (
    <Panel title={text.items} count={order.items.length || undefined} isFlush>
      {order.items.length === 0 ? (
        <p className="in sub small">{text.noItems}</p>
      ) : (
        <Table
          caption={text.itemsCaption}
          columns={columns}
          rows={order.items}
          rowKey={({ line }) => String(line)}
        />
      )}
    </Panel>
  )
}

function useItemColumns(currency: string): readonly Column<Item>[] {
  const text = useText(ORDER)
  return [
    {
      key: 'product',
      head: text.product,
      folded: 'name',
      cell: (item) => (
        <>
          {item.product_name}
          <Transactions item={item} />
        </>
      ),
    },
    {
      key: 'account',
      head: text.account,
      folded: 'detail',
      className: 'cut',
      cell: ({ account }) => account ?? <span className="sub">{text.noAccount}</span>,
    },
    {
      key: 'state',
      head: text.itemState,
      folded: 'shape',
      width: 150,
      cell: ({ status }) => <StateOf kind="item" state={status} />,
    },
    {
      key: 'quantity',
      head: text.quantity,
      isRight: true,
      folded: 'time',
      className: 'nowrap',
      cell: ({ quantity, unit_price: price }) => (
        <>
          {quantity} × <span className="sub">{moneyText(price, currency)}</span>
        </>
      ),
    },
    {
      key: 'price',
      head: text.price,
      isRight: true,
      folded: 'amount',
      className: 'nowrap',
      cell: ({ price }) => <Money amount={price} />,
    },
  ]
}

function Transactions({ item }: { item: Item }) {
  const text = useText(ORDER)
  const { status } = useText(PORTAL)
  if (item.transactions.length === 0) return null
  return (
    <ul className="order-units">
      {item.transactions.map((unit) => (
        <li key={unit.refid}>
          {unit.transaction_id === null ? (
            <span className="mono sub">{unit.refid}</span>
          ) : (
            <PageLink
              className="link mono"
              to={`/portal/payments/${unit.transaction_id}`}
              aria-label={text.payment(unit.refid)}
            >
              {unit.refid}
            </PageLink>
          )}{' '}
          <span className="sub">{unit.error ?? status[unitStatus(unit)]}</span>
        </li>
      ))}
    </ul>
  )
}
