import type { CaseDetailsResponse } from '../../api/portal.generated.ts'
import { usePortal } from '../../api/portal.ts'
import { Crumbs, PageLink, useParam } from '../../shell/navigation.tsx'
import { dateTimeText } from '../../text/dates.ts'
import { useText } from '../../text/language.ts'
import { caseText } from '../../text/remarks.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Money } from '../../ui/money.tsx'
import { Facts, PageHead, Panel } from '../../ui/panel.tsx'
import { Note } from '../../ui/state.tsx'
import { PORTAL } from '../messages.ts'
import { PaymentState } from '../payments/status.tsx'
import { StateOf } from '../states.ts'
import { Due, isClosed, isOverdue } from './columns.tsx'
import { CASE_WORDS, CASES } from './messages.ts'
import './case.css'

type CaseDetails = CaseDetailsResponse['data']

/** One case: what was said, the payment that it is about, and until when an answer is due. */
export function Page() {
  const number = useParam('number')
  const reading = usePortal('portalGetCase', { params: { number } })
  return (
    <Loaded reading={reading} bones={8}>
      {({ data }) => <CaseView subject={data} />}
    </Loaded>
  )
}

function CaseView({ subject }: { subject: CaseDetails }) {
  const text = useText(CASES)
  const pages = useText(PORTAL)
  return (
    <>
      <PageHead
        crumbs={<Crumbs to="/portal/cases" label={pages.cases} here={subject.number} />}
        title={
          <span className="row wrap">
            <span className="mono">{subject.number}</span>
            <StateOf isPill kind="case" state={subject.state} />
          </span>
        }
        about={text.titles[subject.kind]}
        actions={
          <PageLink className={buttonClass({})} to={`/portal/payments/${subject.transaction_id}`}>
            <Icon name="payments" />
            {text.toPayment}
          </PageLink>
        }
      />
      <div className="grid c84">
        <div className="grid">
          <Outlook subject={subject} />
          <MessagesPanel messages={subject.messages} />
        </div>
        <div className="grid">
          <DetailsPanel subject={subject} />
          <PaymentPanel id={subject.transaction_id} refid={subject.refid} />
        </div>
      </div>
    </>
  )
}

/** Note about the next step, while the case is not closed. */
function Outlook({ subject }: { subject: CaseDetails }) {
  const text = useText(CASES)
  if (isClosed(subject.state)) return null
  if (isOverdue(subject)) {
    return (
      <Note tone="warning">
        <b>{text.late}</b> {text.lateAbout}
      </Note>
    )
  }
  return <Note tone="info">{text.waits[subject.kind]}</Note>
}

function MessagesPanel({ messages }: { messages: CaseDetails['messages'] }) {
  const text = useText(CASES)
  return (
    <Panel isFlush title={text.messages} about={text.messagesAbout} count={messages.length || undefined}>
      {messages.length === 0 ? (
        <p className="in sub small">{text.noMessages}</p>
      ) : (
        <ol className="thread" aria-label={text.messages}>
          {messages.map((message, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: messages are only added, at the end.
            <li key={index} className={message.author}>
              <div className="row">
                <b>{text.authors[message.author]}</b>
                <time className="sub small push" dateTime={message.at}>
                  {dateTimeText(message.at)}
                </time>
              </div>
              <p>{caseText(message.text)}</p>
            </li>
          ))}
        </ol>
      )}
    </Panel>
  )
}

/** Reasons of a void as the API numbers them. */
const REASONS = { 1: 'amount', 2: 'twice', 3: 'other' } as const

function DetailsPanel({ subject }: { subject: CaseDetails }) {
  const text = useText(CASES)
  const { kinds } = useText(CASE_WORDS)
  const why = REASONS[subject.refund_type as keyof typeof REASONS]
  return (
    <Panel title={text.details} about={text.zone}>
      <Facts
        facts={[
          { term: text.kind, value: kinds[subject.kind] },
          why === undefined ? undefined : { term: text.why, value: text.reasons[why] },
          subject.refund_reason ? { term: text.reason, value: subject.refund_reason } : undefined,
          { term: text.openedAt, value: dateTimeText(subject.created_at), isApart: true },
          {
            term: text.dueAt,
            value: (
              <>
                {dateTimeText(subject.due_at)}
                {isClosed(subject.state) ? null : (
                  <>
                    <br />
                    <Due subject={subject} />
                  </>
                )}
              </>
            ),
          },
          { term: text.changedAt, value: dateTimeText(subject.updated_at) },
          subject.closed_at === null
            ? undefined
            : { term: text.closedAt, value: dateTimeText(subject.closed_at) },
          subject.cc.length === 0
            ? undefined
            : { term: text.copies, value: subject.cc.join(', '), isApart: true },
        ]}
      />
    </Panel>
  )
}

/** Payment that a case is about. It is read after the case, which has its refid already. */
function PaymentPanel({ id, refid }: { id: string; refid: string }) {
  const text = useText(CASES)
  const reading = usePortal('portalGetPayment', { params: { id } })
  const link = (
    <PageLink className="link mono" to={`/portal/payments/${id}`}>
      {refid}
    </PageLink>
  )
  return (
    <Panel title={text.payment}>
      <Facts facts={[{ term: text.refid, value: link }]} />
      <Loaded reading={reading} bones={2}>
        {({ data }) => (
          <Facts
            facts={[
              { term: text.state, value: <PaymentState status={data.status} /> },
              { term: text.product, value: data.product_name },
              { term: text.account, value: data.account },
              {
                term: text.amount,
                value: <Money amount={data.amount} currency={data.amount_currency ?? ''} />,
                isApart: true,
              },
              { term: text.cost, value: <Money amount={data.cost} currency="MYR" /> },
            ]}
          />
        )}
      </Loaded>
    </Panel>
  )
}
