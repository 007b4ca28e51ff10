import { requestAdjustment, requestDeposit } from '../../api/operator-acts.generated.ts'
import { useText } from '../../text/language.ts'
import { moneyText } from '../../text/numbers.ts'
import type { ComboOption } from '../../ui/combobox.tsx'
import { ConsoleAct } from './act.tsx'
import { ResellerFinder } from './finders.tsx'
import { POSTING } from './messages.ts'

type PostingDialogProps = {
  readonly kind: 'deposit' | 'adjustment'
  /** Reseller whose page this is; without one it is chosen here. */
  readonly reseller?: ComboOption
  readonly onClose: () => void
}

/** Asks for a posting to a wallet. It moves nothing: a second person approves it. */
export function PostingDialog({ kind, reseller: fixed, onClose }: PostingDialogProps) {
  const text = useText(POSTING)
  return (
    <ConsoleAct
      act={kind === 'deposit' ? requestDeposit : requestAdjustment}
      title={fixed === undefined ? text.title[kind] : `${text.title[kind]}: ${fixed.label}`}
      action={text.ask}
      asked={({ data }) => text.asked(moneyText(data.command.amount ?? '', 'MYR'))}
      refresh={['listApprovals', 'getOperatorOverview']}
      onClose={onClose}
      members={fixed === undefined ? {} : { account: fixed.value }}
      fields={{
        account:
          fixed === undefined
            ? {
                label: text.reseller,
                draw: ({ onValue, error }) => (
                  <ResellerFinder label={text.reseller} onCode={onValue} error={error} />
                ),
              }
            : undefined,
        amount: {
          label: text.amount,
          hint: text.amountHint[kind],
          before: 'MYR',
          ...(kind === 'deposit' ? { inputMode: 'decimal' } : {}),
        },
        remarks: { label: text.remarks, hint: text.remarksHint },
        reference: { label: text.reference, hint: text.referenceHint },
      }}
    >
      <p className="mid">{text.about[kind]}</p>
    </ConsoleAct>
  )
}
