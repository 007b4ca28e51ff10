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
  const divisor = divisorOf(json, place)
  const [, sign, whole = '', fraction = ''] = DECIMAL.exec(textAt(json, place.path)?.trim() ?? '') ?? []
  if (sign === undefined || divisor === undefined) return undefined
  if (rounding === 'exact' && fraction.length > EXACT_DECIMALS[place.unit]) return undefined
  const scaled = BigInt(whole + fraction.padEnd(DECIMALS_MAX, '0')) * (sign === '-' ? -1n : 1n)
  const amount = quotient(scaled * UNITS_PER_MAJOR, 10n ** BigInt(DECIMALS_MAX) * divisor, rounding)
  return amount !== undefined && isStorable(amount) ? amount : undefined
}

function divisorOf(json: unknown, { unit, divisor }: MoneyPath): bigint | undefined {
  if (divisor === null) return unit === 'major' ? 1n : 100n
  const written = textAt(json, divisor)
  return written !== undefined && DIVISOR.test(written) ? BigInt(written) : undefined
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
