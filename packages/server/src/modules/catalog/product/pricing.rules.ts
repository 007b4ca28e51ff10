import type { Amount } from '../../../lib/money.ts'
import { parseMoney } from '../../../lib/money.ts'
import type { Rate } from '../../../lib/rates.ts'
import { formatRate, RATE_ONE } from '../../../lib/rates.ts'
import type { Field, Option, OptionMoney, PriceAdjustment, Product, WholesalePrice } from './types.ts'

/** The currency of face values, costs and prices; denominations may count something else. */
export const LOCAL_CURRENCY = 'MYR'

export type CostTerms = { readonly denominationUnitPrice: Rate; readonly wholesale: WholesalePrice }
export type Terms = CostTerms & { readonly adjustment: PriceAdjustment | null }

/** Denominations that may be paid, ends included; null: no limit of ours. */
export type AmountRange = { readonly min: Amount | null; readonly max: Amount | null }

/**
 * Ringgit as an integer of 10^-28: an amount (4 decimals) times up to three rates (8 decimals each) fits
 * without loss, so that every result is rounded once, from the exact value, and never from a rounded one.
 */
type Exact = bigint
const EXACT_PER_AMOUNT = 10n ** 24n
const EXACT_PER_RATE = 10n ** 20n

/** What a denomination is worth in ringgit, before any discount. */
export function faceValue(denomination: Amount, denominationUnitPrice: Rate): Amount {
  return roundHalfUp(exactFace(denomination, denominationUnitPrice))
}

/** What the reseller pays. */
export function cost(denomination: Amount, terms: CostTerms): Amount {
  return roundHalfUp(exactCost(denomination, terms))
}

/** The configured retail price where there is one, else the larger of cost and face value. */
export function rrp(denomination: Amount, terms: CostTerms, configured: Amount | null): Amount {
  return configured ?? roundHalfUp(exactRrp(denomination, terms))
}

/** What the reseller's customer pays. A configured retail price is final: the adjustment leaves it alone. */
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
 * Whether some amount of a range sells below cost. The margin is linear in the amount (a percentage cost and
 * the face value grow in proportion, a fixed discount keeps its distance), so the ends decide, and without a
 * largest amount the direction in which the margin grows. Exact values are compared: a margin that is
 * negative by less than the rounding hides at the ends and shows somewhere between them.
 */
export function losesWithin(range: AmountRange, terms: Terms): boolean {
  const min = range.min ?? 1n
  if (range.max !== null && range.max < min) return false
  const marginAtMin = exactMargin(min, terms)
  if (marginAtMin < 0n) return true
  return range.max === null ? exactMargin(min + 1n, terms) < marginAtMin : exactMargin(range.max, terms) < 0n
}

/**
 * Whether these prices could ever give something away: cost is zero or less for one of the denominations, or
 * for the smallest amount of a field that takes any. Switched-off options count, since they can come back.
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

/** What the base allows: the product's own limits, else those of the field that takes the amount. */
export function payableRange(product: Pick<Product, 'fields' | 'minAmount' | 'maxAmount'>): AmountRange {
  const field = findPricingField(product)
  const { min, max } = field === undefined || field.type === 'select' ? {} : field.validation
  return {
    min: product.minAmount ?? amountOf(min),
    max: product.maxAmount ?? amountOf(max),
  }
}

/**
 * The limits that replace the product's own in a reseller's view: a reseller narrows what the base allows and
 * never widens it, since a price is only known to be sound within the base's range.
 */
export function narrowedLimits(product: Product, wanted: AmountRange): AmountRange {
  const base = payableRange(product)
  return {
    min: wanted.min === null ? product.minAmount : larger(wanted.min, base.min ?? wanted.min),
    max: wanted.max === null ? product.maxAmount : smaller(wanted.max, base.max ?? wanted.max),
  }
}

/** Whether the limits of the product, or the account's own, let an option of a pricing field be paid for. */
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

/** For people: `1.5%` off for 0.985, `-2%` for a surcharge, `MYR 0.50` off for a fixed discount. */
export function discountText({ discountType, unitPrice }: WholesalePrice): string {
  if (discountType === 'percentage') return `${formatRate((RATE_ONE - unitPrice) * 100n)}%`
  const [whole, fraction = ''] = formatRate(magnitude(unitPrice)).split('.')
  return `${LOCAL_CURRENCY} ${whole}.${fraction.padEnd(2, '0')}`
}

/** A JSON number as an amount, by its shortest decimal; null when it is none of at most 4 decimals. */
export function amountOf(value: number | undefined): Amount | null {
  return value === undefined ? null : (parseMoney(String(value)) ?? null)
}

function exactFace(denomination: Amount, denominationUnitPrice: Rate): Exact {
  return (denomination * denominationUnitPrice * EXACT_PER_AMOUNT) / RATE_ONE
}

function exactCost(denomination: Amount, { denominationUnitPrice, wholesale }: CostTerms): Exact {
  const face = exactFace(denomination, denominationUnitPrice)
  return wholesale.discountType === 'percentage'
    ? (face * wholesale.unitPrice) / RATE_ONE
    : face - magnitude(wholesale.unitPrice) * EXACT_PER_RATE
}

function exactRrp(denomination: Amount, terms: CostTerms): Exact {
  return larger(exactCost(denomination, terms), exactFace(denomination, terms.denominationUnitPrice))
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

/** Half a unit goes up, towards the larger number, also below zero. */
function roundHalfUp(exact: Exact): Amount {
  const shifted = exact + EXACT_PER_AMOUNT / 2n
  const quotient = shifted / EXACT_PER_AMOUNT
  // BigInt division cuts towards zero; below zero the floor is one further down.
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
