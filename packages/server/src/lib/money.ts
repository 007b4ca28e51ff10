/** Money as a bigint of 1/10,000 ringgit; no floats take part in arithmetic. */
export type Amount = bigint

export const UNITS_PER_RINGGIT = 10_000n
const DECIMALS = 4

const PLAIN_DECIMAL = /^(\d{1,15})(?:\.(\d{1,4}))?$/

/** Schema of the text that `parseMoney` reads, for the API documents. */
export const MONEY_SCHEMA = { type: 'string', pattern: PLAIN_DECIMAL.source } as const

/** Reads a plain decimal: no sign, no exponent, no spaces, at most 4 decimals. undefined when it is not one. */
export function parseMoney(text: string): bigint | undefined {
  const match = PLAIN_DECIMAL.exec(text)
  if (match === null) return undefined
  const [, whole = '', fraction = ''] = match
  return BigInt(whole + fraction.padEnd(DECIMALS, '0'))
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
