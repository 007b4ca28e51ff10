// Factors and percentages are handled as digits: none passes through a floating-point number.

/** 97.25 for the factor 0.9725 */
export function percentOfFactor(factor: string): string {
  const [units, decimals] = unitsOf(factor)
  return decimalText(units * 100n, decimals)
}

const PERCENT = /^\d{1,6}(?:\.\d{1,6})?$/

/** 0.9725 for the typed percentage 97.25; undefined when it cannot be read. */
export function factorOfPercent(percent: string): string | undefined {
  const trimmed = percent.trim()
  if (!PERCENT.test(trimmed)) return undefined
  const [units, decimals] = unitsOf(trimmed)
  return decimalText(units, decimals + 2)
}

/** Digits of a decimal without its point, and how many of them stood behind it. */
export function unitsOf(text: string): readonly [bigint, number] {
  const [whole = '0', fraction = ''] = text.split('.')
  return [BigInt(whole + fraction), fraction.length]
}

/** 1.02 for 102 with two decimals; zeros at the end are left out. */
export function decimalText(units: bigint, decimals: number): string {
  const digits = String(units).padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '')
  return fraction === '' ? whole : `${whole}.${fraction}`
}
