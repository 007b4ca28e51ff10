import type { Receiver } from '../../api/operator.generated.ts'
import { useOperator } from '../../api/operator.ts'
import { choiceOf, filterOf, SegmentFilter, SelectFilter, TextFilter } from '../../shell/filters.tsx'
import { useFilters } from '../../shell/navigation.tsx'
import { whenText, ZONE_NAME } from '../../text/dates.ts'
import { useText } from '../../text/language.ts'
import { Empty, Loaded } from '../../ui/loaded.tsx'
import { Panel } from '../../ui/panel.tsx'
import type { Column } from '../../ui/table.tsx'
import { Table } from '../../ui/table.tsx'
import { PARTS } from '../parts/messages.ts'
import { FilterLine } from '../parts/pages.tsx'
import { StateOf, useWords } from '../states.ts'
import { DELIVERIES } from './messages.ts'

const ROWS_MAX = 100
const STATES = ['failing', 'paused', 'disabled'] as const
const STREAMS = ['callback', 'catalog', 'balance', 'order'] as const

/** Addresses that deliveries go to. */
export function ReceiversPanel() {
  const text = useText(DELIVERIES)
  const parts = useText(PARTS)
  const states = useWords('receiver')
  const columns = useColumns()
  const [search] = useFilters()
  const reading = useOperator(
    'listEndpoints',
    {
      query: {
        limit: ROWS_MAX,
        ...filterOf(search, 'account'),
        ...choiceOf(search, 'stream', STREAMS),
        ...choiceOf(search, 'state', STATES),
      },
    },
    { keepsFormer: true },
  )
  return (
    <Panel isFlush title={text.receivers}>
      <FilterLine>
        <SegmentFilter
          name="state"
          label={text.state}
          options={STATES.map((value) => ({ value, label: states[value] }))}
        />
        <SelectFilter
          name="stream"
          label={text.stream}
          options={STREAMS.map((value) => ({ value, label: parts.streams[value] }))}
        />
        <span className="push">
          <TextFilter name="account" label={parts.account} isFinder />
        </span>
      </FilterLine>
      <Loaded
        reading={reading}
        bones={6}
        empty={<Empty icon="send" title={text.noReceivers} about={text.noReceiversAbout} />}
      >
        {({ data }) => (
          <>
            <Table
              caption={text.receiversCaption}
              columns={columns}
              rows={data}
              rowKey={({ reseller, stream }) => `${reseller} ${stream}`}
              linkTo={({ reseller, stream }) => ({ to: `/operator/deliveries/${reseller}/${stream}` })}
            />
            <div className="foot-row">{parts.shown(data.length)}</div>
          </>
        )}
      </Loaded>
    </Panel>
  )
}

function useColumns(): readonly Column<Receiver>[] {
  const text = useText(DELIVERIES)
  const parts = useText(PARTS)
  return [
    {
      key: 'state',
      head: text.state,
      folded: 'shape',
      width: 140,
      cell: (receiver) => <StateOf kind="receiver" state={receiverState(receiver)} />,
    },
    {
      key: 'reseller',
      head: text.reseller,
      folded: 'name',
      cell: ({ reseller }) => reseller,
    },
    { key: 'stream', head: text.stream, folded: 'amount', cell: ({ stream }) => parts.streams[stream] },
    {
      key: 'address',
      head: text.address,
      folded: 'detail',
      className: 'wide-text',
      cell: ({ url }) => <span className="mono">{url}</span>,
    },
    {
      key: 'success',
      head: text.lastSuccess(ZONE_NAME),
      folded: 'time',
      className: 'nowrap sub',
      cell: ({ last_success_at: at }) => (at === null ? parts.never : whenText(at)),
    },
  ]
}

type Standing = Pick<Receiver, 'is_enabled' | 'paused_at' | 'failing_since' | 'last_success_at'>

/** State of a receiver. A pause by an operator is told before everything else. */
export function receiverState({
  is_enabled: isEnabled,
  paused_at: paused,
  failing_since: failing,
  last_success_at: success,
}: Standing) {
  if (paused !== null) return 'paused'
  if (!isEnabled) return 'disabled'
  if (failing !== null) return 'failing'
  return success === null ? 'untried' : 'well'
}
