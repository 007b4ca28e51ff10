import type { PortalPaymentDetails } from '../../api/portal.generated.ts'
import { moneyText } from '../../text/numbers.ts'

type Sold = Pick<PortalPaymentDetails, 'amount' | 'amount_currency' | 'face_value'>

type ReceiptAmounts = {
  /** Quantity that was bought, in the product's own unit; undefined where that is ringgit, or is not known any more. */
  readonly bought: string | undefined
  /** `paid`: the price at the till. `value`: the price is not known, so that the slip names the value alone. */
  readonly total: { readonly kind: 'paid' | 'value'; readonly text: string }
}

/** Amounts that a customer may see, in ringgit: never the cost, which is between the reseller and the service. */
export function receiptAmounts(
  { amount, amount_currency: unit, face_value: value }: Sold,
  price: string | null,
): ReceiptAmounts {
  return {
    bought: unit === null || unit === 'MYR' ? undefined : moneyText(amount.replace(/\.0+$/, ''), unit),
    total:
      price === null
        ? { kind: 'value', text: moneyText(value, 'RM') }
        : { kind: 'paid', text: moneyText(price, 'RM') },
  }
}
