import type { OperatorOverview } from '../../api/operator.generated.ts'
import { PageLink } from '../../shell/navigation.tsx'
import { durationText, whenText } from '../../text/dates.ts'
import { useText } from '../../text/language.ts'
import { countText } from '../../text/numbers.ts'
import { Panel } from '../../ui/panel.tsx'
import { State } from '../../ui/state.tsx'
import type { Column } from '../../ui/table.tsx'
import { Table } from '../../ui/table.tsx'
import { OVERVIEW } from './messages.ts'

type Receivers = NonNullable<OperatorOverview['receivers']>
type Queue = Receivers['first'][number]

/** Receivers whose deliveries wait longest. */
export function ReceiversPanel({ receivers }: { receivers: Receivers }) {
  const text = useText(OVERVIEW)
  const columns: Column<Queue>[] = [
    {
      key: 'now',
      head: text.now,
      folded: 'shape',
      cell: ({ is_held: isHeld }) => (
        <State tone={isHeld ? 'off' : 'wait'}>{isHeld ? text.isHeld : text.isSending}</State>
      ),
    },
    { key: 'reseller', head: text.reseller, folded: 'name', cell: ({ reseller }) => reseller },
    {
      key: 'stream',
      head: text.stream,
      folded: 'detail',
      cell: ({ stream }) => <span className="mono">{stream}</span>,
    },
    {
      key: 'waiting',
      head: text.waiting,
      isRight: true,
      folded: 'amount',
      cell: ({ pending }) => <b className="mid-weight">{countText(pending)}</b>,
    },
    {
      key: 'oldest',
      head: text.oldest,
      isRight: true,
      folded: 'time',
      cell: ({ age_seconds: age }) => durationText(age * 1000),
    },
    { key: 'next', head: text.nextTry, isRight: true, cell: ({ next_at: next }) => whenText(next) },
  ]
  return (
    <Panel
      isFlush
      title={text.receivers}
      count={receivers.lagging || undefined}
      actions={
        <PageLink className="link" to="/operator/deliveries">
          {text.all}
        </PageLink>
      }
    >
      {receivers.first.length === 0 ? (
        <p className="in sub small">{text.receiversNone}</p>
      ) : (
        <Table
          caption={text.receivers}
          columns={columns}
          rows={receivers.first}
          rowKey={({ reseller, stream }) => `${reseller} ${stream}`}
          linkTo={({ reseller, stream }) => ({ to: `/operator/deliveries/${reseller}/${stream}` })}
        />
      )}
    </Panel>
  )
}
