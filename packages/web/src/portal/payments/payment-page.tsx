import { useState } from 'react'
import { ApiProblem } from '../../api/errors.ts'
import type { PortalPaymentDetails, SupportResponse } from '../../api/portal.generated.ts'
import { usePortal } from '../../api/portal.ts'
import { portalOpenDispute, portalOpenVoid } from '../../api/portal-acts.generated.ts'
import { Crumbs, PageLink, useParam } from '../../shell/navigation.tsx'
import { useShortcuts } from '../../shell/shortcuts.ts'
import { compactDayText, dateTimeText, durationText } from '../../text/dates.ts'
import { useText } from '../../text/language.ts'
import { moneyText } from '../../text/numbers.ts'
import { useRemarks, useStandardText } from '../../text/remarks.ts'
import type { FieldWords, Typed } from '../../ui/act-field.tsx'
import { Button, Key } from '../../ui/button.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { UI } from '../../ui/messages.ts'
import { Money } from '../../ui/money.tsx'
import { Facts, PageHead, Panel, Timeline } from '../../ui/panel.tsx'
import { Note } from '../../ui/state.tsx'
import { PortalAct } from '../act.tsx'
import { CASE_WORDS } from '../cases/messages.ts'
import { PORTAL } from '../messages.ts'
import { useMay } from '../session.ts'
import { StateOf } from '../states.ts'
import { PAYMENT } from './payment-messages.ts'
import { Receipt } from './receipt.tsx'
import { ReceiptPanel, useReceipt } from './receipt-panel.tsx'
import { SecretPanel } from './secret-panel.tsx'
import { PaymentPill } from './status.tsx'
import { usePaymentMoments } from './timeline.tsx'
import './payment.css'

/** One payment: how it went, whether its callbacks arrived, and whether to report or void it. */
export function Page() {
  const id = useParam('id')
  const reading = usePortal('portalGetPayment', { params: { id } })
  return (
    <Loaded reading={reading} bones={10}>
      {({ data }) => <Payment payment={data} />}
    </Loaded>
  )
}

function Payment({ payment }: { payment: PortalPaymentDetails }) {
  const text = useText(PAYMENT)
  const pages = useText(PORTAL)
  const mayOpenCases = useMay('cases.write')
  const readsCases = useMay('cases.read')
  const [dialog, setDialog] = useState<'dispute' | 'void' | undefined>(undefined)
  // The API refuses a second case beside an open one, and any case of a payment whose money is back.
  const isOpenToCases =
    (payment.status === 'pending' || payment.status === 'successful') &&
    payment.cases.every(({ state }) => state === 'resolved' || state === 'refused')
  const receipt = useReceipt([payment], { isOriginal: false, isEnded: payment.status !== 'pending' })
  useShortcuts({ p: receipt.print })
  return (
    <>
      <PageHead
        crumbs={<Crumbs to="/portal/payments" label={pages.payments} here={payment.refid} />}
        title={
          <span className="row wrap amt-line">
            <span className="amt">
              <Money amount={payment.amount} currency={payment.amount_currency ?? ''} />
            </span>
            <PaymentPill status={payment.status} />
          </span>
        }
        about={text.to(payment.product_name, payment.account)}
        actions={
          <>
            <Button icon="print" onClick={receipt.print}>
              {text.receipt} <Key>P</Key>
            </Button>
            {mayOpenCases && isOpenToCases ? (
              <Button icon="flag" onClick={() => setDialog('dispute')}>
                {text.report}
              </Button>
            ) : null}
            {mayOpenCases && isOpenToCases && payment.is_refundable && payment.status === 'successful' ? (
              <Button look="danger-quiet" icon="undo" onClick={() => setDialog('void')}>
                {text.askVoid}
              </Button>
            ) : null}
          </>
        }
      />
      <div className="grid c84">
        <div className="grid">
          {payment.status === 'pending' ? (
            <Note tone="wait">
              <b>{text.notKnown}</b> {text.notKnownAbout}
            </Note>
          ) : null}
          <SecretPanel payment={payment} />
          <TimelinePanel payment={payment} />
        </div>
        <div className="grid">
          <ReceiptPanel
            receipt={receipt}
            slip={({ proofs, ...shown }) => (
              <Receipt payment={payment} proof={proofs.get(payment.id)} {...shown} />
            )}
          />
          <DetailsPanel payment={payment} />
          {readsCases ? <CasesPanel cases={payment.cases} /> : null}
        </div>
      </div>
      {dialog === 'dispute' ? <DisputeDialog payment={payment} onClose={() => setDialog(undefined)} /> : null}
      {dialog === 'void' ? <VoidDialog payment={payment} onClose={() => setDialog(undefined)} /> : null}
    </>
  )
}

function TimelinePanel({ payment }: { payment: PortalPaymentDetails }) {
  const text = useText(PAYMENT)
  const moments = usePaymentMoments(payment)
  const day = dateTimeText(payment.created_at).split(',')[0] ?? ''
  const tookMs = Date.parse(payment.changed_at) - Date.parse(payment.created_at)
  const taken = payment.movements.find(({ kind }) => kind === 'payment')
  return (
    <Panel
      isFlush
      title={text.happened}
      actions={
        <span className="sub small">
          {payment.status === 'pending' ? text.still(day) : text.took(day, durationText(tookMs))}
        </span>
      }
    >
      <div className="facts">
        <div>
          <small>{text.wallet}</small>
          <b>{taken === undefined ? '–' : <Money amount={taken.amount} currency="MYR" />}</b>
        </div>
        <div>
          <small>{text.balanceAfter}</small>
          <b>{taken === undefined ? '–' : <Money amount={taken.balance} currency="MYR" />}</b>
        </div>
        <div>
          <small>{text.serial}</small>
          <b className="mono">{payment.serial_number === '' ? '–' : payment.serial_number}</b>
        </div>
      </div>
      <div className="in line">
        <Timeline label={text.happened} moments={moments} />
      </div>
    </Panel>
  )
}

function DetailsPanel({ payment }: { payment: PortalPaymentDetails }) {
  const text = useText(PAYMENT)
  const ui = useText(UI)
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
            term: text.product,
            value: (
              <>
                {payment.product_name} <span className="mono sub">{payment.product}</span>
              </>
            ),
          },
          { term: text.account, value: payment.account },
          optional(text.soldBy, payment.sold_by?.name ?? null),
          optional(text.plan, payment.plan),
          optional(text.ref2, payment.ref2),
          { term: text.face, value: <Money amount={payment.face_value} currency="MYR" />, isApart: true },
          { term: text.cost, value: <Money amount={payment.cost} currency="MYR" /> },
          { term: text.code, value: payment.code },
          {
            term: text.remarks,
            value: payment.remarks === '' ? <span className="sub">{ui.none}</span> : say(payment.remarks),
          },
          optional(text.note, standard(payment.note)),
          optional(text.expiry, compactDayText(payment.expiry)),
          { term: text.canVoid, value: payment.is_refundable ? text.yes : text.no },
        ]}
      />
    </Panel>
  )
}

function CasesPanel({ cases }: { cases: PortalPaymentDetails['cases'] }) {
  const text = useText(PAYMENT)
  const words = useText(CASE_WORDS)
  return (
    <Panel title={text.cases} count={cases.length || undefined}>
      {cases.length === 0 ? (
        <p className="sub small">{text.noCases}</p>
      ) : (
        cases.map(({ number, kind, state }) => (
          <p key={number} className="row wrap">
            <PageLink className="link mono" to={`/portal/cases/${number}`}>
              {number}
            </PageLink>
            <span className="sub">{words.kinds[kind]}</span>
            <span className="push">
              <StateOf kind="case" state={state} />
            </span>
          </p>
        ))
      )}
    </Panel>
  )
}

type DialogProps = { readonly payment: PortalPaymentDetails; readonly onClose: () => void }

const CHANGED = ['portalGetPayment', 'portalListCases'] as const

function addressesOf(text: Typed | undefined): string[] {
  return String(text ?? '')
    .split(/[,;\s]+/)
    .filter((each) => each !== '')
}

/** The API answers 200 also when no case was opened, for instance because there is one already; its message says why. */
function judgeCase({ data }: SupportResponse): void {
  if (data.status === 'Failed') throw new ApiProblem(data.message, { status: 409, code: 'no_case_opened' })
}

function useCopiesWords(): FieldWords {
  const text = useText(PAYMENT)
  return { label: text.also, hint: text.alsoHint, inputMode: 'email' }
}

/** Asks support how the payment really ended. */
function DisputeDialog({ payment, onClose }: DialogProps) {
  const text = useText(PAYMENT)
  const copies = useCopiesWords()
  return (
    <PortalAct
      act={portalOpenDispute}
      judge={judgeCase}
      title={text.disputeTitle}
      isDangerous={false}
      keep={text.notNow}
      action={text.report}
      done={text.reported}
      refresh={CHANGED}
      onClose={onClose}
      members={({ user_email: typed }) => ({ trxid: payment.id, user_email: addressesOf(typed) })}
      fields={{ user_email: copies }}
    >
      <p className="mid">{text.disputeAbout}</p>
    </PortalAct>
  )
}

/** Reasons of a void as the API numbers them. */
const REASONS = ['amount', 'twice', 'other'] as const
const OTHER = '3'

/** Asks the supplier to take the payment back. */
function VoidDialog({ payment, onClose }: DialogProps) {
  const text = useText(PAYMENT)
  const copies = useCopiesWords()
  return (
    <PortalAct
      act={portalOpenVoid}
      judge={judgeCase}
      title={text.voidTitle(moneyText(payment.amount, payment.amount_currency ?? ''))}
      keep={text.keep}
      action={text.askVoid}
      done={text.voidAsked}
      refresh={CHANGED}
      onClose={onClose}
      from={{ refund_type: 1 }}
      members={({ user_email: typed }) => ({ trxid: payment.id, user_email: addressesOf(typed) })}
      fields={({ refund_type: type }) => ({
        refund_type: {
          label: text.why,
          look: 'cards',
          options: REASONS.map((name, index) => ({ value: String(index + 1), label: text.reasons[name] })),
        },
        refund_reason: type === OTHER ? { label: text.reason, rows: 3, isNeeded: true } : undefined,
        user_email: copies,
      })}
    >
      <p className="mid">{text.voidAbout(moneyText(payment.cost, 'MYR'))}</p>
    </PortalAct>
  )
}
