import { useState } from 'react'
import { portal, portalKey } from '../../api/portal.ts'
import { isoDayFromToday } from '../../text/dates.ts'
import { useText } from '../../text/language.ts'
import { moneyText } from '../../text/numbers.ts'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { TextAreaField, TextField } from '../../ui/field.tsx'
import { FileField } from '../../ui/file-field.tsx'
import { fieldError } from '../../ui/problem.tsx'
import { useAction } from '../../ui/use-action.ts'
import { AMOUNTS } from '../amount-messages.ts'
import { isAmount } from '../amounts.ts'
import { DEPOSITS } from './messages.ts'
import type { SlipFile } from './slip-file.ts'
import { readSlipFile, SLIP_ACCEPT } from './slip-file.ts'

/** Reports a bank transfer with its slip. The service answers the same report with the first one. */
export function ReportDialog({
  onClose,
  onReported,
}: {
  onClose: () => void
  onReported: (id: string) => void
}) {
  const text = useText(DEPOSITS)
  const amounts = useText(AMOUNTS)
  const [amount, setAmount] = useState('')
  const [day, setDay] = useState(isoDayFromToday(0))
  const [reference, setReference] = useState('')
  const [note, setNote] = useState('')
  const [slip, setSlip] = useState<SlipFile | undefined>(undefined)
  const base64 = slip !== undefined && 'base64' in slip ? slip.base64 : undefined
  const action = useAction({
    act: () =>
      portal.call('portalReportDeposit', {
        body: {
          amount: amount.trim(),
          transferred_on: day,
          bank_reference: reference.trim(),
          slip: base64 ?? '',
          ...(note.trim() === '' ? {} : { note: note.trim() }),
        },
      }),
    done: ({ data }) => text.reported(moneyText(data.amount, 'MYR')),
    refresh: [portalKey('portalListDepositRequests'), portalKey('portalGetDepositRequest')],
    onDone: ({ data }) => onReported(data.id),
  })
  const { error } = action
  const isUnreadable = amount.trim() !== '' && !isAmount(amount)
  const isFilled = isAmount(amount) && day !== '' && reference.trim() !== '' && base64 !== undefined
  return (
    <ConfirmDialog
      title={text.reportTitle}
      isDangerous={false}
      action={text.send}
      isBusy={action.isBusy}
      error={error}
      isReady={isFilled}
      onConfirm={() => action.run()}
      onClose={onClose}
    >
      <div className="two-up">
        <TextField
          label={text.amount}
          hint={text.amountHint}
          error={isUnreadable ? amounts.unreadable : fieldError(error, 'amount')}
          before="MYR"
          inputMode="decimal"
          autoComplete="off"
          value={amount}
          onValue={setAmount}
        />
        <TextField
          label={text.day}
          error={fieldError(error, 'transferred_on')}
          type="date"
          max={isoDayFromToday(1)}
          value={day}
          onValue={setDay}
        />
      </div>
      <TextField
        label={text.reference}
        hint={text.referenceHint}
        error={fieldError(error, 'bank_reference')}
        maxLength={100}
        autoComplete="off"
        value={reference}
        onValue={setReference}
      />
      <FileField
        label={text.slip}
        hint={text.slipHint}
        error={
          slip !== undefined && 'problem' in slip
            ? text.slipProblems[slip.problem]
            : fieldError(error, 'slip')
        }
        accept={SLIP_ACCEPT}
        invitation={text.slipChoose}
        chosen={slip?.name}
        onFile={(file) => void readSlipFile(file).then(setSlip)}
      />
      <TextAreaField
        label={text.note}
        hint={text.noteHint}
        error={fieldError(error, 'note')}
        maxLength={500}
        rows={2}
        value={note}
        onValue={setNote}
      />
    </ConfirmDialog>
  )
}
