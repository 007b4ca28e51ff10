import type { ResellerPaymentDetails } from '../../api/operator.generated.ts'
import { PageLink } from '../../shell/navigation.tsx'
import { dayText, durationText, timeText, whenText, ZONE_NAME } from '../../text/dates.ts'
import type { Translated } from '../../text/language.ts'
import { useText } from '../../text/language.ts'
import { moneyText } from '../../text/numbers.ts'
import { Money } from '../../ui/money.tsx'
import type { Moment } from '../../ui/panel.tsx'
import { Panel, Timeline } from '../../ui/panel.tsx'
import { State } from '../../ui/state.tsx'
import type { Column } from '../../ui/table.tsx'
import { Table } from '../../ui/table.tsx'
import { useMay } from '../roles.ts'
import { toneOf, useWords } from '../states.ts'
import { PAYMENT } from './payment-messages.ts'

type Text = Translated<(typeof PAYMENT)['en']>

/** Facts of a payment, and its line of time with the gaps. */
export function KnownPanel({ payment }: { payment: ResellerPaymentDetails }) {
  const text = useText(PAYMENT)
  const states = useWords('payment')
  const last = payment.attempts.at(-1)
  const questions = last?.undecided_answers ?? null
  return (
    <Panel
      isFlush
      title={text.known}
      actions={
        <span className="sub small">
          {dayText(payment.created_at)}, {ZONE_NAME}
        </span>
      }
    >
      <div className="facts">
        <div>
          <small>{payment.stuck ? text.held : text.cost}</small>
          <b>
            <Money amount={payment.cost} currency="MYR" />
          </b>
        </div>
        <div>
          <small>{text.provider}</small>
          <b className="mono">{payment.provider === '' ? '–' : payment.provider}</b>
        </div>
        <div>
          <small>{text.attempt}</small>
          <b>{last === undefined ? text.never : last.attempt}</b>
        </div>
        <div>
          <small>{text.asked}</small>
          <b>{questions === null ? text.notAsked : text.times(questions)}</b>
        </div>
      </div>
      <div className="in line">
        <Timeline label={text.known} moments={withGaps(momentsOf(payment, text, states))} />
      </div>
    </Panel>
  )
}

type Step = ResellerPaymentDetails['timeline'][number]
type States = ReturnType<typeof useWords<'payment'>>

function momentsOf(payment: ResellerPaymentDetails, text: Text, states: States): Moment[] {
  const steps = payment.timeline.map((step, index) =>
    stepMoment(payment, step, `step ${index}`, text, states),
  )
  steps.sort((a, b) => Date.parse(a.at) - Date.parse(b.at))
  // A staging clock that was moved puts the due time before the request; it is still the later step.
  return [...steps, ...waitingMoments(payment, text)]
}

function stepMoment(
  payment: ResellerPaymentDetails,
  step: Step,
  key: string,
  text: Text,
  states: States,
): Moment {
  const detail = step.detail === '' ? undefined : <p className="mono small anywhere">{step.detail}</p>
  if (step.kind === 'state' && step.state === 'accepted') {
    return {
      key,
      at: step.at,
      icon: 'arrow',
      title: states.accepted,
      children: (
        <>
          <p>{text.acceptedFrom(payment.member_id, payment.sender)}</p>
          {step.balance === null ? null : (
            <p>{text.taken(moneyText(payment.cost, 'MYR'), moneyText(step.balance, 'MYR'))}</p>
          )}
          {detail}
        </>
      ),
    }
  }
  if (step.kind === 'state') {
    const returned =
      step.balance === null ? null : (
        <p>{text.returned(moneyText(payment.cost, 'MYR'), moneyText(step.balance, 'MYR'))}</p>
      )
    return {
      key,
      at: step.at,
      tone: toneOf('payment', step.state),
      title: states[step.state],
      children: (
        <>
          {returned}
          {detail}
        </>
      ),
    }
  }
  const named = text.kinds[step.kind as keyof Text['kinds']] ?? step.kind
  return { key, at: step.at, icon: step.kind === 'note' ? 'edit' : 'route', title: named, children: detail }
}

/** Due time of a stuck payment, and the questions to its provider since then. */
function waitingMoments(payment: ResellerPaymentDetails, text: Text): Moment[] {
  const { stuck, stuck_since: since, provider } = payment
  if (!stuck || since === null) return []
  const last = payment.attempts.at(-1)
  const next = last?.next_question_at ?? null
  const questions = last?.undecided_answers ?? 0
  return [
    { key: 'due', at: since, icon: 'clock', title: text.due, children: <p>{text.dueAbout}</p> },
    {
      key: 'asked',
      at: new Date().toISOString(),
      icon: 'refresh',
      title: text.askedTimes(text.times(questions)),
      children: <p>{next === null ? text.noNext(provider) : text.nextQuestion(provider, timeText(next))}</p>,
    },
  ]
}

function withGaps(moments: readonly Moment[]): Moment[] {
  return moments.map((moment, index) => {
    const before = moments[index - 1]
    const gapMs = before === undefined ? 0 : Date.parse(moment.at) - Date.parse(before.at)
    return { ...moment, gap: gapMs > 0 ? `+${durationText(gapMs)}` : undefined }
  })
}

type Callback = ResellerPaymentDetails['callbacks'][number]

/** Callbacks about a payment, and what the reseller's receiver answered. */
export function CallbacksPanel({ payment }: { payment: ResellerPaymentDetails }) {
  const text = useText(PAYMENT)
  const may = useMay()
  const columns: Column<Callback>[] = [
    {
      key: 'state',
      head: text.callbackState,
      folded: 'name',
      cell: (callback) => <Delivery {...callback} />,
    },
    {
      key: 'event',
      head: text.event,
      folded: 'detail',
      cell: ({ event_id: event, replay_of: original }) => (
        <>
          <span className="mono sub">{event}</span> {original === null ? null : text.replay}
        </>
      ),
    },
    {
      key: 'answer',
      head: text.httpStatus,
      folded: 'amount',
      isRight: true,
      cell: ({ response_status: status }) => (status === 0 ? text.noAnswer : status),
    },
    { key: 'tries', head: text.tries, isRight: true, cell: ({ attempts }) => attempts },
    {
      key: 'at',
      head: text.at,
      folded: 'time',
      isRight: true,
      className: 'nowrap',
      cell: ({ completed_at: completed, created_at: created }) => whenText(completed ?? created),
    },
  ]
  return (
    <Panel
      isFlush
      title={text.told}
      actions={
        may('deliveries.read') && payment.callbacks.length > 0 ? (
          <PageLink className="link" to={`/operator/deliveries/${payment.reseller}/callback`}>
            {text.receiver}
          </PageLink>
        ) : undefined
      }
    >
      {payment.callbacks.length === 0 ? (
        <p className="in sub small">{text.nothingTold}</p>
      ) : (
        <Table caption={text.told} columns={columns} rows={payment.callbacks} rowKey={({ id }) => id} />
      )}
    </Panel>
  )
}

function Delivery({ status, completed_at: completed, error }: Callback) {
  const text = useText(PAYMENT)
  const [tone, word] =
    status === 'success'
      ? (['ok', text.delivery.success] as const)
      : completed === null
        ? (['wait', text.delivery.pending] as const)
        : (['bad', text.delivery.failed] as const)
  return (
    <>
      <State tone={tone}>{word}</State>
      {error === '' ? null : <small className="under anywhere">{error}</small>}
    </>
  )
}
