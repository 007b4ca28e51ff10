import { expect, it } from 'vitest'
import { RequestError } from '../../../lib/errors.ts'
import { readAdvance } from './clock.rules.ts'

it.each([
  ['1', 1],
  ['300', 300],
  ['0060', 60],
  ['31536000', 31_536_000],
])('%s is a number of seconds to advance by', (text, seconds) => {
  expect(readAdvance({ advance_seconds: text })).toBe(seconds)
})

it.each([undefined, '', '0', '-1', '1.5', '1e3', ' 5', 'soon', '31536001', '999999999999'])(
  '%j is refused by name',
  (text) => {
    const read = () => readAdvance(text === undefined ? {} : { advance_seconds: text })
    expect(read).toThrow(RequestError)
    expect(read).toThrow(
      expect.objectContaining({
        status: 400,
        fields: { advance_seconds: [expect.stringMatching(/^The advance_seconds field .* 31536000\.$/)] },
      }),
    )
  },
)

it('a parameter that is given twice is refused', () => {
  expect(() => readAdvance({ advance_seconds: ['1', '2'] })).toThrow(RequestError)
})
