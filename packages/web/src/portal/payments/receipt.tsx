import type { PortalPaymentDetails } from '../../api/portal.generated.ts'
import { dateTimeText, ZONE_NAME } from '../../text/dates.ts'
import { useText } from '../../text/language.ts'
import { moneyText } from '../../text/numbers.ts'
import { useMember } from '../session.ts'
import { PAYMENT } from './payment-messages.ts'
import { PaymentState } from './status.tsx'

/** Slip for the customer. It names no cost. A PIN is printed only when the seller has revealed it. */
export function Receipt({ payment, pin }: { payment: PortalPaymentDetails; pin?: string }) {
  const text = useText(PAYMENT)
  const { reseller } = useMember()
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
        {dateTimeText(payment.created_at)} {ZONE_NAME}
      </p>
      <dl>
        {line(text.product, payment.product_name)}
        {line(text.account, payment.account)}
        {line(text.serial, payment.serial_number)}
        {line(text.reference, payment.refid)}
        {line(text.pin, pin ?? '')}
        {line(text.expiry, payment.expiry)}
        {line(text.note, payment.note)}
      </dl>
      <dl>
        <dt className="tot">{payment.status === 'successful' ? text.paid : text.amount}</dt>
        <dd className="tot">{moneyText(payment.amount, payment.amount_currency ?? '')}</dd>
      </dl>
      {payment.status === 'successful' ? null : (
        <p>
          <PaymentState status={payment.status} />
        </p>
      )}
    </div>
  )
}
