import type { PortalPaymentDetails, Receipt as SignedReceipt } from '../../api/portal.generated.ts'
import { QrCode } from '../../people/qr-code.tsx'
import { compactDayText, minuteText, ZONE_NAME } from '../../text/dates.ts'
import { useText } from '../../text/language.ts'
import { useStandardText } from '../../text/remarks.ts'
import { useMember } from '../session.ts'
import { PAYMENT } from './payment-messages.ts'
import { receiptAmounts } from './receipt-amounts.ts'
import { RECEIPT } from './receipt-messages.ts'
import { PaymentState } from './status.tsx'
import type { ReceiptWidth } from './till.ts'

export type ReceiptProof = Pick<SignedReceipt, 'number' | 'verify_url'>

type ReceiptProps = {
  readonly payment: PortalPaymentDetails
  /** PIN that the seller has revealed and wants to be printed. */
  readonly pin?: string
  /** Price at the till; left out where it is not known any more. */
  readonly price?: string | null
  /** Number and page by which anybody verifies it; left out where it is not asked for yet. */
  readonly proof?: ReceiptProof | undefined
  /** Person at the till. */
  readonly cashier?: string | undefined
  /** True: it was printed before. */
  readonly isCopy?: boolean
  readonly width?: ReceiptWidth
}

/** Slip for the customer. It names no cost. */
export function Receipt(props: ReceiptProps) {
  const { payment, pin = '', price = null, proof, cashier = '', isCopy = false, width = 'a4' } = props
  const text = useText(PAYMENT)
  const words = useText(RECEIPT)
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
    <div className={`slip w-${width}`}>
      <h3>{reseller.name}</h3>
      <p>
        {minuteText(payment.created_at)} {ZONE_NAME}
      </p>
      {isCopy ? <p className="copy">{words.copy}</p> : null}
      <dl>
        {line(words.number, proof?.number ?? '')}
        {line(words.cashier, cashier)}
        {line(text.product, payment.product_name)}
        {line(text.amount, bought ?? '')}
        {line(text.account, payment.account)}
        {line(text.serial, payment.serial_number)}
        {line(text.reference, payment.refid)}
        {line(text.pin, inFours(pin))}
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
      {proof === undefined ? null : (
        <div className="verify">
          <QrCode value={proof.verify_url} label={words.verify} />
          <p>{words.verifyAbout}</p>
        </div>
      )}
    </div>
  )
}

/** Writes a PIN as it is read aloud. */
function inFours(pin: string): string {
  return pin.replace(/[^\s-]{4}(?=[^\s-])/g, '$& ')
}
