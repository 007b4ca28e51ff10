import type { Amount } from '../../lib/money.ts'
import { formatMoney, UNITS_PER_RINGGIT } from '../../lib/money.ts'
import { RATE_ONE } from '../../lib/rates.ts'
import { findPricingField, payableRange } from '../catalog/model/pricing.rules.ts'
import type { Option, Product } from '../catalog/model/types.ts'
import type { KnownCost } from './costs.rules.ts'
import { PERCENTAGE_ONE } from './costs.rules.ts'

// Amounts at which prices and supplier costs are compared.

type Sample = { readonly key: string; readonly denomination: Amount }

/** Ends of the range when nothing limits the amount. */
const USUAL_MIN: Amount = UNITS_PER_RINGGIT
const USUAL_MAX: Amount = 10_000n * UNITS_PER_RINGGIT

/**
 * Returns each option. A product that takes any amount gives the ends of its range, which decide because prices
 * and costs are linear in the amount, and the amounts at which another route becomes the cheapest.
 */
export function samplesOf(
  product: Product,
  options: readonly Option[],
  costs: readonly KnownCost[],
): Sample[] {
  const field = findPricingField(product)
  if (field === undefined) return []
  if (field.type === 'select') {
    return options.flatMap(({ fieldId, code, denomination }) =>
      fieldId === field.id && denomination !== null ? [{ key: code, denomination }] : [],
    )
  }
  const range = payableRange(product)
  const min = range.min ?? (range.max !== null && range.max < USUAL_MIN ? range.max : USUAL_MIN)
  const max = range.max ?? (min > USUAL_MAX ? min : USUAL_MAX)
  const amounts = new Set([min, max])
  for (const amount of crossings(product, costs)) if (amount > min && amount < max) amounts.add(amount)
  return [...amounts].map((denomination) => ({ key: formatMoney(denomination), denomination }))
}

function crossings({ denominationUnitPrice }: Product, costs: readonly KnownCost[]): Amount[] {
  const fixed = costs.flatMap(({ cost }) => (cost.kind === 'fixed' ? [cost.value] : []))
  const shares = costs.flatMap(({ cost }) =>
    cost.kind === 'percentage' && cost.value > 0n ? [cost.value] : [],
  )
  return fixed.flatMap((amount) =>
    shares.flatMap((share) => {
      const faceValue = (amount * PERCENTAGE_ONE) / share
      const denomination = denominationUnitPrice > 0n ? (faceValue * RATE_ONE) / denominationUnitPrice : 0n
      return [denomination, denomination + 1n]
    }),
  )
}
