/** Exact decimal with eight places, as a bigint of 1/100,000,000: unit prices and percentages. */
export type Rate = bigint

const DECIMALS = 8
export const RATE_ONE: Rate = 100_000_000n

const DECIMAL = /^(-?)(\d{1,9})(?:\.(\d{1,8}))?$/

/** Schema of the text that `parseRate` reads, for the API documents. */
export const RATE_SCHEMA = { type: 'string', pattern: DECIMAL.source } as const

/** Reads a plain decimal with at most 8 places; undefined when it is not one. */
export function parseRate(text: string): Rate | undefined {
  const match = DECIMAL.exec(text)
  if (match === null) return undefined
  const [, sign = '', whole = '', fraction = ''] = match
  const rate = BigInt(whole) * RATE_ONE + BigInt(fraction.padEnd(DECIMALS, '0'))
  return sign === '-' ? -rate : rate
}

/** Formats the shortest decimal that reads back as the same rate: `0.985`, `-0.5`, `1`. */
export function formatRate(rate: Rate): string {
  const sign = rate < 0n ? '-' : ''
  const absolute = rate < 0n ? -rate : rate
  const fraction = (absolute % RATE_ONE).toString().padStart(DECIMALS, '0').replace(/0+$/, '')
  return `${sign}${absolute / RATE_ONE}${fraction === '' ? '' : `.${fraction}`}`
}
