import { useQueryClient } from '@tanstack/react-query'
import { useLive } from '../../api/live.ts'
import type { Provider, ProviderMeasurement } from '../../api/operator.generated.ts'
import { operatorKey, useOperator } from '../../api/operator.ts'
import { PageLink } from '../../shell/navigation.tsx'
import { durationText } from '../../text/dates.ts'
import { useText } from '../../text/language.ts'
import { countText } from '../../text/numbers.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Empty, Loaded } from '../../ui/loaded.tsx'
import { PageHead, Panel } from '../../ui/panel.tsx'
import type { Column } from '../../ui/table.tsx'
import { Table } from '../../ui/table.tsx'
import { useMayChangeProviders } from '../catalog/parts.tsx'
import { CONSOLE } from '../messages.ts'
import { FloatCell, ProviderState } from './float.tsx'
import { PROVIDERS } from './messages.ts'
import '../catalog/supply.css'

/** Lists who delivers, and how well. */
export function Page() {
  const text = useText(PROVIDERS)
  const pages = useText(CONSOLE)
  const client = useQueryClient()
  const reading = useOperator('listProviders', {})
  useLive(['providers', 'reset'], () => {
    void client.invalidateQueries({ queryKey: operatorKey('listProviders') })
  })
  const columns = useColumns()
  const mayChange = useMayChangeProviders()
  return (
    <>
      <PageHead
        title={pages.providers}
        about={text.about}
        actions={
          <>
            <span className="live">{text.live}</span>
            {mayChange ? (
              <PageLink className={buttonClass({ look: 'primary' })} to="/operator/providers/new">
                <Icon name="plus" />
                {text.addSupplier}
              </PageLink>
            ) : null}
          </>
        }
      />
      <Panel isFlush>
        <Loaded reading={reading} empty={<Empty icon="plug" title={text.none} about={text.noneAbout} />}>
          {({ data }) => (
            <Table
              caption={text.caption}
              columns={columns}
              rows={data}
              rowKey={({ code }) => code}
              linkTo={({ code }) => ({ to: `/operator/providers/${code}` })}
            />
          )}
        </Loaded>
      </Panel>
    </>
  )
}

function useColumns(): readonly Column<Provider>[] {
  const text = useText(PROVIDERS)
  return [
    {
      key: 'state',
      head: text.state,
      folded: 'shape',
      width: 220,
      cell: (provider) => <ProviderState provider={provider} />,
    },
    {
      key: 'name',
      head: text.provider,
      folded: 'name',
      cell: ({ name, code }) => (
        <div className="who2">
          <span className="mid-weight">{name}</span>
          <small className="mono">{code}</small>
        </div>
      ),
    },
    {
      key: 'orders',
      head: text.orders,
      isRight: true,
      folded: 'time',
      cell: ({ health }) => countText(totalOf(health, 'orders')),
    },
    {
      key: 'silent',
      head: text.silent,
      isRight: true,
      rank: 2,
      cell: ({ health }) => countText(totalOf(health, 'timeouts')),
    },
    { key: 'p95', head: text.p95, isRight: true, rank: 2, cell: ({ health }) => slowest(health) },
    {
      key: 'float',
      head: text.float,
      isRight: true,
      folded: 'amount',
      cell: ({ float }) => <FloatCell float={float} />,
    },
  ]
}

function totalOf(health: readonly ProviderMeasurement[], name: 'orders' | 'timeouts'): number {
  return health.reduce((sum, measurement) => sum + measurement[name], 0)
}

/** Slowest node: the one that a person asks about. */
function slowest(health: readonly ProviderMeasurement[]): string {
  const values = health.flatMap(({ p95_ms: ms }) => (ms === null ? [] : [ms]))
  return values.length === 0 ? '–' : durationText(Math.max(...values))
}
