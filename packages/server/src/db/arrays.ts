/**
 * Array parameters, written here: the driver escapes every element with two regular expressions, which for a batch
 * costs more than sending it.
 */

/** Values that need no quoting: numbers and uuids, never text from outside. */
export function plainArray(values: readonly (string | number | bigint | null)[]): string {
  let text = '{'
  for (let index = 0; index < values.length; index += 1) {
    if (index > 0) text += ','
    text += values[index] ?? 'NULL'
  }
  return `${text}}`
}

const NEEDS_ESCAPE = /["\\]/
const ESCAPED = /["\\]/g

export function textArray(values: readonly (string | null)[]): string {
  let text = '{'
  for (let index = 0; index < values.length; index += 1) {
    if (index > 0) text += ','
    const value = values[index]
    if (value === null || value === undefined) text += 'NULL'
    else text += `"${NEEDS_ESCAPE.test(value) ? value.replace(ESCAPED, '\\$&') : value}"`
  }
  return `${text}}`
}

export function byteaArray(values: readonly (Buffer | null)[]): string {
  return `{${values.map((value) => (value === null ? 'NULL' : `"\\\\x${value.toString('hex')}"`)).join(',')}}`
}
