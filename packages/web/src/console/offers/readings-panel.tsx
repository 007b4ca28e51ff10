import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { ReadingOfAListOfOffers } from '../../api/operator.generated.ts'
import { operatorKey, useOperator } from '../../api/operator.ts'
import { whenText } from '../../text/dates.ts'
import { useText } from '../../text/language.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Shape } from '../../ui/state.tsx'
import { OFFERS } from './messages.ts'

const SHOWN = 5
const POLL_MS = 3_000
const TONES = { running: 'wait', complete: 'ok', failed: 'critical' } as const

/** Last readings of lists. One that is running shows how far it is. */
export function ReadingsPanel({ provider }: { provider: string | undefined }) {
  const text = useText(OFFERS)
  const reading = useOperator(
    'listOfferSyncs',
    { query: { limit: SHOWN, ...(provider === undefined ? {} : { provider }) } },
    { keepsFormer: true },
  )
  const schedules = useOperator('listOfferSchedules', {})
  const isRunning = reading.data?.data.some(({ state }) => state === 'running') === true
  usePolling(isRunning)
  const own = schedules.data?.data.find((each) => each.provider === provider)
  const schedule =
    own?.every_hours == null || own.next_at === null
      ? undefined
      : text.every(own.every_hours, whenText(own.next_at))
  return (
    <Panel
      isFlush
      title={text.readings}
      actions={schedule === undefined ? null : <span className="sub small">{schedule}</span>}
    >
      <Loaded reading={reading} bones={2} empty={<p className="sub small pad">{text.noReading}</p>}>
        {({ data }) => (
          <ul className="list">
            {data.map((each) => (
              <Line key={each.id} reading={each} />
            ))}
          </ul>
        )}
      </Loaded>
    </Panel>
  )
}

function Line({ reading }: { reading: ReadingOfAListOfOffers }) {
  const text = useText(OFFERS)
  const { state, provider, pages, offers, proposals, trouble } = reading
  const tone = state === 'complete' && trouble !== null ? 'warning' : TONES[state]
  return (
    <li>
      <Shape tone={tone} isColoured />
      <div className="t">
        <b className="mid-weight">
          <span className="mono">{provider}</span> {text.readingStates[state]}
        </b>
        <small>
          {text.progress(pages, offers, proposals)}, {whenText(reading.finished_at ?? reading.started_at)}
          {trouble === null ? null : `; ${trouble}`}
        </small>
      </div>
    </li>
  )
}

/** Reads again every few seconds while a list is being read. */
function usePolling(isRunning: boolean): void {
  const client = useQueryClient()
  useEffect(() => {
    if (!isRunning) return
    const timer = window.setInterval(() => {
      for (const id of ['listOfferSyncs', 'listOfferProposals'] as const) {
        void client.invalidateQueries({ queryKey: operatorKey(id) })
      }
    }, POLL_MS)
    return () => window.clearInterval(timer)
  }, [isRunning, client])
}
