import type { Amount } from '../../../lib/money.ts'
import { LOCAL_CURRENCY, parseMoney } from '../../../lib/money.ts'
import type { Rate } from '../../../lib/rates.ts'
import { formatRate, RATE_ONE } from '../../../lib/rates.ts'
import type { Field, Option, OptionMoney, PriceAdjustment, Product, WholesalePrice } from './types.ts'

export type CostTerms = { readonly denominationUnitPrice: Rate; readonly wholesale: WholesalePrice }
export type Terms = CostTerms & { readonly adjustment: PriceAdjustment | null }

/** Denominations that may be paid, ends included; null: the catalogue sets no limit. */
export type AmountRange = { readonly min: Amount | null; readonly max: Amount | null }

/**
 * Ringgit as an integer of 10^-28. An amount (4 decimals) times up to three rates (8 decimals each) fits
 * without loss, so every result is rounded once, from the exact value.
 */
type Exact = bigint
const EXACT_PER_AMOUNT = 10n ** 24n
const EXACT_PER_RATE = 10n ** 20n

/** Returns the worth of a denomination in ringgit, before any discount. */
export function faceValue(denomination: Amount, denominationUnitPrice: Rate): Amount {
  return roundHalfUp(exactFaceValue(denomination, denominationUnitPrice))
}

/** Returns the amount that the reseller pays. */
export function cost(denomination: Amount, terms: CostTerms): Amount {
  return roundHalfUp(exactCost(denomination, terms))
}

/** Returns the configured retail price, or else the larger of cost and face value. */
export function rrp(denomination: Amount, terms: CostTerms, configured: Amount | null): Amount {
  return configured ?? roundHalfUp(exactRrp(denomination, terms))
}

/**
 * Returns the amount that the reseller's customer pays. A configured retail price is final: the adjustment does
 * not change it.
 */
export function price(denomination: Amount, terms: Terms, configured: Amount | null): Amount {
  return configured ?? roundHalfUp(exactPrice(denomination, terms))
}

export function optionMoney(denomination: Amount, terms: Terms, configured: Amount | null): OptionMoney {
  const money = {
    price: price(denomination, terms, configured),
    cost: cost(denomination, terms),
    rrp: rrp(denomination, terms, configured),
  }
  return { ...money, hasLossRisk: money.price < money.cost }
}

/**
 * Tells whether some amount of a range sells below cost. The margin is linear in the amount: a percentage cost
 * and the face value grow in proportion, and a fixed discount is constant. So the ends of the range decide;
 * without a largest amount, the direction in which the margin grows. Exact values are compared: a margin that
 * is negative by less than the rounding is hidden at the ends, but shows between them.
 */
export function losesWithin(range: AmountRange, terms: Terms): boolean {
  const min = range.min ?? 1n
  if (range.max !== null && range.max < min) return false
  const marginAtMin = exactMargin(min, terms)
  if (marginAtMin < 0n) return true
  return range.max === null ? exactMargin(min + 1n, terms) < marginAtMin : exactMargin(range.max, terms) < 0n
}

/**
 * Tells whether these prices could give something away: cost is zero or less for one of the denominations, or
 * for the smallest amount of a field that takes any. Switched-off options count, because they can be switched
 * on again.
 */
export function costCanBeNonPositive(
  product: Product,
  options: readonly Option[],
  wholesale: WholesalePrice,
): boolean {
  const terms = { denominationUnitPrice: product.denominationUnitPrice, wholesale }
  const field = findPricingField(product)
  if (field === undefined) return false
  if (field.type !== 'select') return cost(payableRange(product).min ?? 1n, terms) <= 0n
  return options.some(
    (option) =>
      option.fieldId === field.id && option.denomination !== null && cost(option.denomination, terms) <= 0n,
  )
}

export function findPricingField(product: Pick<Product, 'fields'>): Field | undefined {
  return product.fields.find((field) => field.role === 'pricing')
}

/** Returns the unit that amounts of the product count: a currency or a virtual unit. */
export function amountCurrency(product: Pick<Product, 'fields' | 'denominationCurrency'>): string {
  return findPricingField(product)?.currency ?? product.denominationCurrency ?? LOCAL_CURRENCY
}

/** Returns the range that the base allows: the product's own limits, or else those of the pricing field. */
export function payableRange(product: Pick<Product, 'fields' | 'minAmount' | 'maxAmount'>): AmountRange {
  const field = findPricingField(product)
  const { min, max } = field === undefined || field.type === 'select' ? {} : field.validation
  return {
    min: product.minAmount ?? amountOf(min),
    max: product.maxAmount ?? amountOf(max),
  }
}

/**
 * Returns the limits that replace the product's own in a reseller's view. A reseller can narrow the base's
 * range but never widen it, because a price is known to be sound only within the base's range.
 */
export function narrowedLimits(product: Product, wanted: AmountRange): AmountRange {
  const base = payableRange(product)
  return {
    min: wanted.min === null ? product.minAmount : larger(wanted.min, base.min ?? wanted.min),
    max: wanted.max === null ? product.maxAmount : smaller(wanted.max, base.max ?? wanted.max),
  }
}

/** Tells whether an option of a pricing field is within the limits of the product, or the account's own. */
export function isWithinLimits(
  { minAmount, maxAmount }: Pick<Product, 'minAmount' | 'maxAmount'>,
  field: Pick<Field, 'role'>,
  { denomination }: Pick<Option, 'denomination'>,
): boolean {
  if (field.role !== 'pricing' || denomination === null) return true
  return (
    (minAmount === null || denomination >= minAmount) && (maxAmount === null || denomination <= maxAmount)
  )
}

/**
 * Writes a discount for people: `1.5%` off for 0.985, `-2%` for a surcharge, `MYR 0.50` off for a fixed
 * discount.
 */
export function discountText({ discountType, unitPrice }: WholesalePrice): string {
  if (discountType === 'percentage') return `${formatRate((RATE_ONE - unitPrice) * 100n)}%`
  const [whole, fraction = ''] = formatRate(magnitude(unitPrice)).split('.')
  return `${LOCAL_CURRENCY} ${whole}.${fraction.padEnd(2, '0')}`
}

/**
 * Converts a JSON number to an amount by its shortest decimal; null when it has more than 4 decimals or is no
 * amount.
 */
export function amountOf(value: number | undefined): Amount | null {
  return value === undefined ? null : (parseMoney(String(value)) ?? null)
}

function exactFaceValue(denomination: Amount, denominationUnitPrice: Rate): Exact {
  return (denomination * denominationUnitPrice * EXACT_PER_AMOUNT) / RATE_ONE
}

function exactCost(denomination: Amount, { denominationUnitPrice, wholesale }: CostTerms): Exact {
  const face = exactFaceValue(denomination, denominationUnitPrice)
  return wholesale.discountType === 'percentage'
    ? (face * wholesale.unitPrice) / RATE_ONE
    : face - magnitude(wholesale.unitPrice) * EXACT_PER_RATE
}

function exactRrp(denomination: Amount, terms: CostTerms): Exact {
  return larger(exactCost(denomination, terms), exactFaceValue(denomination, terms.denominationUnitPrice))
}

function exactPrice(denomination: Amount, terms: Terms): Exact {
  const base = exactRrp(denomination, terms)
  if (terms.adjustment === null) return base
  return terms.adjustment.type === 'percentage'
    ? (base * terms.adjustment.value) / RATE_ONE
    : base + terms.adjustment.value * EXACT_PER_AMOUNT
}

function exactMargin(denomination: Amount, terms: Terms): Exact {
  return exactPrice(denomination, terms) - exactCost(denomination, terms)
}

/** Rounds half a unit up, towards the larger number, also below zero. */
function roundHalfUp(exact: Exact): Amount {
  const shifted = exact + EXACT_PER_AMOUNT / 2n
  const quotient = shifted / EXACT_PER_AMOUNT
  // BigInt division cuts towards zero; below zero the floor is one lower.
  return shifted < 0n && quotient * EXACT_PER_AMOUNT !== shifted ? quotient - 1n : quotient
}

function magnitude(value: bigint): bigint {
  return value < 0n ? -value : value
}

function larger(a: bigint, b: bigint): bigint {
  return a > b ? a : b
}

function smaller(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}
