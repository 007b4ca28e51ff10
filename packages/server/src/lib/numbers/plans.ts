import { callingCodeOf } from './calling-codes.ts'

// Plans of prefixes: which numbers a country has, and which operator got them first.

export const NUMBER_KINDS = ['mobile', 'fixed'] as const
export type NumberKind = (typeof NUMBER_KINDS)[number]

/** Numbers that begin alike. The longest prefix decides. */
export type NumberRange = {
  /** First digits of the number within its country, without the digit that is dialled before it there. */
  readonly prefix: string
  readonly kind: NumberKind
  /** Digits of the whole number within its country, prefix included. */
  readonly digitsMin: number
  readonly digitsMax: number
  /** Code of the operator that got the numbers. Numbers are ported, so this is a guess. null: not known. */
  readonly operator: string | null
}

export type NumberOperator = {
  readonly code: string
  readonly name: string
  /** Further names by which suppliers know it. */
  readonly aliases?: readonly string[]
  /** Codes of the products that top up this operator's numbers. */
  readonly products: readonly string[]
}

export type NumberPlan = {
  /** ISO 3166, two letters. */
  readonly country: string
  readonly callingCode: string
  /** Digit that callers within the country dial first, and callers from abroad do not; '' where there is none. */
  readonly trunk: string
  /** Source of the plan, and the day on which it was true. */
  readonly source: string
  readonly asOf: string
  readonly operators: readonly NumberOperator[]
  readonly ranges: readonly NumberRange[]
}

/** Plan prepared for looking numbers up. */
export type CountryNumbers = Pick<NumberPlan, 'country' | 'callingCode' | 'trunk' | 'operators'> & {
  /** Finds the range of a number by its digits within the country; undefined: the plan does not know it. */
  findRange(national: string): NumberRange | undefined
  findOperator(code: string): NumberOperator | undefined
}

/** Plans by country. */
export type NumberPlans = ReadonlyMap<string, CountryNumbers>

/** Plans as they are now. */
export type LivePlans = { readonly current: NumberPlans }

export function compilePlans(plans: readonly NumberPlan[]): NumberPlans {
  return new Map(plans.map((plan) => [plan.country, compile(plan)]))
}

function compile({ country, callingCode, trunk, operators, ranges }: NumberPlan): CountryNumbers {
  const byPrefix = new Map<string, readonly NumberRange[]>()
  for (const range of ranges) byPrefix.set(range.prefix, [...(byPrefix.get(range.prefix) ?? []), range])
  const longest = Math.max(0, ...ranges.map(({ prefix }) => prefix.length))
  const byCode = new Map(operators.map((operator) => [operator.code, operator]))
  return {
    country,
    callingCode,
    trunk,
    operators,
    findOperator: (code) => byCode.get(code),
    findRange(national) {
      for (let length = Math.min(longest, national.length); length > 0; length--) {
        const found = byPrefix
          .get(national.slice(0, length))
          ?.find(({ digitsMin, digitsMax }) => national.length >= digitsMin && national.length <= digitsMax)
        if (found !== undefined) return found
      }
      return undefined
    },
  }
}

/** Returns a country's numbers; without a plan of its own, only its calling code is known. */
export function numbersOf(plans: NumberPlans, country: string): CountryNumbers | undefined {
  const known = plans.get(country)
  if (known !== undefined) return known
  const callingCode = callingCodeOf(country)
  return callingCode === undefined ? undefined : { country, callingCode, trunk: '', ...NOTHING_KNOWN }
}

const NOTHING_KNOWN = { operators: [], findRange: () => undefined, findOperator: () => undefined }
