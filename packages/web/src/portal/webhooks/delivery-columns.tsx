import type { ReactNode } from 'react'
import type { PortalDelivery } from '../../api/portal.generated.ts'
import { DayFilters, SegmentFilter, TextFilter } from '../../shell/filters.tsx'
import { whenText } from '../../text/dates.ts'
import { useText } from '../../text/language.ts'
import { Icon } from '../../ui/icon.tsx'
import type { Tone } from '../../ui/state.tsx'
import { State } from '../../ui/state.tsx'
import type { Column } from '../../ui/table.tsx'
import { DELIVERIES } from './messages.ts'

type Selection = {
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

type SelectBoxProps = {
  readonly label: string
  readonly isOn: boolean
  readonly onToggle: (isOn: boolean) => void
}

/** Checkbox of a row; its label is read out and not shown. */
function SelectBox({ label, isOn, onToggle }: SelectBoxProps) {
  return (
    <span className="check-box">
      <input
        type="checkbox"
        aria-label={label}
        checked={isOn}
        onChange={(event) => onToggle(event.target.checked)}
      />
      <Icon name="check" />
    </span>
  )
}

type DeliveryStatus = PortalDelivery['status']

export const STATUSES: readonly DeliveryStatus[] = ['success', 'failed', 'pending']

export const STATUS_TONES: Readonly<Record<DeliveryStatus, Tone>> = {
  success: 'ok',
  failed: 'bad',
  pending: 'wait',
}

/** Filters of the deliveries; they live in the address. */
export function FilterBar({ title, children }: { title: string; children: ReactNode }) {
  const text = useText(DELIVERIES)
  return (
    <div className="dev-bar">
      <h2>{title}</h2>
      <SegmentFilter
        name="status"
        label={text.filter}
        options={STATUSES.map((value) => ({ value, label: text.status[value], tone: STATUS_TONES[value] }))}
      />
      <DayFilters />
      <TextFilter name="event" label={text.eventFilter} />
      <span className="push">{children}</span>
    </div>
  )
}
