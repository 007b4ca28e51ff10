import { decimalText, moneyParts, unitsOf } from '../../text/numbers.ts'

/** Adjustment as the API takes it: ringgit that are added, or a factor. */
export type Adjustment = { readonly type: 'fixed' | 'percentage'; readonly value: string }

/** Adjustment as a person types it: +0.50, or +2 for two per cent. */
export type TypedAdjustment = { readonly type: Adjustment['type']; readonly text: string }

const TYPED = /^([+\-−]?)(\d{1,6})(?:\.(\d{1,6}))?$/
const FIXED_DECIMALS_MAX = 4

/**
 * Reads a typed adjustment. Null: nothing is adjusted. Undefined: it cannot be read.
 * It works on the digits: a factor never passes through a floating-point number.
 */
export function readAdjustment({ type, text }: TypedAdjustment): Adjustment | null | undefined {
  const trimmed = text.trim()
  if (trimmed === '') return null
  const [found, sign = '', whole = '', fraction = ''] = TYPED.exec(trimmed) ?? []
  if (found === undefined) return undefined
  const isNegative = sign !== '' && sign !== '+'
  if (/^0*$/.test(whole + fraction)) return null
  if (type === 'fixed') {
    if (fraction.length > FIXED_DECIMALS_MAX) return undefined
    const minus = isNegative ? '-' : ''
    return { type, value: `${minus}${BigInt(whole)}.${fraction.padEnd(2, '0')}` }
  }
  const decimals = fraction.length + 2
  const change = BigInt(whole + fraction)
  const factor = 10n ** BigInt(decimals) + (isNegative ? -change : change)
  if (factor <= 0n) return undefined
  return { type, value: decimalText(factor, decimals) }
}

/** Shows an adjustment of the API as a person types it. */
export function typedAdjustment(adjustment: Adjustment | null): TypedAdjustment {
  if (adjustment === null) return { type: 'fixed', text: '' }
  const { type, value } = adjustment
  if (type === 'fixed') {
    const { sign, main, beyond } = moneyParts(value)
    return { type, text: `${sign === '' ? '+' : '-'}${main.replaceAll(',', '')}${beyond}` }
  }
  const [units, decimals] = unitsOf(value)
  const change = units - 10n ** BigInt(decimals)
  const size = change < 0n ? -change : change
  return { type, text: `${change < 0n ? '-' : '+'}${decimalText(size * 100n, decimals)}` }
}
