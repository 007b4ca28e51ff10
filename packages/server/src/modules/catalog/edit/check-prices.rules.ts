import type { Amount } from '../../../lib/money.ts'
import { formatMoney, LOCAL_CURRENCY } from '../../../lib/money.ts'
import { amountCurrency, findPricingField, payableRange, price } from '../model/pricing.rules.ts'
import type { Problem } from '../model/problems.rules.ts'
import { complainAbout } from '../model/problems.rules.ts'
import type { Touched } from '../model/store.types.ts'
import type { EffectiveProduct, Snapshot } from '../model/types.ts'

type Products = Pick<Snapshot, 'products'>

/**
 * Lists the products that a change of an overlay leaves with a customer's price of zero or less. A price that stays
 * as it was is no problem of this change: such a product can still be renamed or switched off.
 */
export function checkPrices(before: Products, after: Products, touched: Touched): readonly Problem[] {
  const problems: Problem[] = []
  for (const code of touchedProducts(touched)) {
    const former = unsoundLines(before.products.get(code))
    const [first, ...others] = unsoundLines(after.products.get(code)).filter(
      (line) => !former.some((each) => isKept(each, line)),
    )
    if (first === undefined) continue
    const more = others.length === 0 ? '' : ` (and ${others.length} more)`
    complainAbout(
      problems,
      'products',
      code,
    )(
      'adjustment.value',
      `must leave a price greater than 0: ${first.label} would be ${LOCAL_CURRENCY} ${formatMoney(first.price)}${more}`,
    )
  }
  return problems
}

/** Lists the codes of the products whose own row, or a row of whose options, an overlay's change touches. */
export function touchedProducts({ overlayProducts, overlayOptions }: Touched): ReadonlySet<string> {
  const products = overlayProducts.map(({ before, after }) => (after ?? before)?.code)
  const options = overlayOptions.map(({ before, after }) => (after ?? before)?.productCode)
  return new Set([...products, ...options].filter((code) => code !== undefined))
}

type UnsoundLine = {
  /** Code of the option; null: the smallest amount that a customer may choose. */
  readonly optionCode: string | null
  readonly label: string
  readonly price: Amount
  readonly isOnSale: boolean
}

function isKept(former: UnsoundLine, line: UnsoundLine): boolean {
  const isSame = former.optionCode === line.optionCode && former.price === line.price
  return isSame && (former.isOnSale || !line.isOnSale)
}

/** Lists the denominations without a price above 0. Of an amount that is chosen freely, the smallest decides. */
function unsoundLines(product: EffectiveProduct | undefined): readonly UnsoundLine[] {
  const field = product && findPricingField(product.product)
  if (product === undefined || field === undefined || product.wholesale === null) return []
  const { wholesale, adjustment, minAmount, maxAmount, isActive } = product
  if (field.type === 'select') {
    return product.options(field.id).flatMap((each) =>
      each.isActive && each.money !== null && each.money.price <= 0n
        ? [
            {
              optionCode: each.option.code,
              label: each.option.label,
              price: each.money.price,
              isOnSale: isActive,
            },
          ]
        : [],
    )
  }
  const { fields, denominationUnitPrice } = product.product
  const smallest = payableRange({ fields, minAmount, maxAmount }).min ?? 1n
  const lowest = price(smallest, { denominationUnitPrice, wholesale, adjustment }, null)
  const label = `${amountCurrency(product.product)} ${formatMoney(smallest)}`
  return lowest > 0n ? [] : [{ optionCode: null, label, price: lowest, isOnSale: isActive }]
}
