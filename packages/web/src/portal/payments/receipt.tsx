import type { PortalPaymentDetails } from '../../api/portal.generated.ts'
import { compactDayText, minuteText, ZONE_NAME } from '../../text/dates.ts'
import { useText } from '../../text/language.ts'
import { useStandardText } from '../../text/remarks.ts'
import { useMember } from '../session.ts'
import { PAYMENT } from './payment-messages.ts'
import { receiptAmounts } from './receipt-amounts.ts'
import { PaymentState } from './status.tsx'

type ReceiptProps = {
  readonly payment: PortalPaymentDetails
  /** PIN that the seller has revealed and wants to be printed. */
  readonly pin?: string
  /** Price at the till; left out where it is not known any more. */
  readonly price?: string | null
}

/** Slip for the customer. It names no cost. */
export function Receipt({ payment, pin, price = null }: ReceiptProps) {
  const text = useText(PAYMENT)
  const { bought, total } = receiptAmounts(payment, payment.status === 'successful' ? price : null)
  const { reseller } = useMember()
  const standard = useStandardText()
  const line = (term: string, value: string) =>
    value === '' ? null : (
      <>
        <dt>{term}</dt>
        <dd>{value}</dd>
      </>
    )
  return (
    <div className="slip">
      <h3>{reseller.name}</h3>
      <p>
        {minuteText(payment.created_at)} {ZONE_NAME}
      </p>
      <dl>
        {line(text.product, payment.product_name)}
        {line(text.amount, bought ?? '')}
        {line(text.account, payment.account)}
        {line(text.serial, payment.serial_number)}
        {line(text.reference, payment.refid)}
        {line(text.pin, pin ?? '')}
        {line(text.expiry, compactDayText(payment.expiry))}
        {line(text.note, standard(payment.note))}
      </dl>
      <dl>
        <dt className="tot">{text[total.kind]}</dt>
        <dd className="tot">{total.text}</dd>
      </dl>
      {payment.status === 'successful' ? null : (
        <p>
          <PaymentState status={payment.status} />
        </p>
      )}
    </div>
  )
}
