import { useState } from 'react'
import type { Approval } from '../../api/operator.generated.ts'
import { useOperator } from '../../api/operator.ts'
import { Crumbs, PageLink, useParam } from '../../shell/navigation.tsx'
import { dateTimeText, ZONE_NAME } from '../../text/dates.ts'
import { useText } from '../../text/language.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Facts, PageHead, Panel } from '../../ui/panel.tsx'
import { CONSOLE } from '../messages.ts'
import { Hands } from '../parts/act.tsx'
import { useMay, useMayOpen } from '../roles.ts'
import { useSignedIn } from '../session.ts'
import { StateOf } from '../states.ts'
import type { Verdict } from './approval-item.tsx'
import { CommandFacts, DecideDialog } from './approval-item.tsx'
import { sentenceOf, subjectOf } from './descriptions.ts'
import { APPROVALS } from './messages.ts'
import './approvals.css'

/** The second person's own screen: what was asked, on which evidence, and the decision. */
export function Page() {
  const id = useParam('id')
  const reading = useOperator('getApproval', { params: { id } })
  return (
    <Loaded reading={reading} bones={8}>
      {({ data }) => <Request approval={data} />}
    </Loaded>
  )
}

function Request({ approval }: { approval: Approval }) {
  const text = useText(APPROVALS)
  const pages = useText(CONSOLE)
  const mayOpen = useMayOpen()
  const subject = subjectOf(approval, text)
  const isPending = approval.state === 'pending'
  return (
    <>
      <PageHead
        crumbs={<Crumbs to="/operator/approvals" label={pages.approvals} here={approval.id} />}
        title={
          <span className="row wrap">
            {text.kinds[approval.kind] ?? approval.kind}
            <StateOf isPill kind="approval" state={approval.state} />
          </span>
        }
        about={text.one(approval.id)}
        actions={
          subject === undefined || !mayOpen(subject.to) ? undefined : (
            <PageLink className={buttonClass({})} to={subject.to}>
              {subject.label}
            </PageLink>
          )
        }
      />
      <div className="rg">
        <div className="grid">
          <Panel title={isPending ? text.whatItDoes : text.whatItDid}>
            <div className="stack">
              <CommandFacts approval={approval} />
            </div>
          </Panel>
          <CommandPanel approval={approval} />
        </div>
        <div className="grid">
          {isPending ? <DecidePanel approval={approval} /> : null}
          {approval.decision === null ? null : <DecisionPanel decision={approval.decision} />}
          <Panel>
            <Facts
              facts={[
                { term: text.askedAt, value: `${dateTimeText(approval.requested_at)} ${ZONE_NAME}` },
                { term: text.expiresAt, value: `${dateTimeText(approval.expires_at)} ${ZONE_NAME}` },
                {
                  term: text.about2,
                  value: (
                    <>
                      {approval.target.kind} <span className="mono">{approval.target.id}</span>
                    </>
                  ),
                },
              ]}
            />
          </Panel>
        </div>
      </div>
    </>
  )
}

/** The command as it is kept, unless the sentence above was missing and showed it already. */
function CommandPanel({ approval }: { approval: Approval }) {
  const text = useText(APPROVALS)
  if (sentenceOf(approval, text) === undefined) return null
  return (
    <Panel isFlush>
      <details className="command">
        <summary>{text.command}</summary>
        <pre className="code wrap">{JSON.stringify(approval.command, null, 2)}</pre>
      </details>
    </Panel>
  )
}

function DecidePanel({ approval }: { approval: Approval }) {
  const text = useText(APPROVALS)
  const may = useMay()
  const { email } = useSignedIn()
  const [verdict, setVerdict] = useState<Verdict | undefined>(undefined)
  const isOwn = approval.requested_by === email
  const isDecider = !isOwn && may('approvals.decide')
  return (
    <Panel title={text.decide}>
      <div className="stack">
        <p className="mid">{isOwn ? text.ownAbout : isDecider ? text.decideAbout : text.readAbout}</p>
        <Hands label={text.steps(2)} now={2} steps={[text.stepAsk, text.stepDecide, text.stepDone]} />
        {isDecider ? (
          <div className="row">
            <Button size="lg" isWide onClick={() => setVerdict('refuse')}>
              {text.refuse}
            </Button>
            <Button size="lg" isWide look="primary" onClick={() => setVerdict('approve')}>
              {text.approve}
            </Button>
          </div>
        ) : null}
        {isOwn && may('approvals.withdraw') ? (
          <Button isWide onClick={() => setVerdict('withdraw')}>
            {text.withdraw}
          </Button>
        ) : null}
      </div>
      {verdict === undefined ? null : (
        <DecideDialog approval={approval} verdict={verdict} onClose={() => setVerdict(undefined)} />
      )}
    </Panel>
  )
}

function DecisionPanel({ decision }: { decision: NonNullable<Approval['decision']> }) {
  const text = useText(APPROVALS)
  return (
    <Panel title={text.decision}>
      <Facts
        facts={[
          { term: text.decidedBy, value: text.deciders[decision.by_kind](decision.by) },
          { term: text.decidedAt, value: `${dateTimeText(decision.at)} ${ZONE_NAME}` },
          { term: text.decisionReason, value: decision.reason },
        ]}
      />
      {decision.outcome === null ? null : (
        <details className="command inner">
          <summary>{text.outcome}</summary>
          <pre className="code wrap">{JSON.stringify(decision.outcome, null, 2)}</pre>
        </details>
      )}
    </Panel>
  )
}
