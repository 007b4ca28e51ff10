import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useLatest } from '../../api/latest.ts'
import { useLive } from '../../api/live.ts'
import type { PortalDeliveryPage, PortalGetDeliveryResponse } from '../../api/portal.generated.ts'
import { portal, portalKey, usePortal } from '../../api/portal.ts'
import { useFilters } from '../../shell/navigation.tsx'
import { durationText, whenText } from '../../text/dates.ts'
import { useText } from '../../text/language.ts'
import { Button } from '../../ui/button.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { ActionProblem } from '../../ui/problem.tsx'
import { State } from '../../ui/state.tsx'
import { useAction } from '../../ui/use-action.ts'
import { useMay } from '../session.ts'
import { STATUS_TONES } from './delivery-columns.tsx'
import { DELIVERIES } from './messages.ts'
import type { Stream } from './streams.ts'

type Delivery = PortalGetDeliveryResponse['data']

/** One delivery: its attempts, what the receiver said, and what was sent. */
export function DeliveryDetails({ stream, id }: { stream: Stream; id: string | undefined }) {
  const text = useText(DELIVERIES)
  const element = useRef<HTMLElement>(null)
  const isChosen = id !== undefined
  useEffect(() => {
    // The details stand below the list on narrow screens.
    if (isChosen) element.current?.scrollIntoView({ block: 'nearest' })
  }, [isChosen])
  return (
    <aside className="det" aria-label={text.details} ref={element}>
      {id === undefined ? <p className="sub small">{text.pick}</p> : <Chosen stream={stream} id={id} />}
    </aside>
  )
}

function Chosen({ stream, id }: { stream: Stream; id: string }) {
  const reading = usePortal('portalGetDelivery', { params: { stream, id } })
  useOutcome(reading.data?.data, reading.refetch)
  return <Loaded reading={reading}>{({ data }) => <Details delivery={data} />}</Loaded>
}

const FIRST_LOOK_MS = 500
const LAST_LOOK_MS = 30_000

/**
 * Follows one delivery that is on its way. Only failures are live events, so the page looks again, less and less
 * often, until the delivery has ended. The lists are read again when they show another state.
 */
function useOutcome(delivery: Delivery | undefined, look: () => unknown): void {
  const client = useQueryClient()
  const latest = useLatest(look)
  const id = delivery?.id
  const status = delivery?.status
  useLive(['delivery'], () => latest.current())
  useEffect(() => {
    if (id === undefined) return
    const lists = client.getQueriesData<PortalDeliveryPage>({ queryKey: portalKey('portalListDeliveries') })
    const isListed = lists.some(([, page]) =>
      page?.data.some((row) => row.id === id && row.status === status),
    )
    if (isListed) return
    void client.invalidateQueries({ queryKey: portalKey('portalListDeliveries') })
    void client.invalidateQueries({ queryKey: portalKey('portalListEndpoints') })
  }, [client, id, status])
  useEffect(() => {
    if (status !== 'pending') return
    let pause = FIRST_LOOK_MS
    let timer = window.setTimeout(lookAgain, pause)
    function lookAgain() {
      latest.current()
      pause = Math.min(pause * 2, LAST_LOOK_MS)
      timer = window.setTimeout(lookAgain, pause)
    }
    return () => window.clearTimeout(timer)
  }, [status])
}

function Details({ delivery }: { delivery: Delivery }) {
  const text = useText(DELIVERIES)
  const mayChange = useMay('developers.write')
  return (
    <>
      <Head delivery={delivery} />
      <p className="small sub">
        {text.sentTo}{' '}
        <span className="mono">
          {delivery.method} {delivery.url}
        </span>
        {delivery.replay_of === null ? null : (
          <>
            {' · '}
            {text.replayOf} <span className="mono">{delivery.replay_of}</span>
          </>
        )}
      </p>
      <Tries tries={delivery.tries} />
      {delivery.response_status === 0 ? null : (
        <div>
          <h3>{text.said}</h3>
          {delivery.response_body === '' ? (
            <p className="sub small">{mayChange ? text.saidNothing : text.saidHidden}</p>
          ) : (
            <pre className="code wrap">{delivery.response_body}</pre>
          )}
        </div>
      )}
      <div>
        <h3>{text.sent}</h3>
        {delivery.payload === null ? (
          <p className="sub small">{text.notKept}</p>
        ) : (
          <pre className="code wrap">{JSON.stringify(delivery.payload, null, 2)}</pre>
        )}
      </div>
    </>
  )
}

function Head({ delivery }: { delivery: Delivery }) {
  const text = useText(DELIVERIES)
  const mayChange = useMay('developers.write')
  const [, change] = useFilters()
  const { id, stream, status, is_test: isTest } = delivery
  const replay = useAction({
    act: () => portal.call('portalReplayDelivery', { params: { stream, id } }),
    done: () => text.replayed,
    refresh: [
      portalKey('portalListDeliveries'),
      portalKey('portalGetDelivery'),
      portalKey('portalListEndpoints'),
    ],
    onDone: ({ data }) => change({ delivery: data.new_delivery_id, cursor: undefined }),
  })
  return (
    <div>
      <div className="row">
        <State tone={STATUS_TONES[status]}>{text.heads[status](delivery.attempts)}</State>
        {status === 'failed' && mayChange && !isTest ? (
          <Button
            size="sm"
            look="primary"
            icon="refresh"
            className="push"
            isBusy={replay.isBusy}
            onClick={() => replay.run()}
          >
            {text.replay}
          </Button>
        ) : null}
      </div>
      {status === 'failed' ? (
        <p className="small sub">{isTest ? text.testOnce : text.replayAbout(delivery.replays)}</p>
      ) : null}
      <ActionProblem error={replay.error} />
    </div>
  )
}

function Tries({ tries }: { tries: Delivery['tries'] }) {
  const text = useText(DELIVERIES)
  return (
    <div>
      <h3>{text.tries}</h3>
      {tries.length === 0 ? (
        <p className="sub small">{text.noTries}</p>
      ) : (
        <ol className="tries">
          {tries.map(({ at, duration_ms: duration, response_status: status, error }) => (
            <li key={at}>
              <State tone={status >= 200 && status < 300 ? 'ok' : 'bad'}>
                {status === 0 ? text.gotNoAnswer : status}
              </State>
              <span className="mid">{status === 0 ? error : text.answeredIn(durationText(duration))}</span>
              <span className="sub">{whenText(at)}</span>
            </li>
          ))}
        </ol>
      )}
    </div>
  )
}
