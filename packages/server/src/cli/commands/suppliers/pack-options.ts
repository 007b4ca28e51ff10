import { PRODUCT_CODE } from '../../../lib/input/codes.ts'
import { readText } from '../../../lib/input/fields.ts'
import { MONEY_PATTERN } from '../../../lib/money.ts'
import { NAME_AND_VALUE } from '../../../modules/providers/packs/codec.ts'
import type { Call, Option } from '../../command.ts'
import { UsageError } from '../../command.ts'
import { readOption } from '../../options.ts'

export const SETTING: Option = {
  value: 'NAME=VALUE',
  help: 'a setting of the pack; its own value where it is left out',
  multiple: true,
}

export const PACK_OPTIONS: Readonly<Record<string, Option>> = {
  pack: { value: 'NAME', help: 'connect a supplier that is known: warungd provider packs' },
  setting: SETTING,
  product: {
    value: 'CODE=SUPPLIER_CODE',
    help: "the pack's code of a product, or of one amount of it: NOVA:10.00=CODE",
    multiple: true,
  },
}

export function readPairs(call: Call): Readonly<Record<string, string>> {
  const pairs = call.list('setting').map((given) => splitPair(readOption('setting', NAME_AND_VALUE, given)))
  return Object.fromEntries(pairs)
}

const AMOUNT = new RegExp(MONEY_PATTERN)
const SUPPLIER_CODE_MAX = 200

/** Reads the supplier's codes into the form of `products` in a configuration; undefined where none is given. */
export function readProducts(given: readonly string[]): Readonly<Record<string, unknown>> | undefined {
  if (given.length === 0) return undefined
  const products: Record<string, string | { by_amount: Record<string, string> }> = {}
  for (const each of given) {
    const [place, code] = splitPair(each)
    const [product = '', amount, ...more] = place.split(':')
    const isAmount = amount === undefined || AMOUNT.test(amount)
    const isCode = code !== '' && code.length <= SUPPLIER_CODE_MAX
    if (readText(PRODUCT_CODE, product) === undefined || !isAmount || more.length > 0 || !isCode) {
      throw new UsageError('--product: must be PRODUCT=CODE, or PRODUCT:AMOUNT=CODE')
    }
    const known = products[product]
    if (known !== undefined && (amount === undefined || typeof known === 'string')) {
      throw new UsageError(`--product: ${product} is given twice`)
    }
    if (amount === undefined) products[product] = code
    else products[product] = { by_amount: { ...(known as { by_amount: object })?.by_amount, [amount]: code } }
  }
  return products
}

function splitPair(text: string): readonly [string, string] {
  const at = text.indexOf('=')
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)]
}
