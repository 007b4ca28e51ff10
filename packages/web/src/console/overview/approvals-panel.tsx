import { useState } from 'react'
import type { OperatorOverview } from '../../api/operator.generated.ts'
import { PageLink } from '../../shell/navigation.tsx'
import { useText } from '../../text/language.ts'
import { Panel } from '../../ui/panel.tsx'
import { ApprovalItem } from '../approvals/approval-item.tsx'
import type { Verdict } from '../approvals/decide-dialog.tsx'
import { DecideDialog } from '../approvals/decide-dialog.tsx'
import { OVERVIEW } from './messages.ts'

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
