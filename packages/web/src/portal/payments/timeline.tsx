import type { PortalPaymentDetails } from '../../api/portal.generated.ts'
import { durationText } from '../../text/dates.ts'
import type { Translated } from '../../text/language.ts'
import { useText } from '../../text/language.ts'
import { Money } from '../../ui/money.tsx'
import type { Moment } from '../../ui/panel.tsx'
import { Shape } from '../../ui/state.tsx'
import { PORTAL } from '../messages.ts'
import { PAYMENT } from './payment-messages.ts'
import type { PaymentStatus } from './status.tsx'
import { STATUS_TONES } from './status.tsx'

type Text = Translated<(typeof PAYMENT)['en']>
type Statuses = Translated<(typeof PORTAL)['en']>['status']

/** Steps of a payment, its money and its callbacks on one line of time, with the gaps between them. */
export function usePaymentMoments(payment: PortalPaymentDetails): readonly Moment[] {
  const text = useText(PAYMENT)
  const { status } = useText(PORTAL)
  const moments = [
    ...stepMoments(payment, text, status),
    ...payment.movements.map((movement, index) => movementMoment(movement, index, text)),
    ...payment.callbacks.map((callback) => callbackMoment(callback, text)),
  ].sort((a, b) => Date.parse(a.at) - Date.parse(b.at) || a.rank - b.rank)
  return moments.map((moment, index) => {
    const before = moments[index - 1]
    const gapMs = before === undefined ? 0 : Date.parse(moment.at) - Date.parse(before.at)
    return { ...moment, gap: gapMs > 0 ? `+${durationText(gapMs)}` : undefined }
  })
}

/** Rank orders the steps of one moment: asked for, taken, state, callback. */
type Ranked = Moment & { readonly rank: number }

function stepMoments(
  { timeline, sender, serial_number: serial }: PortalPaymentDetails,
  text: Text,
  statuses: Statuses,
): Ranked[] {
  let attempts = 0
  return timeline.map((step, index) => {
    if (step.kind === 'attempt') attempts += 1
    return stepMoment(step, `step ${index}`, attempts, { sender, serial }, text, statuses)
  })
}

function stepMoment(
  step: PortalPaymentDetails['timeline'][number],
  key: string,
  attempts: number,
  { sender, serial }: { readonly sender: string; readonly serial: string },
  text: Text,
  statuses: Statuses,
): Ranked {
  switch (step.kind) {
    case 'request':
      return {
        key,
        at: step.at,
        rank: 0,
        icon: 'arrow',
        title: text.asked,
        children: <p>{text.askedBy(sender)}</p>,
      }
    case 'attempt':
      return {
        key,
        at: step.at,
        rank: 2,
        icon: 'refresh',
        title: text.attempt(attempts),
        children: attempts > 1 ? <p>{text.attemptAbout}</p> : undefined,
      }
    case 'state': {
      const status = step.status as PaymentStatus
      const tone = STATUS_TONES[status] ?? 'wait'
      return {
        key,
        at: step.at,
        rank: 3,
        tone,
        title: statuses[status] ?? text.processing,
        children:
          status === 'successful' && serial !== '' ? (
            <p>
              {text.serial} <span className="mono">{serial}</span>
            </p>
          ) : undefined,
      }
    }
  }
}

function movementMoment(
  { kind, amount, balance, at }: PortalPaymentDetails['movements'][number],
  index: number,
  text: Text,
): Ranked {
  return {
    key: `movement ${index}`,
    at,
    rank: kind === 'payment' ? 1 : 4,
    icon: kind === 'payment' ? 'coin' : 'undo',
    title: (
      <>
        <Money amount={amount} currency="MYR" /> {kind === 'payment' ? text.taken : text.returned}
      </>
    ),
    children: (
      <>
        <p>
          {text.balanceAfter} <Money amount={balance} currency="MYR" />
        </p>
        {kind === 'payment' ? <p>{text.takenAbout}</p> : null}
      </>
    ),
  }
}

function callbackMoment(callback: PortalPaymentDetails['callbacks'][number], text: Text): Ranked {
  const { id, event_id: event, attempts, response_status: status, response_body: body, error } = callback
  const isTaken = callback.status === 'success'
  return {
    key: `callback ${id}`,
    at: callback.completed_at ?? callback.created_at,
    rank: 5,
    icon: 'send',
    title: text.callback,
    children: (
      <div className="answer">
        <div>
          <span className={`st ${isTaken ? 'ok' : callback.completed_at === null ? 'wait' : 'bad'}`}>
            <Shape tone={isTaken ? 'ok' : callback.completed_at === null ? 'wait' : 'bad'} />
            {status === 0 ? text.noAnswer : status}
          </span>
          <span className="mid">
            {isTaken
              ? text.answered(attempts)
              : callback.completed_at === null
                ? text.waits(attempts)
                : error}
          </span>
          <span className="push sub mono">{event}</span>
        </div>
        {body === '' ? null : <pre className="code wrap">{body}</pre>}
      </div>
    ),
  }
}
