import type { Rule } from './input/fields.ts'
import { textRule } from './input/fields.ts'
import { isEnterable, MONEY_PATTERN, parseMoney } from './money.ts'

// Rules for amounts that a person enters: posted to a wallet, or added to a price.

export const POSTED_AMOUNT: Rule<bigint> = textRule({
  message: 'must be a plain decimal of ringgit, greater than 0, at most 1000000000, with up to 4 decimals',
  schema: { pattern: MONEY_PATTERN },
  parse(text) {
    const amount = parseMoney(text)
    return amount !== undefined && isEnterable(amount) ? amount : undefined
  },
})

const SIGNED_PATTERN = MONEY_PATTERN.replace('^', '^-?')

export const SIGNED_AMOUNT: Rule<bigint> = textRule({
  message: 'must be a plain decimal of ringgit, not 0, from -1000000000 to 1000000000, with up to 4 decimals',
  schema: { pattern: SIGNED_PATTERN },
  parse(text) {
    const amount = parseSigned(text)
    return amount !== undefined && isEnterable(amount < 0n ? -amount : amount) ? amount : undefined
  },
})

/** Amount that is added to a price, or taken off it. */
export const ADDEND: Rule<bigint> = textRule({
  message: 'must be a decimal, such as 0.50 or -0.50',
  schema: { pattern: SIGNED_PATTERN },
  parse: parseSigned,
})

function parseSigned(text: string): bigint | undefined {
  if (!text.startsWith('-')) return parseMoney(text)
  const amount = parseMoney(text.slice(1))
  return amount === undefined ? undefined : -amount
}
