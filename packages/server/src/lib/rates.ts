import type { Rule } from './input/fields.ts'
import { textRule } from './input/fields.ts'

/** Exact decimal with eight places, as a bigint of 1/100,000,000: unit prices and percentages. */
export type Rate = bigint

const DECIMALS = 8
export const RATE_ONE: Rate = 100_000_000n

const DECIMAL = /^(-?)(\d{1,9})(?:\.(\d{1,8}))?$/

/** Reads a plain decimal with at most 8 places; undefined when it is not one. */
export function parseRate(text: string): Rate | undefined {
  const match = DECIMAL.exec(text)
  if (match === null) return undefined
  const [, sign = '', whole = '', fraction = ''] = match
  const rate = BigInt(whole) * RATE_ONE + BigInt(fraction.padEnd(DECIMALS, '0'))
  return sign === '-' ? -rate : rate
}

/** Rule for a price per unit, or for the part of the face value that is charged. */
export const FACTOR: Rule<Rate> = textRule({
  message: 'must be a plain decimal greater than 0 with up to 8 decimals, such as 0.985',
  schema: { pattern: DECIMAL.source },
  parse(text) {
    const rate = parseRate(text)
    return rate !== undefined && rate > 0n ? rate : undefined
  },
})

/** Formats the shortest decimal that reads back as the same rate: `0.985`, `-0.5`, `1`. */
export function formatRate(rate: Rate): string {
  const sign = rate < 0n ? '-' : ''
  const absolute = rate < 0n ? -rate : rate
  const fraction = (absolute % RATE_ONE).toString().padStart(DECIMALS, '0').replace(/0+$/, '')
  return `${sign}${absolute / RATE_ONE}${fraction === '' ? '' : `.${fraction}`}`
}
