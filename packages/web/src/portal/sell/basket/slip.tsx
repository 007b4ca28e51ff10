import type { PortalPaymentDetails } from '../../../api/portal.generated.ts'
import { useText } from '../../../text/language.ts'
import { moneyText } from '../../../text/numbers.ts'
import { PAYMENT } from '../../payments/payment-messages.ts'
import { BoughtLines, SlipFoot, SlipHead, SlipLine, SlipProof } from '../../payments/receipt.tsx'
import { receiptAmounts } from '../../payments/receipt-amounts.ts'
import { RECEIPT } from '../../payments/receipt-messages.ts'
import type { SlipShown } from '../../payments/receipt-panel.tsx'
import { PaymentState } from '../../payments/status.tsx'
import type { Basket, BasketLine } from './basket.ts'
import { changeOf } from './basket.ts'
import { BASKET } from './messages.ts'

/** Line with its payment, as far as it is known. */
export type KnownLine = BasketLine & { readonly payment: PortalPaymentDetails | undefined }

type SlipProps = SlipShown & {
  readonly basket: Basket
  readonly lines: readonly KnownLine[]
  readonly total: string
  readonly printsPins: boolean
}

/** One slip for all that a customer bought. Lines that were refused are not on it: nothing was taken for them. */
export function BasketSlip(props: SlipProps) {
  const { basket, lines, total, printsPins, proofs, isCopy, width, cashier = '' } = props
  const text = useText(BASKET)
  const words = useText(RECEIPT)
  const payment = useText(PAYMENT)
  const change = changeOf(basket.cash, total)
  const at = lines.find((line) => line.payment !== undefined)?.payment?.created_at
  return (
    <div className={`slip w-${width}`}>
      {at === undefined ? null : <SlipHead at={at} isCopy={isCopy} />}
      <dl>
        <SlipLine term={words.cashier} value={cashier} />
      </dl>
      {lines.map(({ payment: sold, sale }) =>
        sold === undefined ? null : (
          <div className="bought" key={sold.id}>
            <dl>
              <SlipLine term={words.number} value={proofs.get(sold.id)?.number ?? ''} />
              <BoughtLines
                payment={sold}
                pin={printsPins ? sold.pin : ''}
                bought={receiptAmounts(sold, sale.price).bought}
              />
              {sold.status === 'successful' && sale.price !== null ? (
                <SlipLine term={payment.paid} value={moneyText(sale.price, 'RM')} />
              ) : null}
            </dl>
            {sold.status === 'successful' ? null : (
              <p>
                <PaymentState status={sold.status} />
              </p>
            )}
          </div>
        ),
      )}
      <dl>
        <dt className="tot">{text.total}</dt>
        <dd className="tot">{moneyText(total, 'RM')}</dd>
        {change.kind === 'change' ? (
          <>
            <SlipLine term={text.cash} value={moneyText(basket.cash, 'RM')} />
            <SlipLine term={text.change} value={moneyText(change.amount, 'RM')} />
          </>
        ) : null}
      </dl>
      {lines.map(({ payment: sold }) => {
        const proof = proofs.get(sold?.id ?? '')
        return proof === undefined ? null : <SlipProof key={proof.number} proof={proof} />
      })}
      <SlipFoot />
    </div>
  )
}
