import { useOperator } from '../../api/operator.ts'
import { approveApproval, refuseApproval, withdrawApproval } from '../../api/operator-acts.generated.ts'
import { useText } from '../../text/language.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { ConsoleAct } from '../parts/act.tsx'
import { CommandFacts } from './command-facts.tsx'
import { APPROVALS } from './messages.ts'

export type Verdict = 'approve' | 'refuse' | 'withdraw'

const ACTS = { approve: approveApproval, refuse: refuseApproval, withdraw: withdrawApproval } as const

const DONE = { approve: 'approved', refuse: 'refused', withdraw: 'withdrawn' } as const

export type DecideDialogProps = {
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
