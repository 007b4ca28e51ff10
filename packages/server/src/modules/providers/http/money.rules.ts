import { CURRENCY_CODE } from '../../../lib/input/codes.ts'
import { isStorable } from '../../../lib/money.ts'
import { textAt } from '../language/paths.rules.ts'
import type { CurrencySource, MoneyPath, PricePath } from '../language/types.ts'
import type { CurrencyAmount } from '../port/types.ts'

// Rules that read an amount of money in a supplier's JSON.

/** Treatment of digits below a ten-thousandth. `exact`: an amount with such digits is not read. */
type Rounding = 'exact' | 'down' | 'half_up'

const UNITS_PER_MAJOR = 10_000n
const DECIMALS_MAX = 20
const DECIMAL = /^(-?)(\d{1,17})(?:\.(\d{1,20}))?$/
const EXACT_DECIMALS = { major: 4, minor: 0 } as const
const DIVISOR = /^10{0,9}$/

export function moneyAt(json: unknown, place: MoneyPath, rounding: Rounding = 'exact'): bigint | undefined {
  const divisor = place.divisor === null ? null : (textAt(json, place.divisor) ?? '')
  return amountOf(textAt(json, place.path) ?? '', { unit: place.unit, divisor }, rounding)
}

/** Reads a written amount; `divisor` is the text of a power of ten, or null where the unit says it. */
export function amountOf(
  written: string,
  { unit, divisor }: { readonly unit: MoneyPath['unit']; readonly divisor: string | null },
  rounding: Rounding,
): bigint | undefined {
  const parts = divisorOf(unit, divisor)
  const [, sign, whole = '', fraction = ''] = DECIMAL.exec(written.trim()) ?? []
  if (sign === undefined || parts === undefined) return undefined
  if (rounding === 'exact' && fraction.length > EXACT_DECIMALS[unit]) return undefined
  const scaled = BigInt(whole + fraction.padEnd(DECIMALS_MAX, '0')) * (sign === '-' ? -1n : 1n)
  const amount = quotient(scaled * UNITS_PER_MAJOR, 10n ** BigInt(DECIMALS_MAX) * parts, rounding)
  return amount !== undefined && isStorable(amount) ? amount : undefined
}

function divisorOf(unit: MoneyPath['unit'], written: string | null): bigint | undefined {
  if (written === null) return unit === 'major' ? 1n : 100n
  return DIVISOR.test(written) ? BigInt(written) : undefined
}

const SHARE_DECIMALS = 8
const SHARE = /^(-?)(\d{1,3})(?:\.(\d{1,20}))?$/

/** Takes a share off an amount: a part of one, or of a hundred. undefined: that is no share. */
export function lessShare(amount: bigint, written: string, of: 1 | 100): bigint | undefined {
  const [, sign, whole = '', fraction = ''] = SHARE.exec(written.trim()) ?? []
  const one = BigInt(of) * 10n ** BigInt(SHARE_DECIMALS)
  const size = BigInt(whole + fraction.slice(0, SHARE_DECIMALS).padEnd(SHARE_DECIMALS, '0'))
  if (sign === undefined || size > one) return undefined
  return quotient(amount * (one - (sign === '-' ? -size : size)), one, 'half_up')
}

function quotient(value: bigint, divisor: bigint, rounding: Rounding): bigint | undefined {
  const raised = rounding === 'half_up' ? value + divisor / 2n : value
  const rest = ((raised % divisor) + divisor) % divisor
  if (rounding === 'exact' && rest !== 0n) return undefined
  return (raised - rest) / divisor
}

/** Returns the currency that is known, or that the answer names; undefined when it names none. */
export function currencyAt(json: unknown, source: CurrencySource | null, usual: string): string | undefined {
  if (source === null) return usual
  if ('code' in source) return source.code
  const named = textAt(json, source.path)?.trim().toUpperCase() ?? ''
  return CURRENCY_CODE.read(named)
}

/** Reads what we paid, rounded half up; undefined where the answer does not say it. */
export function priceAt(json: unknown, place: PricePath | null, usual: string): CurrencyAmount | undefined {
  if (place === null) return undefined
  const amount = moneyAt(json, place, 'half_up')
  const currency = currencyAt(json, place.currency, usual)
  return amount === undefined || amount < 0n || currency === undefined ? undefined : { amount, currency }
}
