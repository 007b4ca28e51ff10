import { ApiProblem } from '../../api/errors.ts'
import type { PortalPaymentDetails, SupportResponse } from '../../api/portal.generated.ts'
import { portalOpenDispute, portalOpenVoid } from '../../api/portal-acts.generated.ts'
import { useText } from '../../text/language.ts'
import { moneyText } from '../../text/numbers.ts'
import type { FieldWords, Typed } from '../../ui/act-field.tsx'
import { PortalAct } from '../act.tsx'
import { PAYMENT } from './payment-messages.ts'

type DialogProps = { readonly payment: PortalPaymentDetails; readonly onClose: () => void }

const CHANGED = ['portalGetPayment', 'portalListCases'] as const

function addressesOf(text: Typed | undefined): string[] {
  return String(text ?? '')
    .split(/[,;\s]+/)
    .filter((each) => each !== '')
}

/** The API answers 200 also when no case was opened, for instance because there is one already; its message says why. */
function judgeCase({ data }: SupportResponse): void {
  if (data.status === 'Failed') throw new ApiProblem(data.message, { status: 409, code: 'no_case_opened' })
}

function useCopiesWords(): FieldWords {
  const text = useText(PAYMENT)
  return { label: text.also, hint: text.alsoHint, inputMode: 'email' }
}

/** Asks support how the payment really ended. */
export function DisputeDialog({ payment, onClose }: DialogProps) {
  const text = useText(PAYMENT)
  const copies = useCopiesWords()
  return (
    <PortalAct
      act={portalOpenDispute}
      judge={judgeCase}
      title={text.disputeTitle}
      isDangerous={false}
      keep={text.notNow}
      action={text.report}
      done={text.reported}
      refresh={CHANGED}
      onClose={onClose}
      members={({ user_email: typed }) => ({ trxid: payment.id, user_email: addressesOf(typed) })}
      fields={{ user_email: copies }}
    >
      <p className="mid">{text.disputeAbout}</p>
    </PortalAct>
  )
}

/** Reasons of a void as the API numbers them. */
const REASONS = ['amount', 'twice', 'other'] as const
const OTHER = '3'

/** Asks the supplier to take the payment back. */
export function VoidDialog({ payment, onClose }: DialogProps) {
  const text = useText(PAYMENT)
  const copies = useCopiesWords()
  return (
    <PortalAct
      act={portalOpenVoid}
      judge={judgeCase}
      title={text.voidTitle(moneyText(payment.amount, payment.amount_currency ?? ''))}
      keep={text.keep}
      action={text.askVoid}
      done={text.voidAsked}
      refresh={CHANGED}
      onClose={onClose}
      from={{ refund_type: 1 }}
      members={({ user_email: typed }) => ({ trxid: payment.id, user_email: addressesOf(typed) })}
      fields={({ refund_type: type }) => ({
        refund_type: {
          label: text.why,
          look: 'cards',
          options: REASONS.map((name, index) => ({ value: String(index + 1), label: text.reasons[name] })),
        },
        refund_reason: type === OTHER ? { label: text.reason, rows: 3, isNeeded: true } : undefined,
        user_email: copies,
      })}
    >
      <p className="mid">{text.voidAbout(moneyText(payment.cost, 'MYR'))}</p>
    </PortalAct>
  )
}
