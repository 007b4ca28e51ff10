import type { ReactNode } from 'react'
import type { PortalDelivery } from '../../api/portal.generated.ts'
import { useFilters } from '../../shell/navigation.tsx'
import { useText } from '../../text/language.ts'
import { Segment } from '../../ui/field.tsx'
import type { Tone } from '../../ui/state.tsx'
import { Shape } from '../../ui/state.tsx'
import { DateChip, TextChip } from '../developers/filter-chips.tsx'
import { DELIVERIES } from './messages.ts'

export type DeliveryStatus = PortalDelivery['status']

export const STATUSES: readonly DeliveryStatus[] = ['success', 'failed', 'pending']

export const STATUS_TONES: Readonly<Record<DeliveryStatus, Tone>> = {
  success: 'ok',
  failed: 'bad',
  pending: 'wait',
}

/** Filters of the deliveries; they live in the address. */
export function FilterBar({ title, children }: { title: string; children: ReactNode }) {
  const text = useText(DELIVERIES)
  const [search, change] = useFilters()
  return (
    <div className="dev-bar">
      <h2>{title}</h2>
      <Segment
        label={text.filter}
        value={search.status ?? ''}
        onValue={(status) => change({ status, cursor: undefined })}
        options={[
          { value: '', label: text.all },
          ...STATUSES.map((status) => ({
            value: status,
            label: (
              <>
                <Shape tone={STATUS_TONES[status]} isColoured />
                {text.status[status]}
              </>
            ),
          })),
        ]}
      />
      <DateChip name="from" label={text.from} />
      <DateChip name="to" label={text.to} />
      <TextChip name="event" label={text.eventFilter} />
      <span className="push">{children}</span>
    </div>
  )
}
