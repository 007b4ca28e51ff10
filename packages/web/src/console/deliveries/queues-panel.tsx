import type { DeliveryQueue } from '../../api/operator.generated.ts'
import { useOperator } from '../../api/operator.ts'
import { durationText, timeText, ZONE_NAME } from '../../text/dates.ts'
import { useText } from '../../text/language.ts'
import { countText } from '../../text/numbers.ts'
import { Empty, Loaded } from '../../ui/loaded.tsx'
import { Panel } from '../../ui/panel.tsx'
import { State } from '../../ui/state.tsx'
import type { Column } from '../../ui/table.tsx'
import { Table } from '../../ui/table.tsx'
import { PARTS } from '../parts/messages.ts'
import { DELIVERIES } from './messages.ts'

const ROWS_MAX = 50

/** Receivers with something waiting. */
export function QueuesPanel() {
  const text = useText(DELIVERIES)
  const columns = useColumns()
  const reading = useOperator('listDeliveryQueues', { query: { limit: ROWS_MAX } })
  return (
    <Panel
      isFlush
      title={text.queues}
      about={text.queuesAbout}
      count={reading.data?.data.length || undefined}
    >
      <Loaded
        reading={reading}
        bones={3}
        empty={<Empty icon="send" title={text.noQueues} about={text.noQueuesAbout} />}
      >
        {({ data }) => (
          <Table
            caption={text.queuesCaption}
            columns={columns}
            rows={data}
            rowKey={({ reseller, stream }) => `${reseller} ${stream}`}
            linkTo={({ reseller, stream }) => ({ to: `/operator/deliveries/${reseller}/${stream}` })}
          />
        )}
      </Loaded>
    </Panel>
  )
}

function useColumns(): readonly Column<DeliveryQueue>[] {
  const text = useText(DELIVERIES)
  const parts = useText(PARTS)
  return [
    { key: 'reseller', head: text.reseller, folded: 'name', cell: ({ reseller }) => reseller },
    { key: 'stream', head: text.stream, folded: 'detail', cell: ({ stream }) => parts.streams[stream] },
    {
      key: 'waiting',
      head: text.waiting,
      isRight: true,
      folded: 'amount',
      cell: ({ pending }) => <b className="strong">{countText(pending)}</b>,
    },
    {
      key: 'oldest',
      head: text.oldest,
      isRight: true,
      folded: 'time',
      className: 'nowrap',
      cell: ({ oldest_at: at }) => durationText(Date.now() - Date.parse(at)),
    },
    {
      key: 'next',
      head: text.nextTry(ZONE_NAME),
      isRight: true,
      className: 'nowrap',
      cell: ({ next_at: at }) => timeText(at),
    },
    {
      key: 'now',
      head: text.now,
      folded: 'shape',
      cell: ({ is_held: isHeld }) => (
        <State tone={isHeld ? 'wait' : 'off'}>{isHeld ? text.sending : text.waits}</State>
      ),
    },
  ]
}
