import { RequestError } from '../../lib/errors.ts'
import type { Rule } from '../../lib/fields.ts'
import { text } from '../../lib/fields.ts'
import { formatMoney, parseMoney } from '../../lib/money.ts'
import { optional } from '../../lib/parameters.ts'

const AMOUNT_MAX = 10_000_000_000_000n

const AMOUNT: Rule<bigint> = {
  words: 'must be a plain decimal of ringgit, greater than 0, at most 1000000000, with up to 4 decimals',
  read(value) {
    const amount = typeof value === 'string' ? parseMoney(value) : undefined
    return amount !== undefined && amount > 0n && amount <= AMOUNT_MAX ? amount : undefined
  },
}

const SIGNED_AMOUNT: Rule<bigint> = {
  words: 'must be a plain decimal of ringgit, not 0, from -1000000000 to 1000000000, with up to 4 decimals',
  read(value) {
    if (typeof value !== 'string') return undefined
    const isNegative = value.startsWith('-')
    const amount = AMOUNT.read(isNegative ? value.slice(1) : value)
    return amount !== undefined && isNegative ? -amount : amount
  },
}

const COMMON = { remarks: text(1, 200), reference: optional(text(1, 100), null) }

export const POSTING_RULES = {
  deposit: { ...COMMON, amount: AMOUNT },
  adjustment: { ...COMMON, amount: SIGNED_AMOUNT },
} as const

export type PostingKind = keyof typeof POSTING_RULES

/** Somebody posted under the same reference before, the same in everything: approving it again would move nothing. */
export function postedBefore(reference: string, amount: bigint, sequence: bigint): RequestError {
  return new RequestError({
    status: 409,
    code: 'posted_before',
    publicText: `${formatMoney(amount)} with the reference ${reference} is entry ${sequence} already. Nothing was moved.`,
    fields: { reference: ['belongs to an entry that was posted before'] },
  })
}
