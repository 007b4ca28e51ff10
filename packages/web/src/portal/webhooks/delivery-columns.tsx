import type { PortalDelivery } from '../../api/portal.generated.ts'
import { whenText } from '../../text/dates.ts'
import { useText } from '../../text/language.ts'
import { State } from '../../ui/state.tsx'
import type { Column } from '../../ui/table.tsx'
import { STATUS_TONES } from './filter-bar.tsx'
import { DELIVERIES } from './messages.ts'
import { SelectBox } from './select-box.tsx'

export type Selection = {
  readonly selected: readonly string[]
  readonly toggle: (id: string, isOn: boolean) => void
}

/** Columns of deliveries. Failed ones can be selected by those who may replay. */
export function useDeliveryColumns(selection: Selection | undefined): readonly Column<PortalDelivery>[] {
  const text = useText(DELIVERIES)
  const columns: Column<PortalDelivery>[] = [
    {
      key: 'result',
      head: text.result,
      folded: 'shape',
      width: 120,
      cell: ({ status }) => <State tone={STATUS_TONES[status]}>{text.status[status]}</State>,
    },
    { key: 'event', head: text.event, folded: 'name', cell: (delivery) => <EventName {...delivery} /> },
    {
      key: 'answer',
      head: text.answer,
      folded: 'detail',
      cell: ({ response_status: status, status: result }) =>
        status === 0 ? (
          <span className="sub">{result === 'pending' ? '' : text.noAnswer}</span>
        ) : (
          <span className={status >= 200 && status < 300 ? undefined : 'bad'}>{status}</span>
        ),
    },
    {
      key: 'attempts',
      head: text.attempts,
      isRight: true,
      rank: 3,
      cell: ({ attempts }) => attempts,
    },
    {
      key: 'made',
      head: text.made,
      isRight: true,
      folded: 'time',
      className: 'nowrap mid',
      cell: ({ created_at: at, status }) => (
        <>
          <span className="pw">{text.status[status]}</span>
          {whenText(at)}
        </>
      ),
    },
  ]
  if (selection === undefined) return columns
  return [
    {
      key: 'select',
      head: <span className="hide">{text.select}</span>,
      width: 36,
      folded: 'amount',
      cell: ({ id, status, event_id: event, is_test: isTest }) =>
        status === 'failed' && !isTest ? (
          <SelectBox
            label={text.selectOf(event)}
            isOn={selection.selected.includes(id)}
            onToggle={(isOn) => selection.toggle(id, isOn)}
          />
        ) : null,
    },
    ...columns,
  ]
}

function EventName(delivery: PortalDelivery) {
  const text = useText(DELIVERIES)
  return (
    <span className="who2">
      <span>
        <span className="mid-weight">{delivery.event_type ?? delivery.event_id}</span>{' '}
        {delivery.is_test ? <span className="tag">{text.test}</span> : null}{' '}
        {delivery.replay_of === null ? null : <span className="tag">{text.replayMark}</span>}
      </span>
      <small className="mono event-id" title={delivery.event_id}>
        {delivery.event_id}
      </small>
    </span>
  )
}
