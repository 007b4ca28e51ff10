import { operator, operatorKey, useOperator } from '../../api/operator.ts'
import { useText } from '../../text/language.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { useAction } from '../../ui/use-action.ts'
import { ReasonDialog } from '../parts/reason-dialog.tsx'
import { CommandFacts } from './command-facts.tsx'
import { APPROVALS } from './messages.ts'

export type Verdict = 'approve' | 'refuse' | 'withdraw'

const OPERATIONS = {
  approve: 'approveApproval',
  refuse: 'refuseApproval',
  withdraw: 'withdrawApproval',
} as const

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
  const action = useAction({
    act: (reason: string) => operator.call(OPERATIONS[verdict], { params: { id }, body: { reason } }),
    done: () => text[DONE[verdict]],
    refresh: [
      operatorKey('listApprovals'),
      operatorKey('getApproval'),
      operatorKey('getOperatorOverview'),
      operatorKey('getPayment'),
      operatorKey('getAnyCase'),
      operatorKey('listStuckPayments'),
    ],
    onDone: onClose,
  })
  return (
    <ReasonDialog
      title={text[`${verdict}Title`]}
      action={text[verdict]}
      isDangerous={verdict === 'refuse'}
      isBusy={action.isBusy}
      error={action.error}
      isReady={reading.data !== undefined}
      onConfirm={action.run}
      onClose={onClose}
    >
      <Loaded reading={reading} bones={2}>
        {({ data }) => <CommandFacts approval={data} />}
      </Loaded>
      {verdict === 'approve' ? null : (
        <p className="mid">{verdict === 'refuse' ? text.refuseAbout : text.withdrawAbout}</p>
      )}
    </ReasonDialog>
  )
}
