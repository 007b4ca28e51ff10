/**
 * Tree of a JavaScript regular expression under the flag `u`, without back references and without flags inside the
 * pattern. Groups are not kept: the only question is whether a text matches.
 */
export type Node = {
  /** Place of the node in the pattern, for messages. */
  readonly from: number
  readonly to: number
  /** Fewest and most characters that it can match. */
  readonly lengthMin: number
  readonly lengthMax: number
} & (
  | { readonly kind: 'characters'; readonly source: string }
  | { readonly kind: 'sequence'; readonly items: readonly Node[] }
  | { readonly kind: 'choice'; readonly options: readonly Node[] }
  | { readonly kind: 'repeat'; readonly body: Node; readonly min: number; readonly max: number }
  | { readonly kind: 'assertion'; readonly which: Assertion }
  | { readonly kind: 'look'; readonly isAhead: boolean; readonly isNegated: boolean; readonly body: Node }
)

export type Assertion = 'start' | 'end' | 'boundary' | 'inside'

/** Error of a pattern that cannot be matched in linear time, or that uses syntax which this reader does not know. */
export class UnsupportedPattern extends Error {}

type Reader = { readonly pattern: string; at: number }

/** Reads a pattern that is known to compile under the flag `u`. Throws UnsupportedPattern. */
export function parsePattern(pattern: string): Node {
  const reader: Reader = { pattern, at: 0 }
  const node = readChoice(reader)
  if (reader.at !== pattern.length) throw new UnsupportedPattern('is not a regular expression')
  return node
}

/** Reads up to the closing bracket or the end. */
function readChoice(reader: Reader): Node {
  const from = reader.at
  const options = [readSequence(reader)]
  while (reader.pattern[reader.at] === '|') {
    reader.at += 1
    options.push(readSequence(reader))
  }
  const [first] = options
  if (first !== undefined && options.length === 1) return first
  return {
    kind: 'choice',
    options,
    from,
    to: reader.at,
    lengthMin: Math.min(...options.map((each) => each.lengthMin)),
    lengthMax: Math.max(...options.map((each) => each.lengthMax)),
  }
}

function readSequence(reader: Reader): Node {
  const from = reader.at
  const items: Node[] = []
  for (;;) {
    const next = reader.pattern[reader.at]
    if (next === undefined || next === '|' || next === ')') return sequenceOf(items, from, reader.at)
    items.push(readRepeated(reader))
  }
}

export function sequenceOf(items: readonly Node[], from: number, to: number): Node {
  const lengthMin = items.reduce((sum, each) => sum + each.lengthMin, 0)
  const lengthMax = items.reduce((sum, each) => sum + each.lengthMax, 0)
  return { kind: 'sequence', items, from, to, lengthMin, lengthMax }
}

const QUANTIFIER = /(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/y

function readRepeated(reader: Reader): Node {
  const { at: from } = reader
  const body = readPart(reader)
  const found = matchAt(QUANTIFIER, reader)
  if (found === undefined) return body
  const [, sign, least, comma, most] = found
  const min = sign === undefined ? Number(least) : sign === '+' ? 1 : 0
  const max = sign === undefined ? maxOf(min, comma, most) : sign === '?' ? 1 : Number.POSITIVE_INFINITY
  return {
    kind: 'repeat',
    body,
    min,
    max,
    from,
    to: reader.at,
    lengthMin: times(body.lengthMin, min),
    lengthMax: times(body.lengthMax, max),
  }
}

function maxOf(min: number, comma: string | undefined, most: string | undefined): number {
  if (comma === '') return min
  return most === '' ? Number.POSITIVE_INFINITY : Number(most)
}

/** Multiplies, with 0 × ∞ = 0. */
function times(length: number, count: number): number {
  return length === 0 || count === 0 ? 0 : length * count
}

const GROUP = /\((?:\?(?:([:=!])|<([=!])|<[^>=!][^>]*>))?/y
const BACK_REFERENCE = /\\(?:[1-9]|k<)/y
const HEX4 = '[0-9a-fA-F]{4}'
const SURROGATES = '\\\\u[dD][89abAB][0-9a-fA-F]{2}\\\\u[dD][c-fC-F][0-9a-fA-F]{2}'
const ESCAPE = `${SURROGATES}|\\\\u\\{[0-9a-fA-F]+\\}|\\\\u${HEX4}|\\\\x[0-9a-fA-F]{2}|\\\\c[A-Za-z]|\\\\[pP]\\{[^}]*\\}|\\\\[^]`
const CHARACTERS = new RegExp(`${ESCAPE}|\\[(?:\\\\[^]|[^\\]\\\\])*\\]|[^]`, 'uy')

/** Reads one character, class, escape or group, without its quantifier. */
function readPart(reader: Reader): Node {
  const from = reader.at
  const group = matchAt(GROUP, reader)
  if (group !== undefined) return readGroup(reader, from, group[1] ?? '', group[2] ?? '')
  if (matchAt(BACK_REFERENCE, reader) !== undefined) {
    throw new UnsupportedPattern('must not refer back to what a group matched')
  }
  const [source = ''] = matchAt(CHARACTERS, reader) ?? []
  const which = ASSERTIONS[source]
  const place = { from, to: reader.at }
  if (which !== undefined) return { kind: 'assertion', which, ...place, lengthMin: 0, lengthMax: 0 }
  return { kind: 'characters', source, ...place, lengthMin: 1, lengthMax: 1 }
}

const ASSERTIONS: Readonly<Record<string, Assertion>> = {
  '^': 'start',
  $: 'end',
  '\\b': 'boundary',
  '\\B': 'inside',
}

function readGroup(reader: Reader, from: number, ahead: string, behind: string): Node {
  if (reader.pattern[reader.at] === '?') throw new UnsupportedPattern('must not change flags inside')
  const body = readChoice(reader)
  reader.at += 1
  const look = behind === '' ? ahead : behind
  if (look === '' || look === ':') return body
  const place = { from, to: reader.at, lengthMin: 0, lengthMax: 0 }
  return { kind: 'look', isAhead: behind === '', isNegated: look === '!', body, ...place }
}

function matchAt(form: RegExp, reader: Reader): RegExpExecArray | undefined {
  form.lastIndex = reader.at
  const found = form.exec(reader.pattern)
  if (found === null) return undefined
  reader.at += found[0].length
  return found
}

// ── Characters ──

const TOKEN = new RegExp(`${ESCAPE}|[^]`, 'gu')
const CONTROLS: Readonly<Record<string, number>> = { n: 10, t: 9, v: 11, f: 12, r: 13, '0': 0, b: 8 }

/** Lists the code points that the source of a character or class names, as themselves or as an end of a range. */
export function namedCodePoints(source: string): number[] {
  return (source.match(TOKEN) ?? []).flatMap((token) => {
    const value = codePointOf(token)
    return value === undefined ? [] : [value]
  })
}

/** Returns the code point of a token; undefined when the token stands for many characters. */
function codePointOf(token: string): number | undefined {
  if (!token.startsWith('\\') || token === '\\') return token.codePointAt(0)
  const letter = token.charAt(1)
  if (token.length > 2) {
    if (letter === 'p' || letter === 'P') return undefined
    if (letter === 'c') return token.charCodeAt(2) % 32
    const [first = 0, second] = (token.match(/[0-9a-fA-F]{2,}/g) ?? []).map((hex) => Number.parseInt(hex, 16))
    return second === undefined ? first : String.fromCharCode(first, second).codePointAt(0)
  }
  if ('dDwWsS'.includes(letter)) return undefined
  return CONTROLS[letter] ?? token.codePointAt(1)
}
