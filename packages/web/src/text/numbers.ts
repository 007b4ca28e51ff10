/** 1,284,331. Works on the digits of the text, so that no figure is rounded on the way. */
export function grouped(digits: string): string {
  return digits.replace(/\B(?=(\d{3})+(?!\d))/g, ',')
}

export function countText(count: number): string {
  return grouped(String(Math.round(count)))
}

type MoneyParts = {
  readonly sign: '' | '−'
  /** Whole units with separators, and the sen: 18,462.35 */
  readonly main: string
  /** Digits beyond the sen, shown paler; zeros at the end are left out. */
  readonly beyond: string
}

/** Cuts an amount of the API, such as "-482.5750", into the parts that are shown. It computes nothing. */
export function moneyParts(amount: string): MoneyParts {
  const [, minus = '', whole = '0', fraction] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(amount) ?? ['', '', amount]
  if (fraction === undefined) return { sign: minus === '' ? '' : '−', main: grouped(whole), beyond: '' }
  return {
    sign: minus === '' ? '' : '−',
    main: `${grouped(whole)}.${fraction.slice(0, 2).padEnd(2, '0')}`,
    beyond: fraction.slice(2).replace(/0+$/, ''),
  }
}

/** MYR 18,462.35, for sentences and labels. */
export function moneyText(amount: string, currency: string): string {
  const { sign, main, beyond } = moneyParts(amount)
  return `${currency} ${sign}${main}${beyond}`
}

/** 97.3 for 0.9732 */
export function percentText(rate: number, digits = 1): string {
  return (rate * 100).toFixed(digits)
}

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

const MONEY_DECIMALS = 4

function moneyUnits(amount: string): bigint {
  const isNegative = amount.startsWith('-')
  const [units, decimals] = unitsOf(isNegative ? amount.slice(1) : amount)
  const scaled = units * 10n ** BigInt(MONEY_DECIMALS - decimals)
  return isNegative ? -scaled : scaled
}

/** Exact sum of amounts of the API, such as "-1.5000" and "10.00", with the sen at least. */
export function sumText(amounts: readonly string[]): string {
  const sum = amounts.reduce((total, each) => total + moneyUnits(each), 0n)
  const [whole, fraction = ''] = decimalText(sum < 0n ? -sum : sum, MONEY_DECIMALS).split('.')
  return `${sum < 0n ? '-' : ''}${whole}.${fraction.padEnd(2, '0')}`
}
