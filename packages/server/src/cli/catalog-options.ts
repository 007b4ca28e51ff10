import { RequestError } from '../lib/errors.ts'
import type { Rule } from '../lib/input/fields.ts'
import { readFields, text } from '../lib/input/fields.ts'
import { noSuchName } from '../lib/input/nearest.ts'
import { parseMoney } from '../lib/money.ts'
import { parseRate } from '../lib/rates.ts'
import type { BaseCatalog, Product } from '../modules/catalog/product/types.ts'
import type { Call, Option } from './command.ts'

// Options and rules that the catalog commands share.

export const REASON_OPTION: Option = { value: 'TEXT', help: 'why, for the record; 1 to 200 characters' }

export const PRODUCT_OPTION: Option = { value: 'CODE', help: 'the code of a product', required: true }

const REASON_LENGTH_MAX = 200

export function readReason(call: Call, usual: string): string {
  const reason = call.find('reason') ?? usual.slice(0, REASON_LENGTH_MAX)
  return readFields({ reason: text(1, REASON_LENGTH_MAX) }, { reason }).reason
}

export function readOne<T>(name: string, rule: Rule<T>, value: string): T {
  const read = readFields<Record<string, Rule<unknown>>>({ [name]: rule }, { [name]: value })
  return read[name] as T
}

export const AMOUNT: Rule<bigint> = {
  words: 'must be a plain decimal, such as 10.00',
  read: (value) => (typeof value === 'string' ? parseMoney(value) : undefined),
}

/** Amount that is added to a price, or taken off it. */
export const ADDEND: Rule<bigint> = {
  words: 'must be a decimal, such as 0.50 or -0.50',
  read(value) {
    if (typeof value !== 'string') return undefined
    if (!value.startsWith('-')) return parseMoney(value)
    const off = parseMoney(value.slice(1))
    return off === undefined ? undefined : -off
  },
}

export const FACTOR: Rule<bigint> = {
  words: 'must be a plain decimal greater than 0 with up to 8 decimals, such as 0.985',
  read(value) {
    const rate = typeof value === 'string' ? parseRate(value) : undefined
    return rate !== undefined && rate > 0n ? rate : undefined
  },
}

export function getProduct({ products }: BaseCatalog, code: string): Product {
  const product = products.find((each) => each.code === code)
  if (product !== undefined) return product
  const codes = products.map((each) => each.code)
  throw new RequestError({ status: 404, code: 'not_found', publicText: noSuchName('product', code, codes) })
}
