import { assert, fieldErrorsOf, invalidFields } from '../../lib/errors.ts'
import { callingCodeOf } from '../../lib/numbers/calling-codes.ts'
import type { NumberPlan, NumberRange } from '../../lib/numbers/plans.ts'
import type { PlanWire } from './types.ts'

/** Reads plans; throws every mistake that only several parts together make. */
export function plansOf(wires: readonly PlanWire[]): NumberPlan[] {
  const problems = wires.flatMap((wire, index) =>
    problemsOf(wire).map(([at, text]) => [`plans.${index}.${at}`, text] as const),
  )
  const countries = wires.map(({ country }) => country)
  const doubled = countries.findIndex((country, index) => countries.indexOf(country) < index)
  if (doubled >= 0) problems.push([`plans.${doubled}.country`, 'has a plan above already'])
  if (problems.length > 0) throw invalidFields(fieldErrorsOf(problems.slice(0, PROBLEMS_MAX)))
  return wires.map(planOf)
}

const PROBLEMS_MAX = 50

function problemsOf({ country, operators, ranges }: PlanWire): [at: string, text: string][] {
  const problems: [string, string][] = []
  if (callingCodeOf(country) === undefined) problems.push(['country', 'is no country with telephone numbers'])
  const codes = new Set<string>()
  for (const [index, { code }] of operators.entries()) {
    if (codes.has(code)) problems.push([`operators.${index}.code`, 'stands twice'])
    codes.add(code)
  }
  const ofPrefix = new Map<string, PlanWire['ranges'][number][]>()
  for (const [index, range] of ranges.entries()) {
    const at = `ranges.${index}`
    const { prefix, operator, digits_min: min, digits_max: max } = range
    if (max < min || max < prefix.length) problems.push([`${at}.digits_max`, 'is too small'])
    if (operator !== null && !codes.has(operator))
      problems.push([`${at}.operator`, 'is not among the operators'])
    const others = ofPrefix.get(prefix) ?? []
    if (others.some((other) => other.digits_min <= max && min <= other.digits_max)) {
      problems.push([`${at}.prefix`, 'has a range with as many digits above already'])
    }
    ofPrefix.set(prefix, [...others, range])
  }
  return problems
}

function planOf({ country, trunk, source, as_of: asOf, operators, ranges }: PlanWire): NumberPlan {
  const callingCode = callingCodeOf(country)
  assert(callingCode !== undefined, 'a plan that was checked is of a country')
  return { country, callingCode, trunk, source, asOf, operators, ranges: ranges.map(rangeOf) }
}

function rangeOf({
  digits_min: digitsMin,
  digits_max: digitsMax,
  ...range
}: PlanWire['ranges'][number]): NumberRange {
  return { ...range, digitsMin, digitsMax }
}
