import { useState } from 'react'
import { portalReportDeposit } from '../../api/portal-acts.generated.ts'
import { isoDayFromToday } from '../../text/dates.ts'
import { useText } from '../../text/language.ts'
import { moneyText } from '../../text/numbers.ts'
import { FileField } from '../../ui/file-field.tsx'
import { PortalAct } from '../act.tsx'
import { AMOUNTS } from '../amount-messages.ts'
import { isAmount } from '../amounts.ts'
import { DEPOSITS } from './messages.ts'
import type { SlipFile } from './slip-file.ts'
import { readSlipFile, SLIP_ACCEPT } from './slip-file.ts'

type ReportDialogProps = { readonly onClose: () => void; readonly onReported: (id: string) => void }

/** Reports a bank transfer with its slip. The service answers the same report with the first one. */
export function ReportDialog({ onClose, onReported }: ReportDialogProps) {
  const text = useText(DEPOSITS)
  const amounts = useText(AMOUNTS)
  const [slip, setSlip] = useState<SlipFile | undefined>(undefined)
  return (
    <PortalAct
      act={portalReportDeposit}
      title={text.reportTitle}
      isDangerous={false}
      action={text.send}
      done={({ data }) => text.reported(moneyText(data.amount, 'MYR'))}
      refresh={['portalListDepositRequests', 'portalGetDepositRequest']}
      onDone={({ data }) => onReported(data.id)}
      onClose={onClose}
      from={{ transferred_on: isoDayFromToday(0) }}
      fields={{
        amount: {
          label: text.amount,
          hint: text.amountHint,
          before: 'MYR',
          inputMode: 'decimal',
          check: (amount) => (isAmount(amount) ? undefined : amounts.unreadable),
          isHalf: true,
        },
        transferred_on: { label: text.day, type: 'date', max: isoDayFromToday(1) },
        bank_reference: { label: text.reference, hint: text.referenceHint },
        slip: {
          label: text.slip,
          draw: ({ onValue, error }) => (
            <FileField
              label={text.slip}
              hint={text.slipHint}
              error={slip !== undefined && 'problem' in slip ? text.slipProblems[slip.problem] : error}
              accept={SLIP_ACCEPT}
              invitation={text.slipChoose}
              chosen={slip?.name}
              onFile={async (file) => {
                const read = await readSlipFile(file)
                setSlip(read)
                onValue('base64' in read ? read.base64 : '')
              }}
            />
          ),
        },
        note: { label: text.note, hint: text.noteHint, rows: 2 },
      }}
    />
  )
}
