import { useState } from 'react'
import type { Route } from '../../api/operator.generated.ts'
import { useOperator } from '../../api/operator.ts'
import { PageLink } from '../../shell/navigation.tsx'
import { useText } from '../../text/language.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Empty, Loaded } from '../../ui/loaded.tsx'
import { Panel } from '../../ui/panel.tsx'
import { State } from '../../ui/state.tsx'
import type { Column } from '../../ui/table.tsx'
import { Table } from '../../ui/table.tsx'
import { useMayChangeProviders } from '../catalog/parts.tsx'
import { PROVIDERS } from './messages.ts'
import { RemoveRouteDialog, RouteDialog } from './route-dialog.tsx'
import { takersOf } from './rules.ts'

type Opened =
  | { readonly kind: 'edit'; readonly route: Route | undefined }
  | { readonly kind: 'remove'; readonly route: Route }

type Row = Route & { readonly takers: readonly string[] }

/** Routes that lead to a provider, and who delivers without it. */
export function RoutesPanel({ code }: { code: string }) {
  const text = useText(PROVIDERS)
  const mayChange = useMayChangeProviders()
  const reading = useOperator('listRoutes', {})
  const providers = useOperator('listProviders', {})
  const [opened, setOpened] = useState<Opened | undefined>(undefined)
  const columns = useColumns(mayChange ? setOpened : undefined)
  const rows = (reading.data?.data ?? [])
    .filter((route) => route.provider === code)
    .map((route) => ({
      ...route,
      takers: takersOf(route.product, code, reading.data?.data ?? [], providers.data?.data ?? []),
    }))
  return (
    <Panel
      isFlush
      title={text.routes}
      count={rows.length || undefined}
      actions={
        mayChange ? (
          <Button size="sm" icon="plus" onClick={() => setOpened({ kind: 'edit', route: undefined })}>
            {text.addRoute}
          </Button>
        ) : null
      }
    >
      <Loaded reading={reading} bones={3}>
        {() =>
          rows.length === 0 ? (
            <Empty icon="route" title={text.noRoutes} about={text.noRoutesAbout} />
          ) : (
            <Table
              caption={text.routes}
              columns={columns}
              rows={rows}
              rowKey={({ product }) => product}
              rowClass={({ enabled }) => (enabled ? undefined : 'is-off')}
            />
          )
        }
      </Loaded>
      {opened?.kind === 'edit' ? (
        <RouteDialog provider={code} route={opened.route} onClose={() => setOpened(undefined)} />
      ) : null}
      {opened?.kind === 'remove' ? (
        <RemoveRouteDialog
          route={opened.route}
          hasTaker={rows.find(({ product }) => product === opened.route.product)?.takers.length !== 0}
          onClose={() => setOpened(undefined)}
        />
      ) : null}
    </Panel>
  )
}

const WEIGHT_FULL = 100

function useColumns(onOpen: ((opened: Opened) => void) | undefined): readonly Column<Row>[] {
  const text = useText(PROVIDERS)
  const change: Column<Row> = {
    key: 'change',
    head: <span className="hide">{text.routes}</span>,
    isRight: true,
    folded: 'amount',
    className: 'nowrap',
    cell: (route) => (
      <>
        <IconButton
          small
          icon="edit"
          label={text.editRoute(route.product)}
          onClick={() => onOpen?.({ kind: 'edit', route })}
        />
        <IconButton
          small
          icon="close"
          label={text.removeRoute(route.product)}
          onClick={() => onOpen?.({ kind: 'remove', route })}
        />
      </>
    ),
  }
  return [
    {
      key: 'on',
      head: text.on,
      folded: 'shape',
      cell: ({ enabled }) => (
        <State tone={enabled ? 'ok' : 'off'}>{enabled ? text.states.closed : text.states.off}</State>
      ),
    },
    {
      key: 'product',
      head: text.product,
      folded: 'name',
      cell: ({ product }) =>
        product === '*' ? (
          <>
            {text.everyProduct} <span className="mono sub">*</span>
          </>
        ) : (
          <PageLink className="link mono" to={`/operator/catalogue/products/${product}`}>
            {product}
          </PageLink>
        ),
    },
    { key: 'priority', head: text.priority, isRight: true, rank: 2, cell: ({ priority }) => priority },
    {
      key: 'weight',
      head: text.weight,
      rank: 2,
      cell: ({ weight }) => (
        <span className="row">
          <span className="share">
            <span style={{ width: `${Math.min(((weight ?? 0) / WEIGHT_FULL) * 100, 100)}%` }} />
          </span>
          {weight ?? text.byCost}
        </span>
      ),
    },
    { key: 'cost', head: text.cost, isRight: true, folded: 'time', cell: ({ cost }) => cost ?? text.noCost },
    {
      key: 'open',
      head: text.open,
      rank: 3,
      cell: ({ windows }) => (windows.length === 0 ? text.always : windows.join(', ')),
    },
    {
      key: 'takers',
      head: text.untilBack,
      folded: 'detail',
      cell: ({ enabled, takers }) =>
        !enabled ? (
          <span className="sub">{text.routeOff}</span>
        ) : takers.length === 0 ? (
          <State tone="critical">{text.nobody}</State>
        ) : (
          <span className="mid">{text.takes(takers.join(', '))}</span>
        ),
    },
    ...(onOpen === undefined ? [] : [change]),
  ]
}
