import type { ReportedDeposit } from '../../api/operator.generated.ts'
import { acceptDepositRequest, refuseDepositRequest } from '../../api/operator-acts.generated.ts'
import { useText } from '../../text/language.ts'
import { moneyText } from '../../text/numbers.ts'
import { Note } from '../../ui/state.tsx'
import { ConsoleAct, useReasonWords } from '../parts/act.tsx'
import { DEPOSITS } from './messages.ts'

type Props = { readonly request: ReportedDeposit; readonly onClose: () => void }

const CHANGED = ['getDepositRequest', 'listDepositRequests', 'listApprovals', 'getOperatorOverview'] as const

/** Says that the transfer was seen at the bank. A second person approves it afterwards. */
export function AcceptDialog({ request, onClose }: Props) {
  const text = useText(DEPOSITS)
  const reason = useReasonWords()
  return (
    <ConsoleAct
      act={acceptDepositRequest}
      input={{ params: { id: request.id } }}
      title={text.acceptTitle(moneyText(request.amount, 'MYR'), request.reseller.name)}
      action={text.accept}
      asked={text.accepted}
      refresh={CHANGED}
      onClose={onClose}
      fields={{
        reason: { ...reason, hint: text.reasonHint },
        reference: {
          label: text.entryReference,
          hint: text.entryReferenceHint,
          placeholder: request.bank_reference,
        },
        remarks: { label: text.remarks, hint: text.remarksHint },
      }}
    >
      <p className="mid">{text.acceptAbout}</p>
      {request.same_reference.length === 0 ? null : <Note tone="warning">{text.sameTitle}</Note>}
    </ConsoleAct>
  )
}

export function RefuseDialog({ request, onClose }: Props) {
  const text = useText(DEPOSITS)
  return (
    <ConsoleAct
      isDangerous
      act={refuseDepositRequest}
      input={{ params: { id: request.id } }}
      title={text.refuseTitle}
      action={text.refuse}
      keep={text.leave}
      done={text.refused}
      refresh={CHANGED}
      onClose={onClose}
      fields={{ reason: { label: text.refuseReason, hint: text.refuseReasonHint, rows: 2 } }}
    >
      <p className="mid">{text.refuseAbout}</p>
    </ConsoleAct>
  )
}
