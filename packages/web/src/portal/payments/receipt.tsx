import type {
  PortalPaymentDetails,
  ReceiptHeader,
  Receipt as SignedReceipt,
} from '../../api/portal.generated.ts'
import { usePortal } from '../../api/portal.ts'
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
  return (
    <div className={`slip w-${width}`}>
      <SlipHead at={payment.created_at} isCopy={isCopy} />
      <dl>
        <SlipLine term={words.number} value={proof?.number ?? ''} />
        <SlipLine term={words.cashier} value={cashier} />
        <BoughtLines payment={payment} pin={pin} bought={bought} />
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
      {proof === undefined ? null : <SlipProof proof={proof} />}
      <SlipFoot />
    </div>
  )
}

type HeadProps = { readonly at: string; readonly isCopy: boolean }

/** Top of a slip: the shop as it wants to be named, the time, and whether it was printed before. */
export function SlipHead({ at, isCopy }: HeadProps) {
  const words = useText(RECEIPT)
  const { reseller } = useMember()
  const { name = '', address = '', registration_number: registration = '', logo = null } = useHeader() ?? {}
  return (
    <>
      {logo === null ? null : <img className="slip-logo" src={`data:image/png;base64,${logo}`} alt="" />}
      <h3>{name === '' ? reseller.name : name}</h3>
      {address === '' ? null : <p>{address}</p>}
      {registration === '' ? null : (
        <p>
          {words.registrationShort} {registration}
        </p>
      )}
      <p>
        {minuteText(at)} {ZONE_NAME}
      </p>
      {isCopy ? <p className="copy">{words.copy}</p> : null}
    </>
  )
}

/** Last line of a slip. */
export function SlipFoot() {
  const { footer = '' } = useHeader() ?? {}
  return footer === '' ? null : <p className="foot">{footer}</p>
}

function useHeader(): ReceiptHeader | undefined {
  return usePortal('portalGetReceiptHeader', {}).data?.data
}

export function SlipLine({ term, value }: { readonly term: string; readonly value: string }) {
  if (value === '') return null
  return (
    <>
      <dt>{term}</dt>
      <dd>{value}</dd>
    </>
  )
}

type BoughtProps = {
  readonly payment: PortalPaymentDetails
  readonly pin: string
  readonly bought: string | undefined
}

/** Lines of one payment. */
export function BoughtLines({ payment, pin, bought }: BoughtProps) {
  const text = useText(PAYMENT)
  const words = useText(RECEIPT)
  const standard = useStandardText()
  return (
    <>
      <SlipLine term={text.product} value={payment.product_name} />
      <SlipLine term={text.amount} value={bought ?? ''} />
      <SlipLine term={text.account} value={payment.account} />
      <SlipLine term={text.serial} value={payment.serial_number} />
      <SlipLine term={text.reference} value={payment.refid} />
      <SlipLine term={text.pin} value={inFours(pin)} />
      {payment.status === 'successful' ? (
        <SlipLine term={words.redemption} value={payment.redemption ?? ''} />
      ) : null}
      <SlipLine term={text.expiry} value={compactDayText(payment.expiry)} />
      <SlipLine term={text.note} value={standard(payment.note)} />
    </>
  )
}

/** Page that proves a payment, to be scanned. */
export function SlipProof({ proof }: { readonly proof: ReceiptProof }) {
  const words = useText(RECEIPT)
  return (
    <div className="verify">
      <QrCode value={proof.verify_url} label={words.verify} />
      <p>{words.verifyAbout}</p>
    </div>
  )
}

/** Writes a PIN as it is read aloud. */
function inFours(pin: string): string {
  return pin.replace(/[^\s-]{4}(?=[^\s-])/g, '$& ')
}
