import { useState } from 'react'
import type { ReportedDeposit } from '../../api/operator.generated.ts'
import { operator, operatorKey } from '../../api/operator.ts'
import { useText } from '../../text/language.ts'
import { moneyText } from '../../text/numbers.ts'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { fieldError } from '../../ui/problem.tsx'
import { Note } from '../../ui/state.tsx'
import { useAction } from '../../ui/use-action.ts'
import { ApprovalToast } from '../parts/approval-toast.tsx'
import { ReasonActionDialog, ReasonField } from '../parts/reason-dialog.tsx'
import { DEPOSITS } from './messages.ts'

type Props = { readonly request: ReportedDeposit; readonly onClose: () => void }

const CHANGED = [
  operatorKey('getDepositRequest'),
  operatorKey('listDepositRequests'),
  operatorKey('listApprovals'),
  operatorKey('getOperatorOverview'),
]

/** Says that the transfer was seen at the bank. A second person approves it afterwards. */
export function AcceptDialog({ request, onClose }: Props) {
  const text = useText(DEPOSITS)
  const [reference, setReference] = useState('')
  const [remarks, setRemarks] = useState('')
  const [reason, setReason] = useState('')
  const action = useAction({
    act: () =>
      operator.call('acceptDepositRequest', {
        params: { id: request.id },
        body: {
          reason: reason.trim(),
          ...(reference.trim() === '' ? {} : { reference: reference.trim() }),
          ...(remarks.trim() === '' ? {} : { remarks: remarks.trim() }),
        },
      }),
    done: ({ data }) => <ApprovalToast id={data.id}>{text.accepted}</ApprovalToast>,
    refresh: CHANGED,
    onDone: onClose,
  })
  const { error } = action
  return (
    <ConfirmDialog
      title={text.acceptTitle(moneyText(request.amount, 'MYR'), request.reseller.name)}
      isDangerous={false}
      action={text.accept}
      isBusy={action.isBusy}
      error={error}
      isReady={reason.trim() !== ''}
      onConfirm={() => action.run()}
      onClose={onClose}
    >
      <p className="mid">{text.acceptAbout}</p>
      {request.same_reference.length === 0 ? null : <Note tone="warning">{text.sameTitle}</Note>}
      <ReasonField value={reason} onValue={setReason} error={error} hint={text.reasonHint} />
      <TextField
        label={text.entryReference}
        hint={text.entryReferenceHint}
        error={fieldError(error, 'reference')}
        placeholder={request.bank_reference}
        autoComplete="off"
        value={reference}
        onValue={setReference}
      />
      <TextField
        label={text.remarks}
        hint={text.remarksHint}
        error={fieldError(error, 'remarks')}
        value={remarks}
        onValue={setRemarks}
      />
    </ConfirmDialog>
  )
}

export function RefuseDialog({ request, onClose }: Props) {
  const text = useText(DEPOSITS)
  return (
    <ReasonActionDialog
      isDangerous
      title={text.refuseTitle}
      action={text.refuse}
      keep={text.leave}
      reasonLabel={text.refuseReason}
      reasonHint={text.refuseReasonHint}
      act={(reason) =>
        operator.call('refuseDepositRequest', { params: { id: request.id }, body: { reason } })
      }
      done={text.refused}
      refresh={CHANGED}
      onClose={onClose}
    >
      <p className="mid">{text.refuseAbout}</p>
    </ReasonActionDialog>
  )
}
