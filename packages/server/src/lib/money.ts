import type { Rule } from './input/fields.ts'
import { textRule } from './input/fields.ts'

/** Money as a bigint of 1/10,000 ringgit; no floats take part in arithmetic. */
export type Amount = bigint

/** Currency of wallets, face values, costs and prices; denominations may be in another unit. */
export const LOCAL_CURRENCY = 'MYR'

export const UNITS_PER_RINGGIT = 10_000n
const DECIMALS = 4

const PLAIN_DECIMAL = /^(\d{1,15})(?:\.(\d{1,4}))?$/

/** Largest amount that a column of the database holds: about 922 million million ringgit. */
export const STORABLE_MAX: Amount = 2n ** 63n - 1n

/**
 * Reads a plain decimal: no sign, no exponent, no spaces, at most 4 decimals. undefined when it is not one, or more than
 * the database holds.
 */
export function parseMoney(text: string): bigint | undefined {
  const match = PLAIN_DECIMAL.exec(text)
  if (match === null) return undefined
  const [, whole = '', fraction = ''] = match
  const amount = BigInt(whole + fraction.padEnd(DECIMALS, '0'))
  return amount > STORABLE_MAX ? undefined : amount
}

/** Pattern of the text that `parseMoney` reads. */
export const MONEY_PATTERN = PLAIN_DECIMAL.source

/** Rule for an amount of money as text. */
export const MONEY: Rule<Amount> = textRule({
  message: 'must be a plain decimal with up to 4 decimals, such as 10.00',
  schema: { pattern: MONEY_PATTERN },
  parse: parseMoney,
})

/**
 * Limit of an amount that a person enters, a thousand million ringgit: larger numbers are not safe in JSON and not
 * readable for people.
 */
export const AMOUNT_MAX: Amount = 1_000_000_000n * UNITS_PER_RINGGIT

/** Tells whether an amount is one that a person may enter: greater than 0, and within the limit. */
export function isEnterable(amount: Amount): boolean {
  return amount > 0n && amount <= AMOUNT_MAX
}

/** Tells whether a column of the database can hold an amount that was not read here. */
export function isStorable(amount: Amount): boolean {
  return amount >= -STORABLE_MAX && amount <= STORABLE_MAX
}

/** Formats with at least two and at most four decimals: `10.00`, `0.125`, `-3.5001`. */
export function formatMoney(units: bigint): string {
  const sign = units < 0n ? '-' : ''
  const absolute = units < 0n ? -units : units
  const fraction = (absolute % UNITS_PER_RINGGIT)
    .toString()
    .padStart(DECIMALS, '0')
    .replace(/0{1,2}$/, '')
  return `${sign}${absolute / UNITS_PER_RINGGIT}.${fraction}`
}

const UNITS_PER_RINGGIT_NUMBER = Number(UNITS_PER_RINGGIT)

/**
 * Returns the JSON number nearest to the amount: exact up to 9 × 10^11 ringgit, far beyond any wallet. Both sides of
 * the division are exact there, and IEEE division rounds once, to the number that reading the decimal would give.
 */
export function moneyToNumber(units: bigint): number {
  return Number(units) / UNITS_PER_RINGGIT_NUMBER
}
