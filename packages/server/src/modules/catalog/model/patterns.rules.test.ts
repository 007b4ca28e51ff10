import { expect, it } from 'vitest'
import { matchesPattern, PATTERN_INPUT_LENGTH_MAX, patternTrouble } from './patterns.rules.ts'

/**
 * Pattern with nested repetitions of ninety: compiled for each repetition, the innermost would be compiled 90¹⁰
 * times.
 */
const NESTED = Array.from({ length: 10 }).reduce<string>((inner) => `(?:(?=${inner})a){90}`, 'a')

it.each([
  '^6?01\\d{8,9}$',
  '^(?:60|0)1[0-46-9]\\d{7,8}$',
  '^\\d{6}-?\\d{2}-?\\d{4}$',
  '^[^@\\s]+@[^@\\s]+\\.[^@\\s]+$',
  '^(?:\\d{1,3}\\.){3}\\d{1,3}$',
  '^(?=.*\\d)[A-Z0-9]{8,20}$',
  '^[A-Z]{1,2}\\d{6,9}(?:-[A-Z])?$',
  '^[\\])(*+]{3}$',
  '^\\p{L}[\\p{L} .]{1,60}$',
  '^(?<year>\\d{4})/(?<number>\\d+)$',
  '^\\u{41}\\(\\)\\{2\\}$',
])('%s may be used', (pattern) => expect(patternTrouble(pattern)).toBeUndefined())

it.each([
  ['(', 'does not compile'],
  ['[', 'does not compile'],
  ['a{2,1}', 'does not compile'],
  ['\\-', 'is not the same in every language'],
  ['', 'says nothing'],
  ['a'.repeat(201), 'is too long'],
  ['(a+)+$', 'nests quantifiers'],
  ['^(?:\\d*)*$', 'nests quantifiers'],
  ['^((?:ab)+|c)*$', 'nests quantifiers deeper down'],
  ['^(?:a|a)+$', 'repeats alternatives'],
  ['^(?:a?){50}$', 'nests quantifiers with a count'],
  ['^(?<x>[a-z]+,?)+$', 'nests quantifiers in a named group'],
  [`^${'.?'.repeat(20)}.{80}x$`, 'tries every subset of its optional parts, and each costs eighty steps'],
  ['^(?:a|a){101}$', 'tries every way although no value is long enough'],
  ['^(?:c|(?:a|a){60}b{60})$', 'tries every way although no value is long enough, in one alternative'],
  ['^.{99}$(?<=x(?:a|.)+)', 'looks back in too many ways, from values of one length'],
  ['^(?:b?){1000000}$', 'repeats what can be empty too often'],
  [`^${NESTED}$`, 'nests look-arounds'],
  ['(?i:a)', 'changes flags'],
  ['^\\d*\\d*\\d*\\d*x$', 'puts too many quantifiers in a row'],
  [`^${'.*'.repeat(20)}x$`, 'puts far too many quantifiers in a row'],
  ['^(?=(?:a+)+$)', 'nests quantifiers in a lookahead'],
  ['^(a)\\1$', 'refers back'],
  ['^(?<x>a)\\k<x>$', 'refers back by name'],
  ['.+.+.+x', 'could begin anywhere'],
  ['^a|b+b+b+$', 'could begin anywhere, in one alternative'],
])('%s is refused: it %s', (pattern) => expect(patternTrouble(pattern)).toBeDefined())

it('a refusal names the part that costs too much', () => {
  expect(patternTrouble('^6[01](?:\\d+-?)+$')).toContain(' (?:\\d+-?)+ can match')
  expect(patternTrouble('^RM\\d*\\d*\\d*\\d*x$')).toContain(' \\d*\\d*\\d*\\d*')
  expect(patternTrouble('.+.+.+x')).toContain('put ^ at its start')
})

// A matcher that backtracks would never end this test.
it('a stored pattern ends on the worst values, and matches what it says', () => {
  const worst = 'a'.repeat(PATTERN_INPUT_LENGTH_MAX)
  const stored = [
    '(a+)+$',
    `^${'.?'.repeat(20)}.{80}$`,
    `^${'.*'.repeat(20)}$`,
    '^(?:a|a)+$',
    '^(?=(?:a+)+$)',
    '^(?:a|a){99}.$',
    '^.{100}$(?<=^(?:a|.)+)',
    '^(?:b?){1000000}a+$',
  ]
  for (const pattern of [`^(?!${NESTED})a+$`, ...stored, '^.+.+.+a$', '.+.+a$', '^a*a*(?:a|b)a{0,80}a$']) {
    expect(matchesPattern(pattern, worst), pattern).toBe(true)
    expect(matchesPattern(pattern, `${worst.slice(1)}\n`), pattern).toBe(false)
  }
})

it('a value that is too long matches nothing', () => {
  expect(matchesPattern('^a+$', 'a'.repeat(PATTERN_INPUT_LENGTH_MAX))).toBe(true)
  expect(matchesPattern('^a+$', 'a'.repeat(PATTERN_INPUT_LENGTH_MAX + 1))).toBe(false)
  expect(matchesPattern('^.+$', '😀'.repeat(PATTERN_INPUT_LENGTH_MAX))).toBe(true)
})

it('a stored pattern that cannot be bounded matches nothing', () => {
  for (const pattern of ['(', '^(a)\\1$', '']) expect(matchesPattern(pattern, 'aa'), pattern).toBe(false)
})
