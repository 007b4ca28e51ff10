import { useState } from 'react'
import type { ResellerCaseDetails } from '../../api/operator.generated.ts'
import { useOperator } from '../../api/operator.ts'
import {
  approveCase,
  refuseCase,
  resolveCase,
  takeCase,
  writeCaseMessage,
} from '../../api/operator-acts.generated.ts'
import { Crumbs, PageLink, useParam } from '../../shell/navigation.tsx'
import { dateTimeText, ZONE_NAME } from '../../text/dates.ts'
import { useText } from '../../text/language.ts'
import { caseText } from '../../text/remarks.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Facts, PageHead, Panel } from '../../ui/panel.tsx'
import { Note } from '../../ui/state.tsx'
import { CONSOLE } from '../messages.ts'
import { ConsoleAct } from '../parts/act.tsx'
import { useMay } from '../roles.ts'
import { StateOf } from '../states.ts'
import { DueTime } from './filters.tsx'
import { CASES } from './messages.ts'
import './cases.css'

/** One case: what the reseller says, what was answered, and the next step. */
export function Page() {
  const number = useParam('number')
  const reading = useOperator('getAnyCase', { params: { number } })
  return (
    <Loaded reading={reading} bones={8}>
      {({ data }) => <Case found={data} />}
    </Loaded>
  )
}

type Found = { readonly found: ResellerCaseDetails }

function Case({ found }: Found) {
  const text = useText(CASES)
  const pages = useText(CONSOLE)
  const may = useMay()
  return (
    <>
      <PageHead
        crumbs={<Crumbs to="/operator/cases" label={pages.cases} here={found.number} />}
        title={
          <span className="row wrap">
            {text.kinds[found.kind]} {found.number}
            <StateOf isPill kind="case" state={found.state} />
          </span>
        }
        about={<DueTime {...found} />}
        actions={
          <PageLink className={buttonClass({})} to={`/operator/payments/${found.payment_id}`}>
            {text.openPayment}
          </PageLink>
        }
      />
      <div className="rg">
        <MessagesPanel found={found} />
        <div className="grid">
          {found.closed_at === null && may('cases.write') ? <ActPanel found={found} /> : null}
          <FactsPanel found={found} />
        </div>
      </div>
    </>
  )
}

function MessagesPanel({ found: { messages } }: Found) {
  const text = useText(CASES)
  return (
    <Panel isFlush title={text.messages} count={messages.length || undefined}>
      {messages.length === 0 ? (
        <p className="in sub small">{text.noMessages}</p>
      ) : (
        <ol className="list messages">
          {messages.map(({ author, text: said, at }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: messages have a fixed order and no identity.
            <li key={index} className={author}>
              <Icon name={author === 'reseller' ? 'team' : author === 'operator' ? 'edit' : 'refresh'} />
              <div className="t">
                <b className="mid-weight">{text.authors[author]}</b>{' '}
                <span className="sub small">{dateTimeText(at)}</span>
                <p className="said">{caseText(said)}</p>
              </div>
            </li>
          ))}
        </ol>
      )}
    </Panel>
  )
}

function FactsPanel({ found }: Found) {
  const text = useText(CASES)
  const { refund_type: type, refund_reason: reason, cc, closed_at: closed } = found
  return (
    <Panel title={text.facts}>
      <Facts
        facts={[
          {
            term: text.reseller,
            value: (
              <PageLink className="link" to={`/operator/resellers/${found.reseller}`}>
                {found.reseller}
              </PageLink>
            ),
          },
          {
            term: text.payment,
            value: (
              <PageLink className="link mono" to={`/operator/payments/${found.payment_id}`}>
                {found.refid}
              </PageLink>
            ),
          },
          type === null
            ? undefined
            : { term: text.refundReason, value: reason ?? text.refundTypes[type as 1 | 2 | 3] ?? type },
          cc.length === 0 ? undefined : { term: text.cc, value: cc.join(', ') },
          { term: text.opened, value: dateTimeText(found.created_at), isApart: true },
          { term: text.due, value: dateTimeText(found.due_at) },
          { term: text.updated, value: dateTimeText(found.updated_at) },
          closed === null ? undefined : { term: text.closed, value: `${dateTimeText(closed)} ${ZONE_NAME}` },
        ]}
      />
    </Panel>
  )
}

const REQUESTS_MAX = 200

/** Steps that the case allows now. */
function ActPanel({ found }: Found) {
  const text = useText(CASES)
  const [step, setStep] = useState<Step | undefined>(undefined)
  const isVoid = found.kind === 'void'
  const waiting = useOperator(
    'listApprovals',
    { query: { state: 'pending', kind: 'void', limit: REQUESTS_MAX } },
    { isEnabled: isVoid },
  )
  const request = waiting.data?.data.find(({ target }) => target.id === found.number)
  return (
    <Panel title={text.act}>
      <div className="stack">
        {request === undefined ? null : (
          <>
            <Note tone="back">
              <b>{text.waits}</b> {text.waitsAbout(request.requested_by)}
            </Note>
            <PageLink className={buttonClass({ isWide: true })} to={`/operator/approvals/${request.id}`}>
              {text.openRequest}
            </PageLink>
          </>
        )}
        {found.state === 'open' ? (
          <Button isWide look="primary" onClick={() => setStep('take')}>
            {text.take}
          </Button>
        ) : null}
        <Button isWide icon="edit" onClick={() => setStep('message')}>
          {text.write}
        </Button>
        {isVoid && request === undefined ? (
          <Button isWide icon="undo" onClick={() => setStep('approve')}>
            {text.approve}
          </Button>
        ) : null}
        {isVoid ? null : (
          <Button isWide icon="check" onClick={() => setStep('resolve')}>
            {text.resolve}
          </Button>
        )}
        <Button isWide look="danger-quiet" onClick={() => setStep('refuse')}>
          {text.refuse}
        </Button>
      </div>
      {step === undefined ? null : (
        <CaseDialog found={found} step={step} onClose={() => setStep(undefined)} />
      )}
    </Panel>
  )
}

export type Step = 'take' | 'message' | 'refuse' | 'resolve' | 'approve'

const CHANGED = ['getAnyCase', 'listAllCases', 'listApprovals', 'getPayment', 'getOperatorOverview'] as const

type CaseDialogProps = {
  readonly found: ResellerCaseDetails
  readonly step: Step
  readonly onClose: () => void
}

/** Asks before a step of a case. */
function CaseDialog({ found: { number, kind }, step, onClose }: CaseDialogProps) {
  const text = useText(CASES)
  const common = { input: { params: { number } }, refresh: CHANGED, onClose }
  const message = { message: { label: text.message, rows: 5 } }
  switch (step) {
    case 'take':
      return (
        <ConsoleAct {...common} act={takeCase} title={text.takeTitle} action={text.take} done={text.taken}>
          <p className="mid">{text.takeAbout}</p>
        </ConsoleAct>
      )
    case 'message':
      return (
        <ConsoleAct
          {...common}
          act={writeCaseMessage}
          title={text.writeTitle}
          action={text.send}
          done={text.written}
          fields={message}
        >
          <p className="mid">{text.writeAbout}</p>
        </ConsoleAct>
      )
    case 'refuse':
      return (
        <ConsoleAct
          {...common}
          isDangerous
          act={refuseCase}
          title={text.refuseTitle}
          action={text.refuse}
          done={text.refusedDone}
          fields={message}
        >
          <p className="mid">{kind === 'void' ? text.refuseVoid : text.refuseDispute}</p>
        </ConsoleAct>
      )
    case 'resolve':
      return (
        <ConsoleAct
          {...common}
          act={resolveCase}
          title={text.resolveTitle}
          action={text.resolve}
          done={text.resolvedDone}
          fields={message}
        >
          <p className="mid">{text.resolveAbout}</p>
        </ConsoleAct>
      )
    case 'approve':
      return (
        <ConsoleAct
          {...common}
          isDangerous
          act={approveCase}
          title={text.approveTitle}
          action={text.approveAction}
          done={text.approvedDone}
          asked={text.askedDone}
          fields={{ evidence: { label: text.evidence, hint: text.evidenceHint, rows: 3 } }}
        >
          <p className="mid">{text.approveAbout}</p>
        </ConsoleAct>
      )
  }
}
