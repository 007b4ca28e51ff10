import type { Amount } from '../../../lib/money.ts'
import { UNITS_PER_RINGGIT } from '../../../lib/money.ts'
import { findPricingField, optionMoney, payableRange } from '../model/pricing.rules.ts'
import type { EffectiveProduct } from '../model/types.ts'

/** Cost of one denomination for the account, and the price for its customer. */
export type PriceLine = {
  /** Code of the option; null: an amount that the customer chooses. */
  readonly optionCode: string | null
  readonly label: string
  readonly denomination: Amount
  readonly cost: Amount
  readonly price: Amount
  readonly rrp: Amount
  readonly margin: Amount
  readonly hasLossRisk: boolean
  readonly isActive: boolean
}

/** Sample amounts, used when the product has no limits. */
const USUAL: readonly Amount[] = [10n, 50n, 100n].map((ringgit) => ringgit * UNITS_PER_RINGGIT)

/**
 * Lists each denomination, or the ends of the range for a field that takes any amount; empty when the account
 * has no price.
 */
export function priceLines(product: EffectiveProduct): readonly PriceLine[] {
  const field = findPricingField(product.product)
  if (field === undefined || product.wholesale === null) return []
  if (field.type !== 'select') return amountLines(product)
  return product.options(field.id).flatMap(({ option, isActive, money }) =>
    money === null || option.denomination === null
      ? []
      : [
          {
            optionCode: option.code,
            label: option.label,
            denomination: option.denomination,
            ...money,
            margin: money.price - money.cost,
            isActive,
          },
        ],
  )
}

function amountLines({ product, wholesale, adjustment, minAmount, maxAmount, isActive }: EffectiveProduct) {
  if (wholesale === null) return []
  const terms = { denominationUnitPrice: product.denominationUnitPrice, wholesale, adjustment }
  return samples(payableRange({ fields: product.fields, minAmount, maxAmount })).map((denomination) => {
    const money = optionMoney(denomination, terms, null)
    return {
      optionCode: null,
      label: '',
      denomination,
      ...money,
      margin: money.price - money.cost,
      isActive,
    }
  })
}

function samples({ min, max }: { min: Amount | null; max: Amount | null }): readonly Amount[] {
  const within = (amount: Amount) => (min === null || amount >= min) && (max === null || amount <= max)
  const ends = [min, max].filter((each) => each !== null)
  const all = new Set([...ends, ...USUAL.filter(within)])
  return [...all].sort((a, b) => (a < b ? -1 : 1))
}
