import fc from 'fast-check'
import { expect, it } from 'vitest'
import { parseExactJson } from '../language/numbers.rules.ts'
import { unmappedOf } from './samples.rules.ts'

const digit = fc.constantFrom(...'0123456789')
const accounts = fc.array(digit, { minLength: 6, maxLength: 20 }).map((all) => all.join(''))
const separated = fc
  .tuple(accounts, fc.constantFrom('-', ' ', '.', '_'))
  .map(([digits, separator]) => digits.replace(/(...)(?=.)/g, `$1${separator}`))
const vouchers = fc
  .tuple(
    fc.array(fc.constantFrom(...'ABCDEFGHJKLMNPQRSTUVWXYZ23456789-'), { minLength: 7, maxLength: 30 }),
    digit,
  )
  .map(([all, one]) => `${all.join('')}${one}`)
const secrets = fc.oneof(accounts, separated, vouchers)
const names = fc.constantFrom('code', 'status', 'data', 'pin', 'errors', '60123456789', 'reference')

it('a sample shows no account and no PIN, whatever its member is called, as a text and as a number', () => {
  fc.assert(
    fc.property(names, names, secrets, (outer, inner, value) => {
      const texts = [JSON.stringify(value), ...(/^(0|[1-9]\d*)$/.test(value) ? [value] : [])]
      for (const text of texts) {
        const json = parseExactJson(`{"state":"ODD","${outer}":[{"${inner}":${text},"n":${text}}, ${text}]}`)
        const shown = unmappedOf({ path: 'state', value: 'ODD', json }, 'query', [])
        expect(shown.value).toBe('ODD')
        expect(shown.sample).toContain('"state":"ODD"')
        expect(shown.sample).not.toContain(value)
        expect(shown.sample).not.toContain('60123456789')
      }
    }),
  )
})

it('a sample shows the form and the words of an answer, within its length', () => {
  const json = {
    status: 'weird-1',
    ok: false,
    none: null,
    error: { code: 'E07', http: 402, kind: 'INSUFFICIENT_FUNDS', says: 'Call Ahmad on 012-3456789' },
    pinDetail: { code: 'ABCDEF' },
    player: 'NEVERTOLD',
  }
  const { sample } = unmappedOf({ path: 'status', value: 'weird-1', json }, 'submit', ['NEVERTOLD'])
  expect(JSON.parse(sample)).toEqual({
    status: 'weird-1',
    ok: false,
    none: null,
    error: { code: 'E07', http: '402', kind: 'INSUFFICIENT_FUNDS', says: '…' },
    pinDetail: { code: '…' },
    player: '…',
  })
  const long = {
    ...json,
    all: Array.from({ length: 40 }, () => ({ a: Array(40).fill({ b: Array(40).fill('X') }) })),
  }
  expect(
    unmappedOf({ path: 'status', value: 'weird-1', json: long }, 'submit', []).sample.length,
  ).toBeLessThanOrEqual(2_000)
})
