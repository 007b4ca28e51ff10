import type { Attempt } from '../../api/operator.generated.ts'
import { timeText, whenText } from '../../text/dates.ts'
import { useText } from '../../text/language.ts'
import { Panel } from '../../ui/panel.tsx'
import type { Tone } from '../../ui/state.tsx'
import { State } from '../../ui/state.tsx'
import { PAYMENT } from './payment-messages.ts'

const TONES: Readonly<Record<Attempt['answers'][number]['kind'], Tone>> = {
  undecided: 'wait',
  succeeded: 'ok',
  failed: 'bad',
  not_acted: 'off',
  sent_again: 'info',
  late: 'warning',
  contradiction: 'critical',
  note: 'info',
}

/** Each order to a provider, and what the provider answered. */
export function AttemptsPanel({ attempts }: { attempts: readonly Attempt[] }) {
  const text = useText(PAYMENT)
  if (attempts.length === 0) return null
  return (
    <Panel isFlush title={text.attempts} count={attempts.length}>
      <ul className="list">
        {attempts.map((attempt) => (
          <li key={attempt.attempt}>
            <div className="t">
              <b className="mid-weight">{text.attemptOf(attempt.attempt, attempt.supplier)}</b>
              <small>
                <span className="mono">{attempt.our_reference}</span>,{' '}
                {attempt.sent_at === null ? text.notSent : text.sentAt(whenText(attempt.sent_at))}
                {attempt.sent_again === 0 ? null : `, ${text.sentAgain(attempt.sent_again)}`}
              </small>
              <Answers answers={attempt.answers} />
            </div>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

function Answers({ answers }: Pick<Attempt, 'answers'>) {
  const text = useText(PAYMENT)
  if (answers.length === 0) return <small>{text.noAnswers}</small>
  return (
    <div className="answer">
      {answers.map(({ at, kind, code, text: said }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: answers have a fixed order and no identity.
        <div key={index}>
          <span className="sub nowrap">{timeText(at)}</span>
          <State tone={TONES[kind]}>{text.answers[kind]}</State>
          <span className="sub">{code}</span>
          <span className="mono anywhere">{said}</span>
        </div>
      ))}
    </div>
  )
}
