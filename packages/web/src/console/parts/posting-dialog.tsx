import { requestAdjustment, requestDeposit } from '../../api/operator-acts.generated.ts'
import { defineMessages, useText } from '../../text/language.ts'
import { moneyText } from '../../text/numbers.ts'
import type { ComboOption } from '../../ui/combobox.tsx'
import { ConsoleAct } from './act.tsx'
import { ResellerFinder } from './finders.tsx'

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

export const POSTING = defineMessages({
  en: {
    newDeposit: 'New deposit',
    newAdjustment: 'Adjust',
    title: { deposit: 'Ask for a deposit', adjustment: 'Ask for an adjustment' },
    about: {
      deposit: 'Nothing moves now. A second person approves it in Approvals; then it is in the wallet.',
      adjustment:
        'Nothing moves now. A second person approves it in Approvals. A minus takes away, never below what the wallet holds.',
    },
    reseller: 'Reseller',
    amount: 'Amount',
    amountHint: { deposit: 'Such as 1250.00', adjustment: 'Such as 12.50, or -12.50 to take away' },
    remarks: 'Remarks',
    remarksHint: 'The reseller reads them in the statement.',
    reference: 'Reference',
    referenceHint: 'Such as the bank’s. The same one is never posted twice for a reseller. Not required.',
    ask: 'Ask for approval',
    asked: (amount: string) => `${amount} waits for a second person. Nothing has moved yet.`,
  },
  ms: {
    newDeposit: 'Deposit baharu',
    newAdjustment: 'Laraskan',
    title: { deposit: 'Minta deposit', adjustment: 'Minta pelarasan' },
    about: {
      deposit:
        'Tiada apa yang bergerak sekarang. Orang kedua meluluskannya di Kelulusan; selepas itu ia masuk ke dompet.',
      adjustment:
        'Tiada apa yang bergerak sekarang. Orang kedua meluluskannya di Kelulusan. Tanda tolak mengurangkan, tidak pernah melebihi isi dompet.',
    },
    reseller: 'Penjual semula',
    amount: 'Amaun',
    amountHint: {
      deposit: 'Contohnya 1250.00',
      adjustment: 'Contohnya 12.50, atau -12.50 untuk mengurangkan',
    },
    remarks: 'Catatan',
    remarksHint: 'Penjual semula membacanya dalam penyata.',
    reference: 'Rujukan',
    referenceHint:
      'Contohnya rujukan bank. Rujukan yang sama tidak dimasukkan dua kali bagi satu penjual semula. Tidak wajib.',
    ask: 'Minta kelulusan',
    asked: (amount) => `${amount} menunggu orang kedua. Belum ada apa yang bergerak.`,
  },
})
