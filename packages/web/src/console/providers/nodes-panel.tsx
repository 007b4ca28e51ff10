import type { ProviderMeasurement } from '../../api/operator.generated.ts'
import { durationText } from '../../text/dates.ts'
import { useText } from '../../text/language.ts'
import { Panel } from '../../ui/panel.tsx'
import type { Column } from '../../ui/table.tsx'
import { Table } from '../../ui/table.tsx'
import { StateOf } from '../states.ts'
import { PROVIDERS } from './messages.ts'

/** Measurements of each node, and what its breaker made of them. */
export function NodesPanel({ health }: { health: readonly ProviderMeasurement[] }) {
  const text = useText(PROVIDERS)
  const columns = useColumns()
  return (
    <Panel
      isFlush
      title={text.healthNow}
      about={text.healthNowAbout}
      actions={<span className="live">{text.live}</span>}
    >
      {health.length === 0 ? (
        <p className="sub small pad">{text.noOrders}</p>
      ) : (
        <Table caption={text.healthNow} columns={columns} rows={health} rowKey={({ node }) => node} />
      )}
    </Panel>
  )
}

function useColumns(): readonly Column<ProviderMeasurement>[] {
  const text = useText(PROVIDERS)
  const ms = (value: number | null) => (value === null ? '–' : durationText(value))
  return [
    {
      key: 'breaker',
      head: text.breaker,
      folded: 'shape',
      cell: ({ state }) => <StateOf kind="breaker" state={state} />,
    },
    {
      key: 'node',
      head: text.node,
      folded: 'name',
      cell: ({ node }) => <span className="mono">{node}</span>,
    },
    { key: 'orders', head: text.orders, isRight: true, folded: 'amount', cell: ({ orders }) => orders },
    { key: 'how', head: text.howTheyWent, rank: 2, cell: (measurement) => <Composition {...measurement} /> },
    { key: 'answered', head: text.answered, isRight: true, cell: ({ answered }) => answered },
    {
      key: 'silent',
      head: text.silent,
      isRight: true,
      cell: ({ timeouts }) => <span className={timeouts > 0 ? 'bad strong' : undefined}>{timeouts}</span>,
    },
    { key: 'idle', head: text.notActed, isRight: true, cell: ({ not_acted: idle }) => idle },
    { key: 'p50', head: text.p50, isRight: true, cell: ({ p50_ms: value }) => ms(value) },
    { key: 'p95', head: text.p95, isRight: true, folded: 'time', cell: ({ p95_ms: value }) => ms(value) },
    { key: 'age', head: text.age, isRight: true, rank: 2, cell: ({ age_ms: value }) => durationText(value) },
  ]
}

function Composition({ answered, timeouts, not_acted: idle }: ProviderMeasurement) {
  const text = useText(PROVIDERS)
  return (
    <div className="comp" role="img" aria-label={text.howLabel(answered, timeouts, idle)}>
      {answered > 0 ? <span className="answered" style={{ flex: answered }} /> : null}
      {timeouts > 0 ? <span className="silent" style={{ flex: timeouts }} /> : null}
      {idle > 0 ? <span className="idle" style={{ flex: idle }} /> : null}
    </div>
  )
}
