import type { Amount } from '../../../lib/money.ts'
import { findPricingField } from '../../catalog/model/pricing.rules.ts'
import type { EffectiveProduct } from '../../catalog/model/types.ts'
import type { DynamicOption } from '../../providers/port/types.ts'
import { invalidDenomination, REJECTIONS } from '../core/rejections.rules.ts'
import type { Rejection } from '../core/types.ts'

/** Option of a pricing field that is on sale to the account. */
export type Plan = { readonly code: string; readonly denomination: Amount | null }

/**
 * Lists the options of the product's pricing field; undefined where the amount is typed in. It does not matter whether
 * the product's own form sends the code: a code that is sent must be right wherever codes exist.
 */
export function listPlans(
  product: EffectiveProduct,
  dynamicOptions: readonly DynamicOption[] | undefined,
): readonly Plan[] | undefined {
  const field = findPricingField(product.product)
  if (field?.type !== 'select') return undefined
  if (field.dataSource?.type === 'dynamic') return dynamicOptions ?? []
  const known = staticPlans.get(product)
  if (known !== undefined) return known
  const plans = product
    .options(field.id)
    .filter((each) => each.isActive)
    .map((each) => each.option)
  staticPlans.set(product, plans)
  return plans
}

/** Plans of products in snapshots. A snapshot never changes, so the plans are listed once, not for every payment. */
const staticPlans = new WeakMap<EffectiveProduct, readonly Plan[]>()

/**
 * Tells whether several plans have the amount, also plans that the reseller has switched off. The stock knows items by
 * product and amount alone, so it cannot tell such plans apart.
 */
export function isSharedAmount(
  product: EffectiveProduct,
  amount: Amount,
  dynamicOptions: readonly DynamicOption[] | undefined,
): boolean {
  const field = findPricingField(product.product)
  if (field?.type !== 'select') return false
  if (field.dataSource?.type === 'dynamic') return repeatedAmounts(dynamicOptions ?? []).has(amount)
  const known = sharedAmounts.get(product)
  if (known !== undefined) return known.has(amount)
  const options = product.options(field.id).map(({ option }) => option)
  const shared = repeatedAmounts(options.filter(({ isActive }) => isActive))
  sharedAmounts.set(product, shared)
  return shared.has(amount)
}

/** Amounts of several plans, by product of a snapshot. */
const sharedAmounts = new WeakMap<EffectiveProduct, ReadonlySet<Amount | null>>()

function repeatedAmounts(plans: readonly Plan[]): ReadonlySet<Amount | null> {
  const codes = new Map<Amount | null, string>()
  const repeated = new Set<Amount | null>()
  for (const { code, denomination } of plans) {
    if ((codes.get(denomination) ?? code) !== code) repeated.add(denomination)
    codes.set(denomination, code)
  }
  return repeated
}

export type PlanChoice =
  | { readonly kind: 'chosen'; readonly plan: Plan }
  | { readonly kind: 'rejected'; readonly rejection: Rejection }

/**
 * Finds the plan that a code and an amount name together. A code that was sent decides alone, even where no plan has
 * the amount: the contract answers every wrong code with 44. "Does not match the amount" tells a caller who named a
 * plan more than "no such denomination" (58), which is for amounts without a code.
 */
export function resolvePlan(plans: readonly Plan[], code: string | null, amount: Amount): PlanChoice {
  const named = code === null ? plans : plans.filter((plan) => plan.code === code)
  if (code !== null && named.length === 0) return rejected(REJECTIONS.planCodeUnknown)
  const [plan, ...others] = named.filter(({ denomination }) => denomination === amount)
  if (plan === undefined) {
    return rejected(code === null ? NO_SUCH_DENOMINATION : REJECTIONS.planCodeMismatch)
  }
  return code === null && others.length > 0 ? rejected(REJECTIONS.planCodeNeeded) : { kind: 'chosen', plan }
}

const NO_SUCH_DENOMINATION = invalidDenomination('The product has no denomination of this amount.')

function rejected(rejection: Rejection): PlanChoice {
  return { kind: 'rejected', rejection }
}
