import { useLocation } from '@tanstack/react-router'
import { useState } from 'react'
import type { PortalDelivery } from '../../api/portal.generated.ts'
import { portal, portalKey, usePortal } from '../../api/portal.ts'
import type { Search } from '../../shell/navigation.tsx'
import { useFilters } from '../../shell/navigation.tsx'
import { useText } from '../../text/language.ts'
import { Button } from '../../ui/button.tsx'
import { Empty, Loaded } from '../../ui/loaded.tsx'
import { Panel } from '../../ui/panel.tsx'
import { ActionProblem } from '../../ui/problem.tsx'
import { Pager, Table } from '../../ui/table.tsx'
import { useAction } from '../../ui/use-action.ts'
import { useMay } from '../session.ts'
import { FilterBar, STATUSES, useDeliveryColumns } from './delivery-columns.tsx'
import { DeliveryDetails } from './delivery-details.tsx'
import { DELIVERIES } from './messages.ts'
import type { Stream } from './streams.ts'

const PAGE_ROWS = 25

/** Filters of the address as the API takes them. */
function queryOf(search: Search) {
  const status = STATUSES.find((each) => each === search.status)
  const { from, to, event, cursor } = search
  return {
    ...(status === undefined ? {} : { status: [status] }),
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
    ...(event === undefined ? {} : { event }),
    ...(cursor === undefined ? {} : { cursor }),
    limit: PAGE_ROWS,
  }
}

/** Deliveries to an endpoint, and how each try went. */
export function DeliveriesPanel({ stream, isConfigured }: { stream: Stream; isConfigured: boolean }) {
  const text = useText(DELIVERIES)
  const [search, change] = useFilters()
  const [selected, setSelected] = useState<readonly string[]>([])
  const reading = usePortal(
    'portalListDeliveries',
    { params: { stream }, query: queryOf(search) },
    { keepsFormer: true },
  )
  const replay = useReplayMany(stream, () => setSelected([]))
  return (
    <Panel isFlush>
      <FilterBar title={text.title[stream]}>
        {selected.length === 0 ? null : (
          <Button icon="refresh" isBusy={replay.isBusy} onClick={() => replay.run(selected)}>
            {text.replayMany(selected.length)}
          </Button>
        )}
      </FilterBar>
      <ActionProblem error={replay.error} />
      <div className="dev-grid">
        <div>
          <Loaded reading={reading} bones={8} empty={<NoDeliveries isConfigured={isConfigured} />}>
            {({ data, cursor, has_more: hasMore }) => (
              <>
                <Deliveries deliveries={data} selected={selected} onSelect={setSelected} />
                <Pager
                  onNewer={search.cursor === undefined ? undefined : () => change({ cursor: undefined })}
                  onOlder={hasMore && cursor !== null ? () => change({ cursor }) : undefined}
                >
                  {text.shown(data.length)}
                </Pager>
              </>
            )}
          </Loaded>
        </div>
        <DeliveryDetails key={search.delivery} stream={stream} id={search.delivery} />
      </div>
    </Panel>
  )
}

function useReplayMany(stream: Stream, onDone: () => void) {
  const text = useText(DELIVERIES)
  return useAction({
    act: (ids: readonly string[]) =>
      portal.call('portalReplayDeliveries', { params: { stream }, body: { delivery_ids: [...ids] } }),
    done: ({ data }) => {
      const replayed = data.filter((each) => each.replayed).length
      return text.replayedMany(replayed, data.length - replayed)
    },
    refresh: [portalKey('portalListDeliveries'), portalKey('portalGetDelivery')],
    onDone,
  })
}

function NoDeliveries({ isConfigured }: { isConfigured: boolean }) {
  const text = useText(DELIVERIES)
  const [search, change] = useFilters()
  const isFiltered = [search.status, search.from, search.to, search.event].some((each) => each !== undefined)
  if (!isFiltered) {
    return (
      <Empty icon="send" title={text.noneYet} about={isConfigured ? text.noneAbout : text.noneYetAbout} />
    )
  }
  return (
    <Empty
      icon="send"
      title={text.none}
      about={text.noneAbout}
      action={
        <Button
          size="sm"
          onClick={() =>
            change({ status: undefined, from: undefined, to: undefined, event: undefined, cursor: undefined })
          }
        >
          {text.clear}
        </Button>
      }
    />
  )
}

type DeliveriesProps = {
  readonly deliveries: readonly PortalDelivery[]
  readonly selected: readonly string[]
  readonly onSelect: (ids: readonly string[]) => void
}

function Deliveries({ deliveries, selected, onSelect }: DeliveriesProps) {
  const text = useText(DELIVERIES)
  const mayChange = useMay('developers.write')
  const [search] = useFilters()
  const { pathname } = useLocation()
  const toggle = (id: string, isOn: boolean) =>
    onSelect(isOn ? [...selected, id] : selected.filter((each) => each !== id))
  const columns = useDeliveryColumns(mayChange ? { selected, toggle } : undefined)
  return (
    <Table
      caption={text.details}
      columns={columns}
      rows={deliveries}
      rowKey={({ id }) => id}
      linkTo={({ id }) => ({ to: pathname, search: { ...search, delivery: id }, isBeside: true })}
      rowClass={({ id }) => (id === search.delivery ? 'is-on' : undefined)}
    />
  )
}
