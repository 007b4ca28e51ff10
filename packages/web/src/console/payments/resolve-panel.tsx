import type { FormEvent, ReactNode } from 'react'
import { useRef, useState } from 'react'
import type { ResellerPaymentDetails } from '../../api/operator.generated.ts'
import { operator, operatorKey, useOperator } from '../../api/operator.ts'
import { PageLink } from '../../shell/navigation.tsx'
import { useShortcuts } from '../../shell/shortcuts.ts'
import { useText } from '../../text/language.ts'
import { moneyText } from '../../text/numbers.ts'
import { Button, buttonClass, Key } from '../../ui/button.tsx'
import { TextAreaField, TextField } from '../../ui/field.tsx'
import { Panel } from '../../ui/panel.tsx'
import { ActionProblem, fieldError } from '../../ui/problem.tsx'
import { Note } from '../../ui/state.tsx'
import { say } from '../../ui/toast.tsx'
import { useAction } from '../../ui/use-action.ts'
import { Hands, ReasonField } from '../parts/act.tsx'
import { useMay } from '../roles.ts'
import { PAYMENT } from './payment-messages.ts'

const EVIDENCE_LENGTH_MAX = 400
const TEXT_LENGTH_MAX = 200
const REQUESTS_MAX = 200

type Props = { readonly payment: ResellerPaymentDetails }

/** End of a stuck payment: a request that waits, or the form for those who may. */
export function ResolvePanel({ payment }: Props) {
  const may = useMay()
  const waiting = useOperator('listApprovals', {
    query: { state: 'pending', kind: 'payment_resolution', limit: REQUESTS_MAX },
  })
  const request = waiting.data?.data.find(({ target }) => target.id === payment.id)
  if (request !== undefined) return <WaitingPanel id={request.id} by={request.requested_by} />
  return may('payments.resolve') ? <ResolveForm payment={payment} /> : null
}

function WaitingPanel({ id, by }: { id: string; by: string }) {
  const text = useText(PAYMENT)
  return (
    <Panel title={text.resolve}>
      <div className="stack">
        <Note tone="back">
          <b>{text.waits}</b> {text.waitsAbout(by)}
        </Note>
        <PageLink className={buttonClass({ isWide: true })} to={`/operator/approvals/${id}`}>
          {text.openRequest}
        </PageLink>
      </div>
    </Panel>
  )
}

/** Resolution as the person fills it in. */
function useDraft() {
  const [draft, setDraft] = useState({ evidence: '', serial: '', pin: '', reason: '' })
  const [outcome, setOutcome] = useState<'succeeded' | 'failed' | undefined>(undefined)
  const set = (changes: Partial<typeof draft>) => setDraft({ ...draft, ...changes })
  const isReady = outcome !== undefined && draft.evidence.trim() !== '' && draft.reason.trim() !== ''
  return { draft, set, outcome, setOutcome, isReady }
}

function ResolveForm({ payment }: Props) {
  const text = useText(PAYMENT)
  const form = useRef<HTMLFormElement>(null)
  const { draft, set, outcome, setOutcome, isReady } = useDraft()
  const action = useAction({
    act: (as: 'succeeded' | 'failed') =>
      operator.call('resolvePayment', {
        params: { id: payment.id },
        body: {
          as,
          evidence: draft.evidence.trim(),
          serial_number: draft.serial.trim(),
          pin: draft.pin.trim(),
          reason: draft.reason.trim(),
        },
      }),
    refresh: [
      operatorKey('getPayment'),
      operatorKey('listApprovals'),
      operatorKey('listStuckPayments'),
      operatorKey('getOperatorOverview'),
    ],
    onDone: ({ data }) => {
      // A request for an approval has a command; a payment that ended has none.
      if ('command' in data) say(text.doneAsked, 'wait')
      else say(text.doneAlone)
    },
  })
  useShortcuts({ r: () => form.current?.querySelector('input')?.focus() })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isReady && outcome !== undefined && !action.isBusy) action.run(outcome)
  }
  return (
    <Panel title={text.resolve} actions={<Key>R</Key>}>
      <form className="stack" ref={form} onSubmit={submit} noValidate aria-label={text.resolve}>
        <Outcomes payment={payment} value={outcome} onValue={setOutcome} />
        <TextAreaField
          label={text.how}
          aside={<span className="sub small">{text.of(draft.evidence.length, EVIDENCE_LENGTH_MAX)}</span>}
          hint={text.howHint}
          error={fieldError(action.error, 'evidence')}
          value={draft.evidence}
          onValue={(evidence) => set({ evidence })}
          maxLength={EVIDENCE_LENGTH_MAX}
        />
        {outcome === 'failed' ? null : (
          <div className="two">
            <TextField
              label={text.serial}
              aside={<span className="sub small">{text.ifAny}</span>}
              value={draft.serial}
              onValue={(serial) => set({ serial })}
              maxLength={TEXT_LENGTH_MAX}
              autoComplete="off"
            />
            <TextField
              label={text.pin}
              aside={<span className="sub small">{text.ifAny}</span>}
              value={draft.pin}
              onValue={(pin) => set({ pin })}
              maxLength={TEXT_LENGTH_MAX}
              autoComplete="off"
            />
          </div>
        )}
        <ReasonField value={draft.reason} onValue={(reason) => set({ reason })} error={action.error} />
        <SecondPerson payment={payment} />
        <ActionProblem error={action.error} />
        <Button type="submit" look="primary" size="lg" isWide disabled={!isReady} isBusy={action.isBusy}>
          {payment.needs_second_person ? text.ask : text.end}
        </Button>
      </form>
    </Panel>
  )
}

type Outcome = 'succeeded' | 'failed'

type OutcomesProps = {
  readonly payment: ResellerPaymentDetails
  readonly value: Outcome | undefined
  readonly onValue: (value: Outcome) => void
}

/** Choice of what the supplier said. Nothing is chosen beforehand: a slip would move money. */
function Outcomes({ payment, value, onValue }: OutcomesProps) {
  const text = useText(PAYMENT)
  const option = (outcome: Outcome, title: string, about: ReactNode) => (
    <label className={outcome === value ? 'radio-card on' : 'radio-card'}>
      <input type="radio" name="outcome" checked={outcome === value} onChange={() => onValue(outcome)} />
      <span>
        <b className="strong">{title}</b>
        <small>{about}</small>
      </span>
    </label>
  )
  return (
    <fieldset className="field outcomes">
      <legend>{text.said}</legend>
      <div className="stack tight">
        {option('succeeded', text.carriedOut, text.carriedOutAbout)}
        {option(
          'failed',
          text.notCarriedOut,
          text.notCarriedOutAbout(moneyText(payment.cost, 'MYR'), payment.reseller),
        )}
      </div>
    </fieldset>
  )
}

const ringgit = (amount: string) => moneyText(amount, 'MYR')

/** Says who acts, before the click. */
function SecondPerson({ payment }: { payment: ResellerPaymentDetails }) {
  const text = useText(PAYMENT)
  if (!payment.needs_second_person) return <Note tone="info">{text.alone}</Note>
  return (
    <>
      <Note tone="back">
        <b>{text.secondPerson}</b>{' '}
        {text.secondPersonAbout(
          ringgit(payment.resolve_alone_max),
          ringgit(payment.resolve_alone_day_max),
          ringgit(payment.resolve_alone_week_max),
        )}
      </Note>
      <Hands label={text.steps} now={1} steps={[text.stepYou, text.stepOther, text.stepEnd]} />
    </>
  )
}
