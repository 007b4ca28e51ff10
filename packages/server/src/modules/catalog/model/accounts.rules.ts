import { KNOWN_NUMBERS } from '../../../lib/numbers/known-plans.ts'
import type { NumberPlans } from '../../../lib/numbers/plans.ts'
import { listReadings, readNumber } from '../../../lib/numbers/read.ts'
import type { Field, Product } from './types.ts'

// Rules that know which account a payment is for, however it was written.

/**
 * Finds the field in which the account is typed. Where the account is part of a chosen option, the rules of the field
 * apply to the choice.
 */
export function findTypedAccountField({ fields, fulfillment }: Product): Field | undefined {
  const field = fields.find((each) => each.id === fulfillment.account?.fromField)
  return field?.type === 'select' ? undefined : field
}

/** Reads the telephone number that a field takes; undefined: it takes none, or this is none. */
export function numberIn(
  { numberKind, numberCountry }: Field,
  account: string,
  plans: NumberPlans = KNOWN_NUMBERS,
): string | undefined {
  if (numberKind === undefined || numberCountry === undefined) return undefined
  return readNumber(account, plans, { country: numberCountry, kind: numberKind })
}

/** Returns the canonical number of an account; the account itself where it has none. */
export function canonicalAccount(product: Product | undefined, account: string, plans?: NumberPlans): string {
  const field = product && findTypedAccountField(product)
  return (field && numberIn(field, account, plans)) ?? account
}

/** Lists the customers whom a text may mean: the account as it stands, and the numbers that it spells. */
export function customersOf(text: string, plans: NumberPlans = KNOWN_NUMBERS): readonly string[] {
  return [...new Set([text, ...listReadings(text, plans)])]
}
