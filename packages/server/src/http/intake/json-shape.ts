/**
 * Depth limit. It is deeper than any body of the API, and code that recurses into a value stays far from the end of its
 * stack.
 */
export const JSON_DEPTH_MAX = 64
/**
 * Limit of values. No body of the API has more, except catalogues; an empty array or object counts as two. Distinct
 * keys are the slowest to parse: this many take about 3 ms.
 */
export const JSON_VALUES_MAX = 10_000

const QUOTE = 0x22
const COMMA = 0x2c
const BACKSLASH = 0x5c
/** `[` and `{` differ in this bit alone, and so do `]` and `}`. */
const BRACE_BIT = 0x20
const OPENING = 0x7b
const CLOSING = 0x7d

export type JsonShape = 'too_deep' | 'too_many_values'

/**
 * Checks the depth and the number of values of a JSON text before it is parsed: five million brackets cost JSON.parse
 * seconds. It makes one pass over the bytes without recursion or allocation, and stops at the first excess. Bytes that
 * are no JSON may pass; the parser refuses them. Returns undefined when neither is too much.
 */
export function excessOf(bytes: Uint8Array, valuesMax = JSON_VALUES_MAX): JsonShape | undefined {
  const { length } = bytes
  // Each value takes at least one byte, so a body this short is within both bounds.
  if (length <= JSON_DEPTH_MAX) return undefined
  let depth = 0
  let values = 1
  for (let at = 0; at < length; at += 1) {
    const byte = bytes[at] as number
    if (byte === QUOTE) {
      at = endOfString(bytes, at + 1)
    } else if (byte === COMMA) {
      values += 1
      if (values > valuesMax) return 'too_many_values'
    } else if ((byte | BRACE_BIT) === OPENING) {
      depth += 1
      values += 1
      if (depth > JSON_DEPTH_MAX) return 'too_deep'
      if (values > valuesMax) return 'too_many_values'
    } else if ((byte | BRACE_BIT) === CLOSING) depth -= 1
  }
  return undefined
}

/** Returns the position of the string's closing quote, or the end of the bytes when it has none. */
function endOfString(bytes: Uint8Array, from: number): number {
  const { length } = bytes
  let at = from
  for (; at < length; at += 1) {
    const byte = bytes[at]
    if (byte === QUOTE) return at
    if (byte === BACKSLASH) at += 1
  }
  return at
}
