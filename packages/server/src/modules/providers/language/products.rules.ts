import { parseMoney } from '../../../lib/money.ts'
import type { Reader } from './reading.rules.ts'
import {
  below,
  boolean,
  complain,
  entriesOf,
  isObject,
  needed,
  object,
  optional,
  text,
} from './reading.rules.ts'
import type { ProductCodes, SupplierCode } from './types.ts'

// Reads the supplier's codes of our products.

/** Name of a further value of a supplier's code. */
export const VALUE_NAME = /^[a-z_][a-z0-9_]{0,49}$/

/** Reads the values that an order names as `{{product.NAME}}`. */
export function valuesOf<T>(reader: Reader<T>): Reader<readonly (readonly [string, T])[]> {
  return (value, site) => {
    const entries = entriesOf(reader)(value, site)
    for (const [name] of entries) {
      if (!VALUE_NAME.test(name)) complain(below(site, name), 'must be lower-case letters, digits and _', 0)
    }
    return entries
  }
}

const productValues: Reader<SupplierCode['values']> = (value, site) =>
  Object.fromEntries(valuesOf(text)(value, site))

const CODE = {
  code: needed(text, ''),
  values: optional(productValues, {}),
  closed: optional(boolean, false),
}
const longCode: Reader<SupplierCode> = object(CODE, ({ closed: isClosed, ...rest }) => ({
  ...rest,
  ...(isClosed && { isClosed }),
}))

const supplierCode: Reader<SupplierCode> = (value, site) =>
  isObject(value) ? longCode(value, site) : { code: text(value, site), values: {} }

const codesByAmount: Reader<ReadonlyMap<bigint, SupplierCode>> = (value, site) =>
  new Map(
    entriesOf(supplierCode)(value, site).map(([amount, code]) => [
      parseMoney(amount) ?? complain(below(site, amount), 'must stand under an amount such as 10.00', 0n),
      code,
    ]),
  )

const codesByKind: Reader<ProductCodes> = object(
  { by_amount: optional(codesByAmount, new Map()), by_subproduct: optional(entriesOf(supplierCode), []) },
  ({ byAmount, bySubproduct }, { site, has }) => {
    if (has('by_amount') === has('by_subproduct')) {
      const message = 'must be a text, or have a code, or either by_amount or by_subproduct'
      return complain(site, message, { by: 'product', code: { code: '', values: {} } })
    }
    return has('by_amount')
      ? { by: 'amount', codes: byAmount }
      : { by: 'subproduct', codes: new Map(bySubproduct) }
  },
)

export const productCodes: Reader<ProductCodes> = (value, site) =>
  isObject(value) && !Object.hasOwn(value, 'code')
    ? codesByKind(value, site)
    : { by: 'product', code: supplierCode(value, site) }
