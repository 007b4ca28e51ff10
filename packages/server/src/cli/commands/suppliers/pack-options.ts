import { PRODUCT_CODE } from '../../../lib/input/codes.ts'
import { readText } from '../../../lib/input/fields.ts'
import { MONEY_PATTERN } from '../../../lib/money.ts'
import { VALUE_NAME } from '../../../modules/providers/language/products.rules.ts'
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
    help: "the supplier's code of a product, or of one amount of it: NOVA:10.00=CODE; with further values: CODE;NAME=VALUE",
    multiple: true,
  },
}

export function readPairs(call: Call): Readonly<Record<string, string>> {
  const pairs = call.list('setting').map((given) => splitPair(readOption('setting', NAME_AND_VALUE, given)))
  return Object.fromEntries(pairs)
}

const AMOUNT = new RegExp(MONEY_PATTERN)
const SUPPLIER_CODE_MAX = 200
const FORM = 'must be PRODUCT=CODE or PRODUCT:AMOUNT=CODE, with values as CODE;NAME=VALUE'

type Code = string | { readonly code: string; readonly values: Readonly<Record<string, string>> }
type Codes = Code | { readonly by_amount: Readonly<Record<string, Code>> }

/** Reads the supplier's codes into the form of `products` in a configuration; undefined where none is given. */
export function readProducts(given: readonly string[]): Readonly<Record<string, unknown>> | undefined {
  if (given.length === 0) return undefined
  const products: Record<string, Codes> = {}
  for (const each of given) {
    const [place, written] = splitPair(each)
    const [product = '', amount, ...more] = place.split(':')
    const code = readCode(written)
    const isAmount = amount === undefined || AMOUNT.test(amount)
    if (readText(PRODUCT_CODE, product) === undefined || !isAmount || more.length > 0 || code === undefined) {
      throw new UsageError(`--product: ${FORM}`)
    }
    const known = products[product]
    const byAmount = typeof known === 'object' && 'by_amount' in known ? known.by_amount : undefined
    const isTwice = amount === undefined ? known !== undefined : Object.hasOwn(byAmount ?? {}, amount)
    if (isTwice || (known !== undefined && byAmount === undefined)) {
      throw new UsageError(`--product: ${place} is given twice`)
    }
    products[product] = amount === undefined ? code : { by_amount: { ...byAmount, [amount]: code } }
  }
  return products
}

/** Reads `SKU` or `SKU;send_value=5.00`: further values that an order of this code sends. */
function readCode(text: string): Code | undefined {
  const [code = '', ...rest] = text.split(';')
  if (code === '' || code.length > SUPPLIER_CODE_MAX) return undefined
  if (rest.length === 0) return code
  const values = rest.map(splitPair)
  const isFine = values.every(([name, value]) => VALUE_NAME.test(name) && value !== '')
  return isFine ? { code, values: Object.fromEntries(values) } : undefined
}

function splitPair(text: string): readonly [string, string] {
  const at = text.indexOf('=')
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)]
}
