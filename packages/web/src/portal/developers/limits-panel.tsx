import type { LimitInForce } from '../../api/portal.generated.ts'
import { usePortal } from '../../api/portal.ts'
import { useText } from '../../text/language.ts'
import { moneyText } from '../../text/numbers.ts'
import { Empty, Loaded } from '../../ui/loaded.tsx'
import { Panel } from '../../ui/panel.tsx'
import type { Column } from '../../ui/table.tsx'
import { Table } from '../../ui/table.tsx'
import { LIMITS } from './limits-messages.ts'

/** Limits that hold for the account, whoever set them, with what is used. */
export function LimitsPanel() {
  const text = useText(LIMITS)
  const limits = usePortal('portalGetLimits', {})
  return (
    <Panel isFlush title={text.title} count={limits.data?.data.in_force.length}>
      <p className="dev-about">{text.about}</p>
      <Loaded reading={limits} bones={1}>
        {({ data }) => <Limits limits={data.in_force} />}
      </Loaded>
    </Panel>
  )
}

function Limits({ limits }: { readonly limits: readonly LimitInForce[] }) {
  const text = useText(LIMITS)
  if (limits.length === 0) return <Empty icon="check" title={text.none} about={text.noneAbout} />
  const amounts = (payments: number | null, sum: string | null) =>
    [
      ...(payments === null ? [] : [text.payments(payments)]),
      ...(sum === null ? [] : [moneyText(sum, 'MYR')]),
    ].join(', ')
  const columns: Column<LimitInForce>[] = [
    {
      key: 'of',
      head: text.of,
      folded: 'name',
      cell: ({ scope, period, category }) =>
        [
          text.scopes[scope],
          ...(category === null ? [] : [text.category(category)]),
          text.periods[period],
        ].join(' '),
    },
    {
      key: 'most',
      head: text.most,
      isRight: true,
      folded: 'amount',
      cell: ({ payments, sum }) => amounts(payments, sum),
    },
    {
      key: 'used',
      head: text.used,
      isRight: true,
      folded: 'detail',
      cell: ({ payments, sum, used_payments: count, used_sum: spent }) =>
        amounts(payments === null ? null : count, sum === null ? null : spent),
    },
    { key: 'by', head: text.setBy, folded: 'time', cell: ({ set_by: by }) => text.setters[by] },
  ]
  return (
    <Table
      caption={text.title}
      columns={columns}
      rows={limits}
      rowKey={({ scope, period, category, set_by: by }) => [scope, period, category, by].join(' ')}
    />
  )
}
