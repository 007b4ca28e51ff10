import { useState } from 'react'
import { ApiProblem } from '../../api/errors.ts'
import type { PortalPaymentDetails, SupportResponse } from '../../api/portal.generated.ts'
import { portal, portalKey } from '../../api/portal.ts'
import { useText } from '../../text/language.ts'
import { moneyText } from '../../text/numbers.ts'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { TextAreaField, TextField } from '../../ui/field.tsx'
import { useAction } from '../../ui/use-action.ts'
import { PAYMENT } from './payment-messages.ts'

type DialogProps = { readonly payment: PortalPaymentDetails; readonly onClose: () => void }

function addressesOf(text: string): string[] {
  return text.split(/[,;\s]+/).filter((each) => each !== '')
}

/** The API answers 200 also when no case was opened, for instance because there is one already; its message says why. */
function openedCase({ data }: SupportResponse): SupportResponse {
  if (data.status === 'Failed') throw new ApiProblem(data.message, { status: 409, code: 'no_case_opened' })
  return { data }
}

/** Asks support how the payment really ended. */
export function DisputeDialog({ payment, onClose }: DialogProps) {
  const text = useText(PAYMENT)
  const [copies, setCopies] = useState('')
  const action = useAction({
    act: async () =>
      openedCase(
        await portal.call('portalOpenDispute', {
          body: { trxid: payment.id, user_email: addressesOf(copies) },
        }),
      ),
    done: () => text.reported,
    refresh: [portalKey('portalGetPayment'), portalKey('portalListCases')],
    onDone: onClose,
  })
  return (
    <ConfirmDialog
      title={text.disputeTitle}
      isDangerous={false}
      keep={text.notNow}
      action={text.report}
      isBusy={action.isBusy}
      error={action.error}
      onConfirm={() => action.run()}
      onClose={onClose}
    >
      <p className="mid">{text.disputeAbout}</p>
      <TextField
        label={text.also}
        hint={text.alsoHint}
        value={copies}
        onValue={setCopies}
        inputMode="email"
      />
    </ConfirmDialog>
  )
}

/** Reasons of a void as the API numbers them. */
const REASONS = [
  { type: 1, name: 'amount' },
  { type: 2, name: 'twice' },
  { type: 3, name: 'other' },
] as const

/** Asks the supplier to take the payment back. */
export function VoidDialog({ payment, onClose }: DialogProps) {
  const text = useText(PAYMENT)
  const [type, setType] = useState<1 | 2 | 3>(1)
  const [reason, setReason] = useState('')
  const [copies, setCopies] = useState('')
  const action = useAction({
    act: async () =>
      openedCase(
        await portal.call('portalOpenVoid', {
          body: {
            trxid: payment.id,
            refund_type: type,
            user_email: addressesOf(copies),
            ...(type === 3 ? { refund_reason: reason } : {}),
          },
        }),
      ),
    done: () => text.voidAsked,
    refresh: [portalKey('portalGetPayment'), portalKey('portalListCases')],
    onDone: onClose,
  })
  return (
    <ConfirmDialog
      title={text.voidTitle(moneyText(payment.amount, payment.amount_currency ?? ''))}
      keep={text.keep}
      action={text.askVoid}
      isBusy={action.isBusy}
      error={action.error}
      isReady={type !== 3 || reason.trim() !== ''}
      onConfirm={() => action.run()}
      onClose={onClose}
    >
      <p className="mid">{text.voidAbout(moneyText(payment.cost, 'MYR'))}</p>
      <fieldset className="stack tight" aria-label={text.why}>
        {REASONS.map((each) => (
          <label key={each.type} className={each.type === type ? 'radio-card on' : 'radio-card'}>
            <input
              type="radio"
              name="reason"
              checked={each.type === type}
              onChange={() => setType(each.type)}
            />
            {text.reasons[each.name]}
          </label>
        ))}
      </fieldset>
      {type === 3 ? (
        <TextAreaField label={text.reason} value={reason} onValue={setReason} maxLength={500} />
      ) : null}
      <TextField
        label={text.also}
        hint={text.alsoHint}
        value={copies}
        onValue={setCopies}
        inputMode="email"
      />
    </ConfirmDialog>
  )
}
