/**
 * Array parameters, encoded here: the driver escapes every element with two regular expressions, which for a batch
 * costs more than sending it. The functions with `read` build no list of the values first.
 */

type Plain = string | number | bigint | null

/** Encodes values that need no quoting: numbers and uuids, never text from outside. */
export function plainArray(values: readonly Plain[]): string {
  return plainArrayOf(values, itself)
}

export function textArray(values: readonly (string | null)[]): string {
  return textArrayOf(values, itself)
}

export function byteaArray(values: readonly (Buffer | null)[]): string {
  return byteaArrayOf(values, itself)
}

export function plainArrayOf<Item>(items: readonly Item[], read: (item: Item) => Plain): string {
  let text = '{'
  let comma = ''
  for (const item of items) {
    text += comma
    text += read(item) ?? 'NULL'
    comma = ','
  }
  return `${text}}`
}

const NEEDS_ESCAPE = /["\\]/
const ESCAPED = /["\\]/g

export function textArrayOf<Item>(items: readonly Item[], read: (item: Item) => string | null): string {
  let text = '{'
  let comma = ''
  for (const item of items) {
    text += comma
    const value = read(item)
    if (value === null || value === undefined) text += 'NULL'
    else text += `"${NEEDS_ESCAPE.test(value) ? value.replace(ESCAPED, '\\$&') : value}"`
    comma = ','
  }
  return `${text}}`
}

export function byteaArrayOf<Item>(items: readonly Item[], read: (item: Item) => Buffer | null): string {
  let text = '{'
  let comma = ''
  for (const item of items) {
    text += comma
    const value = read(item)
    text += value === null ? 'NULL' : `"\\\\x${value.toString('hex')}"`
    comma = ','
  }
  return `${text}}`
}

function itself<Value>(value: Value): Value {
  return value
}
