import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createAutomaton } from './automaton.ts'
import { countSteps } from './steps.ts'
import { parsePattern } from './syntax.ts'

const LENGTH_MAX = 12
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

/** undefined: a name was used twice. */
function compiled(source: string): RegExp | undefined {
  try {
    return new RegExp(source, 'uy')
  } catch {
    return undefined
  }
}

/** As the standard has it: a match begins between characters. V8 itself also looks between the halves of one. */
function matchesNatively(native: RegExp, value: string): boolean {
  const characters = [...value]
  return [...characters, ''].some((_, count) => {
    native.lastIndex = characters.slice(0, count).join('').length
    return native.test(value)
  })
}

it('a text matches the automaton exactly when it matches the language’s own regular expression', () => {
  fc.assert(
    fc.property(pattern, fc.array(text, { minLength: 1, maxLength: 8 }), (source, texts) => {
      // Large repetitions inside one another are programs of many thousand instructions: one at a time is enough.
      if ((source.match(/\{0,200\}|\{13\}/g) ?? []).length > 1 || source.length > 120) return
      const native = compiled(source)
      // The language's own matcher must come to an end.
      if (native === undefined || countSteps(parsePattern(source), LENGTH_MAX) > 1e6) return
      const matches = createAutomaton(parsePattern(source), LENGTH_MAX)
      for (const each of texts) {
        expect(matches(each), JSON.stringify([source, each])).toBe(matchesNatively(native, each))
      }
    }),
    { numRuns: 1_000 },
  )
})
