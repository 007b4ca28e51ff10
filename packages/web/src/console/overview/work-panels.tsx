import { useState } from 'react'
import type { OperatorOverview } from '../../api/operator.generated.ts'
import { PageLink } from '../../shell/navigation.tsx'
import { durationText, whenText } from '../../text/dates.ts'
import { useText } from '../../text/language.ts'
import { Money } from '../../ui/money.tsx'
import { Panel } from '../../ui/panel.tsx'
import { Shape } from '../../ui/state.tsx'
import type { Verdict } from '../approvals/approval-item.tsx'
import { ApprovalItem, DecideDialog } from '../approvals/approval-item.tsx'
import { StuckTable } from '../payments/stuck-page.tsx'
import { OVERVIEW } from './messages.ts'

/** Open alerts, the gravest first. */
export function AlertsPanel({ alerts }: { alerts: NonNullable<OperatorOverview['alerts']> }) {
  const text = useText(OVERVIEW)
  return (
    <Panel
      isFlush
      title={text.alertsNow}
      count={alerts.critical + alerts.warning}
      actions={
        <PageLink className="link" to="/operator/alerts">
          {text.all}
        </PageLink>
      }
    >
      <ul className="list">
        {alerts.first.map((alert) => (
          <li key={alert.id}>
            <Shape tone={alert.severity} isColoured />
            <div className="t">
              <PageLink className="mid-weight anywhere" to="/operator/alerts" search={{ kind: alert.kind }}>
                {alert.text}
              </PageLink>
              <small>
                <span className="mono">{alert.kind}</span>,{' '}
                {text.since(whenText(alert.raised_at), alert.times)}
              </small>
            </div>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

/** Requests that wait for a second person. */
export function ApprovalsPanel({ approvals }: { approvals: NonNullable<OperatorOverview['approvals']> }) {
  const text = useText(OVERVIEW)
  const [asked, setAsked] = useState<{ id: string; verdict: Verdict } | undefined>(undefined)
  const chosen = approvals.first.find(({ id }) => id === asked?.id)
  return (
    <Panel
      isFlush
      className="appr"
      title={text.approvals}
      count={approvals.pending || undefined}
      actions={
        <PageLink className="link" to="/operator/approvals">
          {text.all}
        </PageLink>
      }
    >
      {approvals.first.length === 0 ? (
        <p className="in sub small">{text.approvalsNone}</p>
      ) : (
        <ul className="list">
          {approvals.first.map((approval) => (
            <ApprovalItem
              key={approval.id}
              approval={approval}
              mayDecide={approval.may_decide}
              onDecide={(verdict) => setAsked({ id: approval.id, verdict })}
            />
          ))}
        </ul>
      )}
      {asked === undefined || chosen === undefined ? null : (
        <DecideDialog approval={chosen} verdict={asked.verdict} onClose={() => setAsked(undefined)} />
      )}
    </Panel>
  )
}

/** Cases that wait, the first to be due first. */
export function CasesPanel({ cases }: { cases: NonNullable<OperatorOverview['cases']> }) {
  const text = useText(OVERVIEW)
  return (
    <Panel
      isFlush
      title={text.cases}
      count={cases.open || undefined}
      actions={
        <PageLink className="link" to="/operator/cases">
          {text.all}
        </PageLink>
      }
    >
      {cases.first.length === 0 ? (
        <p className="in sub small">{text.casesNone}</p>
      ) : (
        <ul className="list">
          {cases.first.map((each) => (
            <li key={each.number}>
              <Shape tone={each.is_overdue ? 'critical' : 'wait'} isColoured />
              <div className="t">
                <PageLink className="mid-weight" to={`/operator/cases/${each.number}`}>
                  {text.caseKind[each.kind]} <span className="mono">{each.number}</span>
                </PageLink>
                <small>
                  {each.reseller} · <span className="mono">{each.refid}</span>
                </small>
              </div>
              <span className={each.is_overdue ? 'bad small' : 'sub small'}>
                {each.is_overdue
                  ? text.overdue(durationText(Date.now() - Date.parse(each.due_at)))
                  : text.due(whenText(each.due_at))}
              </span>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}

/** Payments past their due time whose outcome is unknown, the longest waiting first. */
export function StuckPanel({ stuck }: { stuck: NonNullable<OperatorOverview['stuck']> }) {
  const text = useText(OVERVIEW)
  return (
    <Panel
      isFlush
      title={text.stuck}
      count={stuck.payments || undefined}
      about={
        stuck.payments === 0 ? undefined : (
          <span className="wide-only">
            <Money amount={stuck.cost} currency="MYR" /> {text.held}
          </span>
        )
      }
      actions={
        <PageLink className="link" to="/operator/stuck">
          {text.all}
        </PageLink>
      }
    >
      {stuck.first.length === 0 ? (
        <p className="in sub small">{text.stuckNoneAbout}</p>
      ) : (
        <StuckTable payments={stuck.first} />
      )}
    </Panel>
  )
}
