import { useState } from 'react'
import type { Receiver } from '../../api/operator.generated.ts'
import { useOperator } from '../../api/operator.ts'
import { pauseEndpoint, resumeEndpoint } from '../../api/operator-acts.generated.ts'
import { Crumbs, PageLink, useParam } from '../../shell/navigation.tsx'
import { dateTimeText, durationText, ZONE_NAME } from '../../text/dates.ts'
import { useText } from '../../text/language.ts'
import { countText } from '../../text/numbers.ts'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/loaded.tsx'
import { Facts, PageHead, Panel } from '../../ui/panel.tsx'
import { Note } from '../../ui/state.tsx'
import { CONSOLE } from '../messages.ts'
import { ConsoleAct } from '../parts/act.tsx'
import { PARTS } from '../parts/messages.ts'
import { LoadedPage } from '../parts/pages.tsx'
import { useMay } from '../roles.ts'
import { StateOf, toneOf } from '../states.ts'
import { DELIVERIES } from './messages.ts'
import { receiverState } from './receivers-panel.tsx'

const STREAMS = ['callback', 'catalog', 'balance', 'order'] as const

/** One receiver: leave it alone, or pause it. */
export function Page() {
  const pages = useText(CONSOLE)
  const text = useText(DELIVERIES)
  const account = useParam('account')
  const wanted = useParam('stream')
  const stream = STREAMS.find((each) => each === wanted) ?? 'callback'
  const reading = useOperator('listEndpoints', { query: { account, stream, limit: 1 } })
  return (
    <LoadedPage reading={reading} title={pages.deliveries}>
      {({ data: [receiver] }) =>
        receiver === undefined ? (
          <>
            <PageHead
              crumbs={<PageLink to="/operator/deliveries">{pages.deliveries}</PageLink>}
              title={text.accountOf(account)}
            />
            <Panel>
              <Empty icon="send" title={text.noReceiver} about={text.noReceiversAbout} />
            </Panel>
          </>
        ) : (
          <ReceiverView receiver={receiver} />
        )
      }
    </LoadedPage>
  )
}

function ReceiverView({ receiver }: { receiver: Receiver }) {
  const text = useText(DELIVERIES)
  const parts = useText(PARTS)
  const pages = useText(CONSOLE)
  const may = useMay()
  const [isAsking, setAsking] = useState(false)
  const state = receiverState(receiver)
  const isPaused = receiver.paused_at !== null
  const canSwitch = isPaused || receiver.stream !== 'callback'
  return (
    <>
      <PageHead
        crumbs={<Crumbs to="/operator/deliveries" label={pages.deliveries} here={receiver.reseller} />}
        title={
          <span className="row wrap">
            {text.title(parts.streams[receiver.stream])} <StateOf isPill kind="receiver" state={state} />
          </span>
        }
        about={
          <>
            {text.accountOf(receiver.reseller)}.{' '}
            <PageLink className="link" to={`/operator/resellers/${receiver.reseller}`}>
              {text.seeReseller}
            </PageLink>
          </>
        }
        actions={
          may('deliveries.write') && canSwitch ? (
            <Button
              look={isPaused ? 'primary' : 'danger-quiet'}
              icon={isPaused ? 'send' : 'pause'}
              onClick={() => setAsking(true)}
            >
              {isPaused ? text.resume : text.pause}
            </Button>
          ) : undefined
        }
      />
      <div className="grid">
        <Note tone={toneOf('receiver', state)}>
          {text.standing[state]} {canSwitch ? null : text.neverPaused}
        </Note>
        <FactsPanel receiver={receiver} />
      </div>
      {isAsking ? <SwitchDialog receiver={receiver} onClose={() => setAsking(false)} /> : null}
    </>
  )
}

function FactsPanel({ receiver }: { receiver: Receiver }) {
  const text = useText(DELIVERIES)
  const parts = useText(PARTS)
  const { reseller: account, stream } = receiver
  const details = useOperator('getEndpoint', { params: { account, stream } }).data?.data
  const moment = (at: string) =>
    `${dateTimeText(at)} ${ZONE_NAME} (${durationText(Date.now() - Date.parse(at))})`
  const since = (term: string, at: string | null) => (at === null ? undefined : { term, value: moment(at) })
  return (
    <Panel title={text.facts}>
      <Facts
        isLeft
        facts={[
          { term: text.address, value: <span className="mono">{receiver.url}</span> },
          { term: text.method, value: <span className="mono">{receiver.method}</span> },
          {
            term: text.types,
            value:
              receiver.types.length === 0 ? (
                text.allTypes
              ) : (
                <span className="mono">{receiver.types.join(', ')}</span>
              ),
          },
          { term: text.pending, value: details === undefined ? '…' : countText(details.pending) },
          since(text.failingSince, receiver.failing_since),
          since(text.pausedSince, receiver.paused_at),
          {
            term: text.lastSuccess(ZONE_NAME),
            value: receiver.last_success_at === null ? parts.never : dateTimeText(receiver.last_success_at),
          },
          { term: text.created, value: dateTimeText(receiver.created_at) },
          { term: text.changed, value: dateTimeText(receiver.updated_at) },
        ]}
      />
    </Panel>
  )
}

function SwitchDialog({ receiver, onClose }: { receiver: Receiver; onClose: () => void }) {
  const text = useText(DELIVERIES)
  const isPaused = receiver.paused_at !== null
  return (
    <ConsoleAct
      act={isPaused ? resumeEndpoint : pauseEndpoint}
      input={{ params: { account: receiver.reseller, stream: receiver.stream } }}
      isDangerous={!isPaused}
      title={isPaused ? text.resumeTitle : text.pauseTitle}
      action={isPaused ? text.resume : text.pause}
      keep={isPaused ? text.keepPaused : text.keepOn}
      done={isPaused ? text.resumed : text.paused}
      refresh={['getEndpoint', 'listEndpoints', 'listDeliveryQueues', 'getOperatorOverview']}
      onClose={onClose}
    >
      <p className="mid">{isPaused ? text.resumeAbout : text.pauseAbout}</p>
    </ConsoleAct>
  )
}
