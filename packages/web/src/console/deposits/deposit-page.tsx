import { useState } from 'react'
import type { ReportedDeposit } from '../../api/operator.generated.ts'
import { operator, useOperator } from '../../api/operator.ts'
import { acceptDepositRequest, refuseDepositRequest } from '../../api/operator-acts.generated.ts'
import { Crumbs, PageLink, useParam } from '../../shell/navigation.tsx'
import { dateTimeText, longDayText, momentOfDay, ZONE_NAME } from '../../text/dates.ts'
import { useText } from '../../text/language.ts'
import { moneyText } from '../../text/numbers.ts'
import { Button } from '../../ui/button.tsx'
import { StoredFile } from '../../ui/file-field.tsx'
import { Money } from '../../ui/money.tsx'
import { Facts, PageHead, Panel } from '../../ui/panel.tsx'
import { Note } from '../../ui/state.tsx'
import { CONSOLE } from '../messages.ts'
import { ConsoleAct, useReasonWords } from '../parts/act.tsx'
import { LoadedPage } from '../parts/pages.tsx'
import { useMay } from '../roles.ts'
import { StateOf, toneOf } from '../states.ts'
import { DEPOSITS } from './messages.ts'
import { useDepositFreshness } from './page.tsx'

/** One reported transfer beside its slip: is it at the bank. */
export function Page() {
  const pages = useText(CONSOLE)
  const id = useParam('id')
  const reading = useOperator('getDepositRequest', { params: { id } })
  useDepositFreshness()
  return (
    <LoadedPage reading={reading} title={pages.deposits}>
      {({ data }) => <Deposit request={data} />}
    </LoadedPage>
  )
}

const SLIP_TYPES = {
  png: 'image/png',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  pdf: 'application/pdf',
} as const

function Deposit({ request }: { request: ReportedDeposit }) {
  const text = useText(DEPOSITS)
  const { id, slip, bank_reference: reference } = request
  return (
    <>
      <Head request={request} />
      <div className="grid c84">
        <Panel
          title={text.slip}
          about={text.slipAbout(slip.kind.toUpperCase(), Math.max(1, Math.round(slip.bytes / 1024)))}
        >
          <StoredFile
            url={operator.urlOf('getDepositRequestSlip', { params: { id } })}
            type={SLIP_TYPES[slip.kind]}
            name={`slip-${id}.${slip.kind}`}
            label={text.slipOf(reference)}
          />
        </Panel>
        <div className="grid">
          <Note tone={toneOf('deposit', request.state)}>{text.standing[request.state]}</Note>
          {request.same_reference.length === 0 ? null : <SameReference request={request} />}
          <FactsPanel request={request} />
        </div>
      </div>
    </>
  )
}

function Head({ request }: { request: ReportedDeposit }) {
  const text = useText(DEPOSITS)
  const pages = useText(CONSOLE)
  const may = useMay()
  const [dialog, setDialog] = useState<'accept' | 'refuse' | undefined>(undefined)
  const { reseller, amount, state, bank_reference: reference } = request
  const close = () => setDialog(undefined)
  return (
    <>
      <PageHead
        crumbs={<Crumbs to="/operator/deposits" label={pages.deposits} here={request.id} />}
        title={
          <span className="row wrap">
            {text.title(reference)} <StateOf isPill kind="deposit" state={state} />
          </span>
        }
        about={text.by(reseller.name, reseller.account, moneyText(amount, 'MYR'))}
        actions={
          may('money.write') && state === 'reported' ? (
            <>
              <Button look="danger-quiet" onClick={() => setDialog('refuse')}>
                {text.refuse}
              </Button>
              <Button look="primary" icon="check" onClick={() => setDialog('accept')}>
                {text.accept}
              </Button>
            </>
          ) : undefined
        }
      />
      {dialog === 'accept' ? <AcceptDialog request={request} onClose={close} /> : null}
      {dialog === 'refuse' ? <RefuseDialog request={request} onClose={close} /> : null}
    </>
  )
}

function SameReference({ request }: { request: ReportedDeposit }) {
  const text = useText(DEPOSITS)
  return (
    <Note tone="warning">
      <b>{text.sameTitle}</b>
      {request.same_reference.map(({ id, account }) => (
        <div key={id}>
          <PageLink className="link" to={`/operator/deposits/${id}`}>
            {text.sameLine(id, account)}
          </PageLink>
        </div>
      ))}
    </Note>
  )
}

function FactsPanel({ request }: { request: ReportedDeposit }) {
  const text = useText(DEPOSITS)
  const optional = (term: string, value: string | null) =>
    value === null || value === '' ? undefined : { term, value }
  return (
    <Panel title={text.facts}>
      <Facts
        facts={[
          {
            term: text.reseller,
            value: (
              <PageLink className="link" to={`/operator/resellers/${request.reseller.account}`}>
                {request.reseller.name}
              </PageLink>
            ),
          },
          { term: text.amount, value: <Money amount={request.amount} currency="MYR" /> },
          { term: text.day, value: longDayText(momentOfDay(request.transferred_on)) },
          { term: text.reference, value: <span className="mono">{request.bank_reference}</span> },
          optional(text.note, request.note),
          { term: text.reporter, value: request.reported_by, isApart: true },
          { term: text.reported(ZONE_NAME), value: dateTimeText(request.reported_at) },
          request.changed_at === request.reported_at
            ? undefined
            : { term: text.changed(ZONE_NAME), value: dateTimeText(request.changed_at) },
          optional(text.decided, request.decided_by),
          optional(text.refusal, request.refusal),
          request.approval_id === null
            ? undefined
            : {
                term: text.approval,
                value: (
                  <PageLink className="link" to={`/operator/approvals/${request.approval_id}`}>
                    {request.approval_id}
                  </PageLink>
                ),
              },
          optional(text.entry, request.entry_number),
        ]}
      />
    </Panel>
  )
}

type Props = { readonly request: ReportedDeposit; readonly onClose: () => void }

const CHANGED = ['getDepositRequest', 'listDepositRequests', 'listApprovals', 'getOperatorOverview'] as const

/** Says that the transfer was seen at the bank. A second person approves it afterwards. */
function AcceptDialog({ request, onClose }: Props) {
  const text = useText(DEPOSITS)
  const reason = useReasonWords()
  return (
    <ConsoleAct
      act={acceptDepositRequest}
      input={{ params: { id: request.id } }}
      title={text.acceptTitle(moneyText(request.amount, 'MYR'), request.reseller.name)}
      action={text.accept}
      asked={text.accepted}
      refresh={CHANGED}
      onClose={onClose}
      fields={{
        reason: { ...reason, hint: text.reasonHint },
        reference: {
          label: text.entryReference,
          hint: text.entryReferenceHint,
          placeholder: request.bank_reference,
        },
        remarks: { label: text.remarks, hint: text.remarksHint },
      }}
    >
      <p className="mid">{text.acceptAbout}</p>
      {request.same_reference.length === 0 ? null : <Note tone="warning">{text.sameTitle}</Note>}
    </ConsoleAct>
  )
}

function RefuseDialog({ request, onClose }: Props) {
  const text = useText(DEPOSITS)
  return (
    <ConsoleAct
      isDangerous
      act={refuseDepositRequest}
      input={{ params: { id: request.id } }}
      title={text.refuseTitle}
      action={text.refuse}
      keep={text.leave}
      done={text.refused}
      refresh={CHANGED}
      onClose={onClose}
      fields={{ reason: { label: text.refuseReason, hint: text.refuseReasonHint, rows: 2 } }}
    >
      <p className="mid">{text.refuseAbout}</p>
    </ConsoleAct>
  )
}
