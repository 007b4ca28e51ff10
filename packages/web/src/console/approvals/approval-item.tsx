import type { Approval } from '../../api/operator.generated.ts'
import { PageLink } from '../../shell/navigation.tsx'
import { whenText } from '../../text/dates.ts'
import { useText } from '../../text/language.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { useMay } from '../roles.ts'
import { useSignedIn } from '../session.ts'
import { StateOf } from '../states.ts'
import type { Verdict } from './decide-dialog.tsx'
import { iconOf, sentenceOf, shortOf } from './descriptions.ts'
import { APPROVALS } from './messages.ts'

type Listed = Pick<Approval, 'id' | 'kind' | 'target' | 'reason' | 'requested_by' | 'expires_at'> &
  Partial<Pick<Approval, 'command' | 'state' | 'decision'>>

export type ApprovalItemProps = {
  readonly approval: Listed
  readonly mayDecide: boolean
  readonly onDecide: (verdict: Verdict) => void
}

/** Request in a list, with its buttons for whoever may decide about it. */
export function ApprovalItem({ approval, mayDecide, onDecide }: ApprovalItemProps) {
  const text = useText(APPROVALS)
  const { command, kind, state = 'pending', decision } = approval
  const me = useSignedIn()
  const who = (email: string) => (email === me.email ? text.you : email)
  const said = command === undefined ? undefined : sentenceOf({ kind, command }, text)
  return (
    <li>
      <Icon name={iconOf(kind)} />
      <div className="t">
        <PageLink className="mid-weight anywhere" to={`/operator/approvals/${approval.id}`}>
          {said ?? shortOf(approval, text)}
        </PageLink>
        <small className="anywhere">{approval.reason}</small>
        <small>
          {decision == null
            ? text.expires(who(approval.requested_by), whenText(approval.expires_at))
            : text.ended(who(decision.by), whenText(decision.at))}
        </small>
      </div>
      {state === 'pending' ? (
        <Buttons isOwn={approval.requested_by === me.email} mayDecide={mayDecide} onDecide={onDecide} />
      ) : (
        <StateOf kind="approval" state={state} />
      )}
    </li>
  )
}

function Buttons({ isOwn, mayDecide, onDecide }: Omit<ApprovalItemProps, 'approval'> & { isOwn: boolean }) {
  const text = useText(APPROVALS)
  const may = useMay()
  if (isOwn) return <span className="small sub own">{text.youAsked}</span>
  if (!mayDecide) {
    return may('approvals.decide') ? <span className="small sub own">{text.notYours}</span> : null
  }
  return (
    <span className="row acts">
      <Button size="sm" onClick={() => onDecide('refuse')}>
        {text.refuse}
      </Button>
      <Button size="sm" look="primary" onClick={() => onDecide('approve')}>
        {text.approve}
      </Button>
    </span>
  )
}
