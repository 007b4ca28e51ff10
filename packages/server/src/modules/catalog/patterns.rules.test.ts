import { expect, it } from 'vitest'
import { PATTERN_FLAGS, PATTERN_INPUT_LENGTH_MAX, patternTrouble } from './patterns.rules.ts'

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
  ['^\\d*\\d*\\d*\\d*x$', 'puts too many quantifiers in a row'],
  [`^${'.*'.repeat(20)}x$`, 'puts far too many quantifiers in a row'],
  ['^(?=(?:a+)+$)', 'nests quantifiers in a lookahead'],
  ['^(a)\\1$', 'refers back'],
  ['^(?<x>a)\\k<x>$', 'refers back by name'],
  ['.+.+.+x', 'could begin anywhere'],
  ['^a|b+b+b+$', 'could begin anywhere, in one alternative'],
])('%s is refused: it %s', (pattern) => expect(patternTrouble(pattern)).toBeDefined())

// Without the bound this test never ends; what is allowed ends at once.
it('the worst patterns that are allowed end on the worst values', () => {
  const worst = 'a'.repeat(PATTERN_INPUT_LENGTH_MAX)
  for (const pattern of ['^.+.+.+x', '.+.+x', '^a*a*(?:a|b)a{0,80}x$', '^(?:a{1,3}){7}(?:a|b)a*x$']) {
    expect(patternTrouble(pattern)).toBeUndefined()
    expect(new RegExp(pattern, PATTERN_FLAGS).test(worst)).toBe(false)
  }
})
