import { describe, expect, it } from 'vitest'
import { parseNumber, readCaseFilter } from './listing.rules.ts'

const ANY = { state: null, kind: null, fromMs: null, untilMs: null, beforeId: null, limit: 50 }

describe('the listed cases', () => {
  it.each([
    [{}, {}],
    [{ state: '', cursor: '' }, {}],
    [{ state: 'in_progress' }, { state: 'in_progress' }],
    [{ kind: 'void' }, { kind: 'void' }],
    [{ limit: '100' }, { limit: 100 }],
    [{ limit: '1' }, { limit: 1 }],
    [
      { from: '2026-03-01T10:00:00Z', to: '2026-03-01T10:00:00Z' },
      { fromMs: Date.parse('2026-03-01T10:00:00Z'), untilMs: Date.parse('2026-03-01T10:00:00.001Z') },
    ],
    [{ cursor: 'C-2026-000123' }, { beforeId: 123n }],
    [{ from: '2026-03-01' }, { fromMs: Date.parse('2026-03-01T00:00:00+08:00') }],
    [{ to: '2026-03-01' }, { untilMs: Date.parse('2026-03-02T00:00:00+08:00') }],
    [{ from: '2026-03-01T10:00:00Z' }, { fromMs: Date.parse('2026-03-01T10:00:00Z') }],
    [{ to: '2026-03-01T10:00:00.500+08:00' }, { untilMs: Date.parse('2026-03-01T02:00:00.501Z') }],
    [{ to: '2026-03-01T10:00:00 08:00' }, { untilMs: Date.parse('2026-03-01T02:00:00.001Z') }],
    [
      { from: '2026-03-01', to: '2026-03-01' },
      { fromMs: Date.parse('2026-02-28T16:00:00Z'), untilMs: Date.parse('2026-03-01T16:00:00Z') },
    ],
  ])('%j', (query, expected) => {
    expect(readCaseFilter(query)).toEqual({ ...ANY, ...expected })
  })

  it.each([
    ['state', 'closed'],
    ['kind', 'refund'],
    ['limit', '0'],
    ['limit', '101'],
    ['limit', '1.5'],
    ['from', '2026-02-30'],
    ['from', 'yesterday'],
    ['from', '2026-03-01T10:00:00'],
    ['to', '2026-02-30T10:00:00Z'],
    ['to', '2026-03-01T25:00:00Z'],
    ['cursor', '123'],
    ['cursor', "C-2026-1' or true"],
  ])('%s=%s is refused under its name', (name, value) => {
    expect(() => readCaseFilter({ [name]: value })).toThrow(
      expect.objectContaining({ status: 400, fields: { [name]: [expect.any(String)] } }),
    )
  })

  it('a range that is turned around is refused', () => {
    expect(() => readCaseFilter({ from: '2026-03-02', to: '2026-03-01' })).toThrow(
      expect.objectContaining({ status: 400, fields: { to: [expect.any(String)] } }),
    )
  })
})

it('a number is one only in its own form', () => {
  expect(parseNumber('C-2026-000123')).toBe(123n)
  expect(parseNumber('C-2026-1234567')).toBe(1_234_567n)
  for (const text of [
    'c-2026-000123',
    'AC-2026-000123',
    'C-2026-123',
    'C-2026-000123 ',
    'C-2026-0001\0',
    '',
    '000123',
  ]) {
    expect(parseNumber(text)).toBeUndefined()
  }
})
