import { countriesOf } from '../../lib/numbers/calling-codes.ts'
import type { NumberOperator, NumberPlans } from '../../lib/numbers/plans.ts'
import { findCountry, listReadings, readNumber } from '../../lib/numbers/read.ts'
import { findTypedAccountField } from '../catalog/model/accounts.rules.ts'
import type { EffectiveProduct, Field } from '../catalog/model/types.ts'
import type { KnownNumber, NumberLookup, OperatorDifference, Sign } from './types.ts'

/** Product whose account is a telephone number. */
export type NumberProduct = Pick<EffectiveProduct, 'product' | 'displayOrder'> & { readonly field: Field }

/** Lists the products of the catalogue that are for telephone numbers. */
export function numberProductsOf(products: Iterable<EffectiveProduct>): NumberProduct[] {
  return [...products].flatMap(({ product, displayOrder, isActive }) => {
    const field = isActive && !product.isHidden ? findTypedAccountField(product) : undefined
    return field?.numberKind === undefined ? [] : [{ product, displayOrder, field }]
  })
}

/**
 * Reads a number without knowing what it is for: as one of the countries in which the caller sells, mobile numbers first,
 * then as one of any country. undefined: it is none, or it could be several.
 */
export function readAnyNumber(
  text: string,
  plans: NumberPlans,
  countries: readonly string[],
): string | undefined {
  for (const kind of ['mobile', undefined] as const) {
    const found = new Set(countries.flatMap((country) => readNumber(text, plans, { country, kind }) ?? []))
    if (found.size > 0) return onlyOne([...found])
  }
  return onlyOne(listReadings(text, plans))
}

function onlyOne(numbers: readonly string[]): string | undefined {
  return numbers.length === 1 ? numbers[0] : undefined
}

/** Says what the plans know about a canonical number. */
export function knownNumber(number: string, plans: NumberPlans): KnownNumber {
  const found = findCountry(number, plans)
  const range = found?.numbers.findRange(found.national)
  const countries = found === undefined ? countriesOf(number) : [found.numbers.country]
  return {
    number,
    country: onlyOne(countries) ?? null,
    kind: range?.kind ?? 'unknown',
    prefixOperator: range?.operator == null ? undefined : found?.numbers.findOperator(range.operator),
  }
}

/** The later of two certain signs counts; without one, the prefix is a guess. */
export function judgeOperator(
  { prefixOperator }: Pick<KnownNumber, 'prefixOperator'>,
  signs: readonly (Sign | undefined)[],
): Pick<NumberLookup, 'operator' | 'source'> {
  const [latest] = signs
    .filter((each) => each !== undefined)
    .toSorted((a, b) => b.at.getTime() - a.at.getTime())
  if (latest !== undefined) return { operator: latest.operator, source: latest.source }
  return { operator: prefixOperator ?? null, source: prefixOperator === undefined ? null : 'prefix' }
}

/** Lists the codes of the products for the number, the operator's own first, in the plan's order. */
export function productsFor(
  { country, kind }: KnownNumber,
  operatorProducts: readonly string[],
  products: readonly NumberProduct[],
): string[] {
  const wanted = kind === 'fixed' ? 'fixed' : 'mobile'
  const placeOf = (code: string) => {
    const place = operatorProducts.indexOf(code)
    return place < 0 ? operatorProducts.length : place
  }
  return products
    .filter(({ field }) => field.numberKind === wanted && field.numberCountry === country)
    .toSorted((a, b) => placeOf(a.product.code) - placeOf(b.product.code) || a.displayOrder - b.displayOrder)
    .map(({ product }) => product.code)
}

/** Words of a name: `U Mobile (Malaysia)` and `U-Mobile Malaysia` begin alike. */
function wordsOf(name: string): string {
  return ` ${name
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `
}

/** Finds the operator that a supplier names, which may add words behind the name; the longest name that fits counts. */
export function operatorCalled(
  text: string,
  operators: readonly NumberOperator[],
): NumberOperator | undefined {
  const told = wordsOf(text)
  const fitting = operators.flatMap((operator) => {
    const names = [operator.code, operator.name, ...(operator.aliases ?? [])].map(wordsOf)
    const length = Math.max(0, ...names.filter((name) => told.startsWith(name)).map((name) => name.length))
    return length > 2 ? [{ operator, length }] : []
  })
  return fitting.toSorted((a, b) => b.length - a.length)[0]?.operator
}

/** Compares the operator of a number with that whose products a product is among. */
export function differenceOf(
  { operator, source }: Pick<NumberLookup, 'operator' | 'source'>,
  productCode: string,
  operators: readonly NumberOperator[],
): OperatorDifference | undefined {
  const sellers = operators.filter(({ products }) => products.includes(productCode))
  const [product] = sellers
  if (operator === null || product === undefined) return undefined
  if (sellers.some(({ code }) => code === operator.code)) return undefined
  return { number: operator, product, isCertain: source !== 'prefix' }
}
