import { accountOf, billerFieldOf, OWN_ACCOUNT_ID } from '@warung/forms/form'
import type { Product } from '../../../api/portal.generated.ts'
import { usePortal } from '../../../api/portal.ts'
import { useText } from '../../../text/language.ts'
import { Panel } from '../../../ui/panel.tsx'
import { Note } from '../../../ui/state.tsx'
import { ProductSale } from '../product-sale.tsx'
import type { ScannedBill } from './codes.ts'
import { SCAN } from './messages.ts'

type ScannedSaleProps = {
  readonly product: Product
  readonly bill: ScannedBill & { readonly billerCode: string }
  readonly onNext: () => void
}

/** Sale of a bill whose code was scanned: its biller, references and amount are filled in, and wait to be paid. */
export function ScannedSale({ product, bill, onNext }: ScannedSaleProps) {
  const text = useText(SCAN)
  const field = billerFieldOf(product) ?? ''
  const { billerCode: code, account, ref2, amount } = bill
  const { data, error } = usePortal('portalGetSellOptions', {
    query: { product_code: product.code, field_id: field, biller_code: code, limit: 1 },
  })
  const biller = data?.items.find((each) => each.code === code)
  if (biller === undefined) {
    return (
      <Panel>
        <p role="status">{data === undefined && error === null ? text.asking : null}</p>
        {data === undefined && error === null ? null : <Note tone="warning">{text.unknown(code)}</Note>}
      </Panel>
    )
  }
  const { fulfillment } = product
  const second = fulfillment.extras?.ref2?.from_field
  const values = {
    [field]: biller,
    [accountOf(product)?.from_field ?? OWN_ACCOUNT_ID]: account,
    ...(second != null && ref2 !== undefined && { [second]: ref2 }),
    ...(amount !== undefined && { [fulfillment.amount.from_field]: amount }),
  }
  return <ProductSale product={product} begun={{ values, account, onNext }} />
}
