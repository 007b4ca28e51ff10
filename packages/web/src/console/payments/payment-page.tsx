import type { Attempt, QuoteForTheSupplier, ResellerPaymentDetails } from '../../api/operator.generated.ts'
import { useOperator } from '../../api/operator.ts'
import { Crumbs, PageLink, useParam } from '../../shell/navigation.tsx'
import { compactDayText, dateTimeText, timeText, whenText } from '../../text/dates.ts'
import { useText } from '../../text/language.ts'
import { moneyText } from '../../text/numbers.ts'
import { useRemarks, useStandardText } from '../../text/remarks.ts'
import { buttonClass } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Money } from '../../ui/money.tsx'
import { Facts, PageHead, Panel } from '../../ui/panel.tsx'
import type { Tone } from '../../ui/state.tsx'
import { State } from '../../ui/state.tsx'
import { CONSOLE } from '../messages.ts'
import { useMayOpen } from '../roles.ts'
import { StatePill } from './columns.tsx'
import { CallbacksPanel, KnownPanel } from './known-panel.tsx'
import { PAYMENT } from './payment-messages.ts'
import { ResolvePanel } from './resolve-panel.tsx'
import './payment.css'

/** One payment: all that is known about it, what to quote to the supplier, and how it is ended when it is stuck. */
export function Page() {
  const id = useParam('id')
  const reading = useOperator('getPayment', { params: { id } })
  return (
    <Loaded reading={reading} bones={12}>
      {({ data }) => <Payment payment={data} />}
    </Loaded>
  )
}

function Payment({ payment }: { payment: ResellerPaymentDetails }) {
  const text = useText(PAYMENT)
  const pages = useText(CONSOLE)
  return (
    <>
      <PageHead
        crumbs={
          <Crumbs
            to={payment.stuck ? '/operator/stuck' : '/operator/payments'}
            label={payment.stuck ? pages.stuck : pages.payments}
            here={payment.refid}
          />
        }
        title={
          <span className="row wrap amt-line">
            <span className="amt">
              <Money amount={payment.face_value} currency="MYR" />
            </span>
            <StatePill {...payment} />
          </span>
        }
        about={text.about(payment.product_name, payment.customer, payment.reseller_name)}
        actions={
          <PageLink className={buttonClass({})} to={`/operator/resellers/${payment.reseller}`}>
            {text.openReseller}
          </PageLink>
        }
      />
      <div className="rg">
        <div className="grid">
          <KnownPanel payment={payment} />
          <AttemptsPanel attempts={payment.attempts} />
          <CallbacksPanel payment={payment} />
        </div>
        <div className="grid">
          {payment.stuck ? <ResolvePanel payment={payment} /> : null}
          <QuotePanel quote={payment.quote_to_supplier} />
          <DetailsPanel payment={payment} />
          <CasesPanel cases={payment.cases} />
        </div>
      </div>
    </>
  )
}

function CasesPanel({ cases }: { cases: ResellerPaymentDetails['cases'] }) {
  const text = useText(PAYMENT)
  const mayOpen = useMayOpen()
  return (
    <Panel title={text.cases} count={cases.length || undefined}>
      {cases.length === 0 ? (
        <p className="sub small">{text.noCases}</p>
      ) : (
        cases.map(({ number, kind, state }) => (
          <p key={number} className="small">
            {kind === 'void' || kind === 'dispute' ? text.caseKind[kind] : kind}{' '}
            {mayOpen('/operator/cases') ? (
              <PageLink className="link mono" to={`/operator/cases/${number}`}>
                {number}
              </PageLink>
            ) : (
              <span className="mono">{number}</span>
            )}{' '}
            <span className="sub">{state}</span>
          </p>
        ))
      )}
    </Panel>
  )
}

/** All other facts of a payment. The service masks its PIN. */
export function DetailsPanel({ payment }: { payment: ResellerPaymentDetails }) {
  const text = useText(PAYMENT)
  const say = useRemarks()
  const standard = useStandardText()
  const optional = (term: string, value: string | null) =>
    value === null || value === '' ? undefined : { term, value }
  return (
    <Panel title={text.details}>
      <Facts
        facts={[
          { term: text.id, value: <span className="mono">{payment.id}</span> },
          { term: text.refid, value: <span className="mono">{payment.refid}</span> },
          {
            term: text.reseller,
            value: (
              <PageLink className="link" to={`/operator/resellers/${payment.reseller}`}>
                {payment.reseller_name}
              </PageLink>
            ),
          },
          { term: text.customer, value: payment.customer },
          {
            term: text.product,
            value: (
              <>
                {payment.product_name} <span className="mono sub">{payment.product}</span>
              </>
            ),
          },
          optional(text.subproduct, payment.subproduct_code),
          optional(text.biller, payment.biller_code),
          optional(text.ref2, payment.ref2),
          optional(text.ic, payment.ic_number),
          {
            term: text.balanceAfter,
            value: <Money amount={payment.balance_after} currency="MYR" />,
            isApart: true,
          },
          { term: text.code, value: payment.code },
          optional(text.remarks, say(payment.remarks)),
          optional(text.serial, payment.serial_number),
          optional(text.pin, payment.pin),
          optional(text.expiry, compactDayText(payment.expiry)),
          optional(text.link, payment.voucher_link),
          optional(text.note, standard(payment.note)),
          { term: text.changed, value: dateTimeText(payment.changed_at) },
        ]}
      />
    </Panel>
  )
}

/** Details by which a supplier finds the order, ready to be pasted into a mail or read aloud. */
function QuotePanel({ quote }: { quote: QuoteForTheSupplier }) {
  const text = useText(PAYMENT)
  const all: readonly (readonly [term: string, value: string])[] = [
    [text.supplier, `${quote.supplier} (${quote.supplier_code})`],
    [text.ourReference, quote.our_reference],
    [text.theirSerial, quote.their_serial_number],
    [text.sent, quote.sent_at ?? ''],
    [text.product, quote.product],
    [text.account, quote.account],
    [text.amount, quote.amount],
    [text.faceValue, moneyText(quote.face_value, 'MYR')],
  ]
  const lines = all.filter(([, value]) => value !== '')
  return (
    <Panel
      title={text.quote}
      actions={
        <CopyButton
          label={text.copyAll}
          value={lines.map(([term, value]) => `${term}: ${value}`).join('\n')}
        />
      }
    >
      <p className="sub small quote-about">{text.quoteAbout}</p>
      <Facts facts={lines.map(([term, value]) => ({ term, value: <span className="mono">{value}</span> }))} />
    </Panel>
  )
}

const TONES: Readonly<Record<Attempt['answers'][number]['kind'], Tone>> = {
  undecided: 'wait',
  succeeded: 'ok',
  failed: 'bad',
  not_acted: 'off',
  sent_again: 'info',
  late: 'warning',
  contradiction: 'critical',
  taken_back: 'critical',
  note: 'info',
}

/** Each order to a provider, and what the provider answered. */
function AttemptsPanel({ attempts }: { attempts: readonly Attempt[] }) {
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
