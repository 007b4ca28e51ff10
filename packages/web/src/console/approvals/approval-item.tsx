import type { Approval } from '../../api/operator.generated.ts'
import { useOperator } from '../../api/operator.ts'
import { approveApproval, refuseApproval, withdrawApproval } from '../../api/operator-acts.generated.ts'
import { PageLink } from '../../shell/navigation.tsx'
import { whenText } from '../../text/dates.ts'
import { useText } from '../../text/language.ts'
import { moneyText } from '../../text/numbers.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Facts } from '../../ui/panel.tsx'
import { ConsoleAct } from '../parts/act.tsx'
import { useMay } from '../roles.ts'
import { useSignedIn } from '../session.ts'
import { StateOf } from '../states.ts'
import { iconOf, SHOWN_MEMBERS, sentenceOf, shortOf } from './descriptions.ts'
import { APPROVALS } from './messages.ts'

type Listed = Pick<Approval, 'id' | 'kind' | 'target' | 'reason' | 'requested_by' | 'expires_at'> &
  Partial<Pick<Approval, 'command' | 'state' | 'decision'>>

type ApprovalItemProps = {
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

export type Verdict = 'approve' | 'refuse' | 'withdraw'

const ACTS = { approve: approveApproval, refuse: refuseApproval, withdraw: withdrawApproval } as const

const DONE = { approve: 'approved', refuse: 'refused', withdraw: 'withdrawn' } as const

type DecideDialogProps = {
  readonly approval: { readonly id: string }
  readonly verdict: Verdict
  readonly onClose: () => void
}

/** Asks the second person, with all that is to happen before the eyes. A list may not carry it, so it is read. */
export function DecideDialog({ approval: { id }, verdict, onClose }: DecideDialogProps) {
  const text = useText(APPROVALS)
  const reading = useOperator('getApproval', { params: { id } })
  return (
    <ConsoleAct
      act={ACTS[verdict]}
      input={{ params: { id } }}
      title={text[`${verdict}Title`]}
      action={text[verdict]}
      isDangerous={verdict === 'refuse'}
      isReady={reading.data !== undefined}
      done={text[DONE[verdict]]}
      refresh={[
        'listApprovals',
        'getApproval',
        'getOperatorOverview',
        'getPayment',
        'getAnyCase',
        'listStuckPayments',
      ]}
      onClose={onClose}
    >
      <Loaded reading={reading} bones={2}>
        {({ data }) => <CommandFacts approval={data} />}
      </Loaded>
      {verdict === 'approve' ? null : (
        <p className="mid">{verdict === 'refuse' ? text.refuseAbout : text.withdrawAbout}</p>
      )}
    </ConsoleAct>
  )
}

/** Effect of a request: a sentence, its evidence and references; an unknown kind as JSON. */
export function CommandFacts({ approval }: { approval: Approval }) {
  const text = useText(APPROVALS)
  const { command, requested_by: by, reason } = approval
  const sentence = sentenceOf(approval, text)
  const members = SHOWN_MEMBERS.flatMap((name) => {
    const value = command[name]
    if (value === undefined || value === null || value === '') return []
    return [{ term: text.members[name], value: name === 'loss_last_month' ? moneyText(value, 'MYR') : value }]
  })
  return (
    <>
      {sentence === undefined ? (
        <pre className="code wrap">{JSON.stringify(command, null, 2)}</pre>
      ) : (
        <p className="does strong anywhere">{sentence}</p>
      )}
      <Facts
        isLeft
        facts={[
          ...(sentence === undefined ? [] : members),
          { term: text.asked, value: by },
          { term: text.reasonGiven, value: reason },
        ]}
      />
    </>
  )
}
