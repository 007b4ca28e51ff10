import fc from 'fast-check'
import { expect, it } from 'vitest'
import { runs } from '../../testing/runs.ts'
import { createAutomaton } from './automaton.ts'
import { countSteps } from './steps.ts'
import type { Assertion, Node } from './syntax.ts'
import { parsePattern, UnsupportedPattern } from './syntax.ts'

const LENGTH_MAX = 12
/** Limit of steps: a thousand patterns and eight texts each would take minutes with more. */
const NATIVE_STEPS_MAX = 20_000
const ATOMS = [
  'a',
  'b',
  '1',
  '-',
  '.',
  '\\d',
  '\\w',
  '\\s',
  '\\W',
  '[ab]',
  '[^a]',
  '[a-c1]',
  '[^\\d-]',
  '\\.',
  '\\p{L}',
]
const RARE_ATOMS = [
  '\\u{1f600}',
  '\\ud83d\\ude00',
  '\\x61',
  '\\u0062',
  '😀',
  '[^😀]',
  '[\\u{1f600}-\\u{1f64f}]',
  '\\cJ',
  '[\\b\\n]',
  '\\P{Lu}',
]
const ASSERTIONS = ['^', '$', '\\b', '\\B']
const QUANTIFIERS = ['', '*', '+', '?', '{2}', '{0,2}', '{1,3}', '{2,}', '*?', '+?', '{0}', '{0,200}', '{13}']
const GROUPS = ['(', '(?:', '(?<name>']
const LOOKS = ['(?=', '(?!', '(?<=', '(?<!']

const { pattern } = fc.letrec<{ pattern: string; part: string }>((tie) => ({
  pattern: fc
    .array(
      fc.array(tie('part'), { maxLength: 4 }).map((parts) => parts.join('')),
      { minLength: 1, maxLength: 3 },
    )
    .map((options) => options.join('|')),
  part: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    {
      weight: 6,
      arbitrary: fc
        .tuple(fc.constantFrom(...ATOMS, ...RARE_ATOMS), fc.constantFrom(...QUANTIFIERS))
        .map((each) => each.join('')),
    },
    { weight: 1, arbitrary: fc.constantFrom(...ASSERTIONS) },
    {
      weight: 2,
      arbitrary: fc
        .tuple(fc.constantFrom(...GROUPS), tie('pattern'), fc.constantFrom(...QUANTIFIERS))
        .map(([open, body, many]) => `${open}${body})${many}`),
    },
    {
      weight: 1,
      arbitrary: fc.tuple(fc.constantFrom(...LOOKS), tie('pattern')).map(([open, body]) => `${open}${body})`),
    },
  ),
}))

const text = fc
  .array(fc.constantFrom('a', 'b', 'c', '1', '-', '.', ' ', '\n', '_', 'é', '😀', '\ud83d'), {
    maxLength: LENGTH_MAX,
  })
  .map((each) => each.join(''))

/** Compiles a pattern; undefined when a name was used twice. */
function compiled(source: string): RegExp | undefined {
  try {
    return new RegExp(source, 'uy')
  } catch {
    return undefined
  }
}

/** Matches by the standard: a match begins between characters. V8 itself also looks between the halves of one. */
function matchesNatively(native: RegExp, value: string): boolean {
  const characters = [...value]
  return [...characters, ''].some((_, count) => {
    native.lastIndex = characters.slice(0, count).join('').length
    return native.test(value)
  })
}

/** Returns the places where a match ends that begins at one of `from`; it uses the tree alone, without a program. */
function endsOf(node: Node, text: readonly string[], from: ReadonlySet<number>): ReadonlySet<number> {
  const kept = (holds: (place: number) => boolean) => new Set([...from].filter(holds))
  switch (node.kind) {
    case 'characters': {
      const one = new RegExp(`^${node.source}$`, 'u')
      return new Set([...kept((place) => one.test(text[place] ?? ''))].map((place) => place + 1))
    }
    case 'assertion':
      return kept((place) => holdsAt(node.which, text, place))
    case 'look':
      return kept((place) => isSeen(node, text, place) !== node.isNegated)
    case 'choice':
      return new Set(node.options.flatMap((each) => [...endsOf(each, text, from)]))
    case 'sequence':
      return node.items.reduce((places, each) => endsOf(each, text, places), from)
    case 'repeat':
      return endsOfRepeat(node, text, from)
  }
}

function endsOfRepeat(
  { body, min, max }: Node & { kind: 'repeat' },
  text: readonly string[],
  from: ReadonlySet<number>,
): ReadonlySet<number> {
  let places = from
  for (let count = 0; count < min; count += 1) places = endsOf(body, text, places)
  const all = new Set(places)
  for (let count = min; count < max; count += 1) {
    const known = all.size
    places = endsOf(body, text, places)
    for (const place of places) all.add(place)
    if (all.size === known) break
  }
  return all
}

function isSeen({ isAhead, body }: Node & { kind: 'look' }, text: readonly string[], place: number): boolean {
  if (isAhead) return endsOf(body, text, new Set([place])).size > 0
  return endsOfAny(text, place).some((begin) => endsOf(body, text, new Set([begin])).has(place))
}

function endsOfAny(text: readonly string[], last = text.length): number[] {
  return [...text.slice(0, last), ''].map((_, place) => place)
}

function holdsAt(which: Assertion, text: readonly string[], place: number): boolean {
  if (which === 'start') return place === 0
  if (which === 'end') return place === text.length
  const [isWordBefore, isWordAfter] = [text[place - 1], text[place]].map((each) => /^\w$/.test(each ?? ''))
  return (isWordBefore !== isWordAfter) === (which === 'boundary')
}

/** Builds the automaton; undefined when the pattern is too large for one. */
function automatonOf(root: Node): ((value: string) => boolean) | undefined {
  try {
    return createAutomaton(root, LENGTH_MAX)
  } catch (error) {
    if (error instanceof UnsupportedPattern) return undefined
    throw error
  }
}

it('a text matches the automaton exactly when it matches the pattern’s tree, however dear the pattern is', () => {
  fc.assert(
    fc.property(pattern, fc.array(text, { minLength: 1, maxLength: 8 }), (source, texts) => {
      const root = compiled(source) && parsePattern(source)
      const matches = root && automatonOf(root)
      if (root === undefined || matches === undefined) return
      for (const each of texts) {
        const characters = [...each]
        const isMatch = endsOf(root, characters, new Set(endsOfAny(characters))).size > 0
        expect(matches(each), JSON.stringify([source, each])).toBe(isMatch)
      }
    }),
    { numRuns: runs(1_000) },
  )
})

it('a text matches the automaton exactly when it matches the language’s own regular expression', () => {
  fc.assert(
    fc.property(pattern, fc.array(text, { minLength: 1, maxLength: 8 }), (source, texts) => {
      const native = compiled(source)
      if (native === undefined) return
      const root = parsePattern(source)
      const matches = automatonOf(root)
      if (matches === undefined) return
      const { steps } = countSteps(root, { lengthMax: LENGTH_MAX, stepsMax: NATIVE_STEPS_MAX })
      // The language's own matcher must come to an end; expensive patterns are compared with their trees above.
      if (steps === undefined || steps > NATIVE_STEPS_MAX) return
      for (const each of texts) {
        expect(matches(each), JSON.stringify([source, each])).toBe(matchesNatively(native, each))
      }
    }),
    { numRuns: runs(1_000) },
  )
})

/** 512 sets of states, and 128 sets of look-arounds that match. */
const MANY_STATES = '^(?:a|b)*a(?:a|b){8}$'
const MANY_LETTERS = `(?:${Array.from({ length: 7 }, (_, place) => `(?=.{${place}}a)`).join('|')})b.*c$`

it('a text matches the same when more was met than an automaton remembers', () => {
  for (const source of [MANY_STATES, MANY_LETTERS]) {
    const native = new RegExp(source, 'u')
    const matches = createAutomaton(parsePattern(source), LENGTH_MAX)
    const value = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: LENGTH_MAX, size: 'max' })
    fc.assert(
      fc.property(value, (each) => matches(each) === native.test(each)),
      { numRuns: runs(4_000) },
    )
  }
})
