import { RATE_ONE } from '../../../lib/rates.ts'
import { KIND_TRAITS } from '../model/kinds.rules.ts'
import { findPricingField } from '../model/pricing.rules.ts'
import type { EffectiveProduct } from '../model/types.ts'
import { listOptions } from '../model/visibility.rules.ts'

/** Parts of release 2026-09-16 that a product keeps in the form before it. */
export type KeptParts = {
  /** `denomination` on the options, and the mapping of the amount to it. */
  readonly denomination: boolean
  /** Mapping of extras.subproduct_code. */
  readonly planCode: boolean
}

// A product of a snapshot never changes and has many options, so it is judged once.
const known = new WeakMap<EffectiveProduct, KeptParts>()

/**
 * Returns the parts of the newer form that a product keeps. The older form sends an option's price as the
 * amount, without a plan code. A product keeps each part without which that would buy another option than the
 * chosen one.
 */
export function keptInOlderForm(product: EffectiveProduct): KeptParts {
  const found = known.get(product)
  if (found !== undefined) return found
  const needed = neededParts(product)
  const kept = { ...needed, planCode: needed.planCode || KIND_TRAITS[product.product.kind].namesPlan }
  known.set(product, kept)
  return kept
}

function neededParts(product: EffectiveProduct): KeptParts {
  const field = findPricingField(product.product)
  if (field?.type !== 'select') return { denomination: false, planCode: false }
  // Dynamic options are not known here, so equal denominations cannot be excluded.
  if (field.dataSource?.type === 'dynamic') {
    return { denomination: !isAlwaysPricedAtDenomination(product), planCode: true }
  }
  const options = listOptions(product, field.id)
  const denominations = new Set(options.map(({ option }) => option.denomination))
  return {
    denomination: options.some(({ option, money }) => money?.price !== option.denomination),
    planCode: denominations.size < options.length,
  }
}

/** Tells whether every denomination is its own price, rounding included. */
function isAlwaysPricedAtDenomination({ product, wholesale, adjustment }: EffectiveProduct): boolean {
  if (wholesale === null || product.denominationUnitPrice !== RATE_ONE) return false
  // A cost above the face value becomes the price.
  const isCostAboveFace = wholesale.discountType === 'percentage' && wholesale.unitPrice > RATE_ONE
  if (isCostAboveFace) return false
  if (adjustment === null) return true
  return adjustment.type === 'percentage' ? adjustment.value === RATE_ONE : adjustment.value === 0n
}
