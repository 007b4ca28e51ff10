import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { numberText, parseExactJson, withPlainNumbers } from './numbers.rules.ts'
import { isBrokenNumber, textAt, valueAt } from './paths.rules.ts'

const digits = fc
  .array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 40 })
  .map((all) => all.join('').replace(/^0+(?=.)/, ''))

describe('a number in a supplier’s answer', () => {
  it('a whole number keeps every digit of its literal, wherever it stands', () => {
    fc.assert(
      fc.property(digits, fc.string(), fc.integer(), (literal, text, other) => {
        const body = `{"a":[{"pin":${literal},"text":${JSON.stringify(text)}}, 12 ],"n":${other}}`
        const json = parseExactJson(body)
        expect(textAt((valueAt(json, ['a']) as unknown[])[0], ['pin'])).toBe(literal)
        expect(textAt((valueAt(json, ['a']) as unknown[])[0], ['text'])).toBe(text)
        expect(valueAt(json, ['n'])).toBe(other)
      }),
    )
  })

  it('a number does not change what is no number, and is JSON as before where doubles are enough', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), digits, (value, literal) => {
        const again = JSON.parse(JSON.stringify(value)) as unknown
        expect(withPlainNumbers(parseExactJson(JSON.stringify(value)))).toEqual(again)
        const beside = parseExactJson(`[${JSON.stringify(value)},${literal}]`) as unknown[]
        expect(withPlainNumbers(beside[0])).toEqual(again)
      }),
    )
  })

  it.each([
    ['12345678901234567890', '12345678901234567890', false],
    ['9007199254740993', '9007199254740993', false],
    ['12345678901234567000', '12345678901234567000', false],
    ['0', '0', false],
    ['10.50', '10.5', true],
    ['1.0', '1', true],
    ['1.5', '1.5', true],
    ['-5', '-5', true],
    ['1e3', undefined, true],
    ['1E400', undefined, true],
  ])('%s is the text %s', (literal, text, isBroken) => {
    const json = parseExactJson(`{"n":${literal}}`)
    expect(textAt(json, ['n'])).toBe(text)
    expect(isBrokenNumber(valueAt(json, ['n']))).toBe(isBroken)
  })

  it('a text that is not JSON is refused as before', () => {
    for (const text of ['{"n":01}', '{"n":1.}', '[1,]', '"\n"', '']) {
      expect(() => parseExactJson(text)).toThrow(SyntaxError)
    }
    expect(numberText(2 ** 60)).toBeUndefined()
  })
})
