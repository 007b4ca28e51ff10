import { describe, expect, it } from 'vitest'
import { canonicalQueries, parseTimestamp } from './signing.rules.ts'

describe('the readings of a query', () => {
  it.each<[string, string[]]>([
    ['', ['']],
    ['b=2&a=1', ['a=1&b=2']],
    ['a=2&a=1', ['a=2&a=1', 'a=1&a=2']],
    ['a=1&b=', ['a=1', 'a=1&b=']],
    // A client's own encoding with its spaces as plus signs: no other reading has both the plus and the tilde.
    ['a=x%20~y', ['a=x%20~y', 'a=x ~y', 'a=x+%7Ey', 'a=x+~y', 'a=x%20%7Ey']],
    ['a=x+y', ['a=x+y', 'a=x y', 'a=x%20y']],
    ["a='(*)~!", ["a='(*)~!", 'a=%27%28*%29%7E%21', 'a=%27%28%2A%29~%21', 'a=%27%28%2A%29%7E%21']],
    ['a=%21', ['a=%21', 'a=!']],
    // Encoders agree about everything else.
    ['a=[:]', ['a=[:]', 'a=%5B%3A%5D']],
    // A part that cannot be decoded is read as it was sent, and in no other way.
    ['a=%zz', ['a=%zz']],
    ['%zz=a', ['%zz=a']],
    ['a=b%20c&d=%zz', ['a=b%20c&d=%zz']],
  ])('%j can be signed as %j', (query, readings) => {
    expect([...canonicalQueries(query)]).toEqual(readings)
  })
})

it.each([
  ['1790000000', 1_790_000_000],
  ['0', 0],
  ['', undefined],
  ['-1', undefined],
  ['1.5', undefined],
  ['now', undefined],
])('the timestamp %j is read as %s', (text, seconds) => expect(parseTimestamp(text)).toBe(seconds))
