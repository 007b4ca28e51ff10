/** Flags under which a pattern is checked and used: the stricter grammar is the one other languages share. */
export const PATTERN_FLAGS = 'u'
export const PATTERN_LENGTH_MAX = 200

/** Longer values are refused before a pattern sees them: the bound on its work holds up to here. */
export const PATTERN_INPUT_LENGTH_MAX = 100

/**
 * Most ways in which a pattern may try to match a value. Patterns run on the server for every payment, and a
 * matcher that backtracks tries them all before it says no: `(a+)+` on 100 letters would outlast us.
 */
const WAYS_MAX = 2_000_000

/** What is wrong with a field's pattern; undefined when it may be used. */
export function patternTrouble(pattern: string): string | undefined {
  if (pattern === '' || pattern.length > PATTERN_LENGTH_MAX) {
    return `must be 1 to ${PATTERN_LENGTH_MAX} characters long`
  }
  if (!compiles(pattern)) return 'is not a regular expression'
  const ways = countWays(pattern)
  if (ways === undefined) return 'must not refer back to what a group matched'
  return ways > WAYS_MAX
    ? 'could take too long: quantifiers inside quantifiers, or too many of them'
    : undefined
}

function compiles(pattern: string): boolean {
  try {
    new RegExp(pattern, PATTERN_FLAGS)
    return true
  } catch {
    return false
  }
}

/**
 * An upper bound on the ways to match, from the pattern's structure: parts in sequence multiply, alternatives
 * add up, a quantifier adds up what each number of repetitions allows, and without an anchor every character
 * is a place to start. undefined: it has back references, whose cost nothing bounds. The pattern is known to
 * compile.
 */
function countWays(pattern: string): number | undefined {
  const reader: Reader = { pattern, at: 0 }
  const first = readSequence(reader)
  const isAnchored = pattern.startsWith('^') && reader.at === pattern.length
  const ways = bounded(first + readFurtherAlternatives(reader))
  if (reader.hasBackReference === true) return undefined
  return isAnchored ? ways : bounded(ways * PATTERN_INPUT_LENGTH_MAX)
}

type Reader = { readonly pattern: string; at: number; hasBackReference?: true }

/** Up to the next alternative, the closing bracket or the end. */
function readSequence(reader: Reader): number {
  let ways = 1
  for (;;) {
    const next = reader.pattern[reader.at]
    if (next === undefined || next === '|' || next === ')') return ways
    const part = readPart(reader)
    ways = bounded(ways * repeat(part, readQuantifier(reader)))
  }
}

function readFurtherAlternatives(reader: Reader): number {
  let ways = 0
  while (reader.pattern[reader.at] === '|') {
    reader.at += 1
    ways = bounded(ways + readSequence(reader))
  }
  return ways
}

/** One character, class, escape or group, without its quantifier. */
function readPart(reader: Reader): number {
  const rest = reader.pattern.slice(reader.at)
  const group = /^\((?:\?(?:[:=!]|<[=!]|<[^>]+>))?/.exec(rest)
  if (group !== null) {
    reader.at += group[0].length
    const ways = bounded(readSequence(reader) + readFurtherAlternatives(reader))
    reader.at += 1
    return ways
  }
  if (/^\\(?:[1-9]|k<)/.test(rest)) reader.hasBackReference = true
  const single = /^(?:\[(?:\\.|[^\]\\])*\]|\\(?:[pP]\{[^}]*\}|u\{[^}]*\}|k<[^>]*>|[\s\S])|[\s\S])/u.exec(rest)
  reader.at += single?.[0].length ?? 1
  return 1
}

type Quantifier = { readonly min: number; readonly max: number }

function readQuantifier(reader: Reader): Quantifier {
  const match = /^(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/.exec(reader.pattern.slice(reader.at))
  if (match === null) return { min: 1, max: 1 }
  reader.at += match[0].length
  const [, sign, least, comma, most] = match
  if (sign !== undefined)
    return { min: sign === '+' ? 1 : 0, max: sign === '?' ? 1 : PATTERN_INPUT_LENGTH_MAX }
  const min = Number(least)
  const max = most === '' ? PATTERN_INPUT_LENGTH_MAX : Number(most)
  return { min, max: comma === '' ? min : Math.max(min, max) }
}

/** ways^min + … + ways^max, as far as anyone needs to know. */
function repeat(ways: number, { min, max }: Quantifier): number {
  if (ways === 1) return bounded(max - min + 1)
  let total = 0
  for (let times = min; times <= max && total <= WAYS_MAX; times += 1) total += ways ** times
  return bounded(total)
}

function bounded(ways: number): number {
  return Math.min(ways, WAYS_MAX + 1)
}
