import { expect, it } from 'vitest'
import { createAutomaton } from './automaton.ts'
import { countSteps } from './steps.ts'
import { parsePattern, UnsupportedPattern } from './syntax.ts'

const LENGTH_MAX = 100
const stepsOf = (pattern: string) => countSteps(parsePattern(pattern), { lengthMax: LENGTH_MAX }).steps

it.each([
  ['^6?01\\d{8,9}$', 200],
  ['^[^@ ]{1,64}@[^@ ]{1,190}$', 500],
  ['^[^@\\s]+@[^@\\s]+\\.[^@\\s]+$', 20_000],
  ['^(?=.*\\d)[A-Z0-9]{8,20}$', 1_000],
  ['^(?<=^)\\d+$', 1_000],
])('%s is known to be cheap: parts that take different characters do not multiply', (pattern, most) => {
  expect(stepsOf(pattern)).toBeLessThan(most)
})

it.each([
  `^${'.?'.repeat(20)}.{80}x$`,
  '(a+)+$',
  '^(?:a|a)+$',
  '^(?:a?){50}$',
  '^(?:\\d|[0-9])+x$',
  '^(?=(?:a+)+$)',
  '^.(?<=(?:a|.)+)x$',
  '^(?:\\p{L}|é)+x$',
  '^(?:[à-ä]|[ã-é])+x$',
  // The part behind `$` is reached only by a text of exactly 99 characters.
  '^.{99}$(?<=x(?:a|.)+)',
  // No text is long enough to match, and every text is tried.
  '^(?:(?:a|a){101}|b)$',
  '^(?:c|(?:a|a){60}b{60})$',
])('%s is known to be dear', (pattern) => expect(stepsOf(pattern)).toBeGreaterThan(1e6))

it('a repetition of what can be empty has no bound, and matches all the same', () => {
  expect(stepsOf('^(?:\\d*)*$')).toBe(Number.POSITIVE_INFINITY)
  expect(createAutomaton(parsePattern('^(?:\\d*)*$'), LENGTH_MAX)('123')).toBe(true)
})

it('a repetition of what can be empty counts in full, however often it is repeated', () => {
  expect(stepsOf('^(?:b?){100000}$')).toBe(Number.POSITIVE_INFINITY)
  expect(stepsOf('^(?:(?:b?){9}){5000}$')).toBe(Number.POSITIVE_INFINITY)
})

it('look-arounds inside one another are judged and compiled once each, however often they are repeated', () => {
  let pattern = 'a'
  for (let depth = 0; depth < 10; depth += 1) pattern = `(?:(?=(?:${pattern})?)a){90}`
  expect(stepsOf(`^${pattern}$`)).toBeGreaterThan(1_000)
  expect(createAutomaton(parsePattern(`^${pattern}$`), LENGTH_MAX)('a'.repeat(90))).toBe(true)
})

it('a pattern whose judgement would take long is left unjudged, and is matched all the same', () => {
  const classes = Array.from('abcdefghijklmnopqrstuvwxy', (letter) => `[${letter}-z~]?`)
  const pattern = `^(?:${classes.join('')}){0,40}$`
  expect(stepsOf(pattern)).toBeUndefined()
  expect(createAutomaton(parsePattern(pattern), LENGTH_MAX)('abc')).toBe(true)
})

it('no count makes an automaton that does not fit into memory', () => {
  for (const pattern of ['^(?:(?:(?:^){999}){999}){999}$', '^(?:(?:a{999}){999}){999}$', '^a{99999}$']) {
    expect(stepsOf(pattern)).toBeLessThan(1_000)
  }
  const large = '^(?:(?:a{0,100}){0,100}){0,100}$'
  expect(stepsOf(large)).toBeUndefined()
  expect(() => createAutomaton(parsePattern(large), LENGTH_MAX)).toThrow(UnsupportedPattern)
})

it('a pattern that cannot be matched in linear time is not read', () => {
  for (const pattern of ['^(a)\\1$', '^(?<x>a)\\k<x>$', '(?i:a)']) {
    expect(() => parsePattern(pattern), pattern).toThrow(UnsupportedPattern)
  }
})
