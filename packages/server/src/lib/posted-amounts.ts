import type { Rule } from './input/fields.ts'
import { MONEY_SCHEMA, parseMoney } from './money.ts'

// Rules for amounts that a person may post to a wallet, by a command or in the back office.

const AMOUNT_MAX = 10_000_000_000_000n

export const POSTED_AMOUNT: Rule<bigint> = {
  words: 'must be a plain decimal of ringgit, greater than 0, at most 1000000000, with up to 4 decimals',
  schema: MONEY_SCHEMA,
  read(value) {
    const amount = typeof value === 'string' ? parseMoney(value) : undefined
    return amount !== undefined && amount > 0n && amount <= AMOUNT_MAX ? amount : undefined
  },
}

export const SIGNED_AMOUNT: Rule<bigint> = {
  words: 'must be a plain decimal of ringgit, not 0, from -1000000000 to 1000000000, with up to 4 decimals',
  schema: { ...MONEY_SCHEMA, pattern: MONEY_SCHEMA.pattern.replace('^', '^-?') },
  read(value) {
    if (typeof value !== 'string') return undefined
    const isNegative = value.startsWith('-')
    const amount = POSTED_AMOUNT.read(isNegative ? value.slice(1) : value)
    return amount !== undefined && isNegative ? -amount : amount
  },
}
