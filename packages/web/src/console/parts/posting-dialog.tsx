import { useState } from 'react'
import { operator, operatorKey } from '../../api/operator.ts'
import { useText } from '../../text/language.ts'
import { moneyText } from '../../text/numbers.ts'
import type { ComboOption } from '../../ui/combobox.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { fieldError } from '../../ui/problem.tsx'
import { useAction } from '../../ui/use-action.ts'
import { ApprovalToast } from './approval-toast.tsx'
import { POSTING } from './posting-messages.ts'
import { ReasonField } from './reason-dialog.tsx'
import { ResellerCombobox } from './reseller-combobox.tsx'

export type PostingDialogProps = {
  readonly kind: 'deposit' | 'adjustment'
  /** Reseller whose page this is; without one it is chosen here. */
  readonly reseller?: ComboOption
  readonly onClose: () => void
}

/** Asks for a posting to a wallet. It moves nothing: a second person approves it. */
export function PostingDialog({ kind, reseller: fixed, onClose }: PostingDialogProps) {
  const text = useText(POSTING)
  const [reseller, setReseller] = useState<ComboOption | undefined>(fixed)
  const [amount, setAmount] = useState('')
  const [remarks, setRemarks] = useState('')
  const [reference, setReference] = useState('')
  const [reason, setReason] = useState('')
  const action = useAction({
    act: () =>
      operator.call(kind === 'deposit' ? 'requestDeposit' : 'requestAdjustment', {
        body: {
          account: reseller?.value ?? '',
          amount: amount.trim(),
          remarks: remarks.trim(),
          reason: reason.trim(),
          ...(reference.trim() === '' ? {} : { reference: reference.trim() }),
        },
      }),
    done: ({ data }) => (
      <ApprovalToast id={data.id}>
        {text.asked(moneyText(data.command.amount ?? amount.trim(), 'MYR'))}
      </ApprovalToast>
    ),
    refresh: [operatorKey('listApprovals'), operatorKey('getOperatorOverview')],
    onDone: onClose,
  })
  const { error } = action
  const isFilled = [reseller?.value ?? '', amount, remarks, reason].every((each) => each.trim() !== '')
  return (
    <ConfirmDialog
      title={fixed === undefined ? text.title[kind] : `${text.title[kind]}: ${fixed.label}`}
      isDangerous={false}
      action={text.ask}
      isBusy={action.isBusy}
      error={error}
      isReady={isFilled}
      onConfirm={() => action.run()}
      onClose={onClose}
    >
      <p className="mid">{text.about[kind]}</p>
      {fixed === undefined ? (
        <ResellerCombobox
          label={text.reseller}
          chosen={reseller}
          onChoose={setReseller}
          error={fieldError(error, 'account')}
        />
      ) : null}
      <TextField
        label={text.amount}
        hint={text.amountHint[kind]}
        error={fieldError(error, 'amount')}
        before="MYR"
        inputMode={kind === 'deposit' ? 'decimal' : 'text'}
        autoComplete="off"
        value={amount}
        onValue={setAmount}
      />
      <TextField
        label={text.remarks}
        hint={text.remarksHint}
        error={fieldError(error, 'remarks')}
        value={remarks}
        onValue={setRemarks}
      />
      <TextField
        label={text.reference}
        hint={text.referenceHint}
        error={fieldError(error, 'reference')}
        autoComplete="off"
        value={reference}
        onValue={setReference}
      />
      <ReasonField value={reason} onValue={setReason} error={error} />
    </ConfirmDialog>
  )
}
