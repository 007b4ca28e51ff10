import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { splitList } from './pieces.rules.ts'

/** Reads to the end. */
function pieces(text: string, path: readonly string[]) {
  const work = splitList(text, path)
  for (let step = work.next(); ; step = work.next()) if (step.done === true) return step.value
}

const member = fc.jsonValue({ maxDepth: 3 })

describe('a long list', () => {
  it('has the elements and surroundings that the whole text has', () => {
    fc.assert(
      fc.property(fc.array(member), member, fc.constantFrom(undefined, 1, '\t'), (list, other, space) => {
        const whole = { 'a"': other, 'x]': { list, z: other }, 'b,': [other] }
        const text = JSON.stringify(whole, null, space)
        const found = pieces(text, ['x]', 'list'])
        // Numbers of more digits than a double has are another rule's.
        const plain = JSON.parse(JSON.stringify(found?.rest ?? null, (_, value) => value)) as unknown
        expect(found?.elements.map(([from, to]) => JSON.parse(text.slice(from, to)))).toEqual(
          JSON.parse(JSON.stringify(list)),
        )
        if (!/\d{16}|e[+-]?\d/i.test(text)) {
          expect(plain).toEqual(JSON.parse(JSON.stringify({ ...whole, 'x]': { list: [], z: other } })))
        }
      }),
    )
  })

  it.each(['', '{', '{"list"', '{"list":[1 2]}', '{"list":[1,]}', '{"list":[{"a":1}', '{"list":["a]}', '[1'])(
    'is not read from %s',
    (text) => {
      expect(() => {
        const found = pieces(text, text.startsWith('[') ? [] : ['list'])
        if (found === undefined) throw new SyntaxError('no list')
      }).toThrow(SyntaxError)
    },
  )

  it.each(['{}', '5', '{"list":{}}', '{"other":[1]}', '{"other":"list","x":null}'])(
    'is not found in %s',
    (text) => {
      expect(pieces(text, ['list'])).toBeUndefined()
    },
  )
})
