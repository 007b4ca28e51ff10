import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { pickRelease, RELEASES } from './releases.rules.ts'

const at = (instant: string) => new Date(instant)
const BEFORE_DEFAULT = at('2026-11-15T12:00:00Z')
const AFTER_DEFAULT = at('2027-03-01T12:00:00Z')

describe('a request without a date', () => {
  it.each([
    ['2026-01-01T00:00:00.000Z', '2024-01-01'],
    ['2026-09-16T00:00:00.000Z', '2024-01-01'],
    ['2027-01-10T23:59:59.999Z', '2024-01-01'],
    ['2027-01-11T00:00:00.000Z', '2026-09-16'],
    ['2030-01-01T00:00:00.000Z', '2026-09-16'],
  ])('a request without a date at %s gets release %s', (now, release) =>
    expect(pickRelease(undefined, at(now))).toBe(release),
  )
})

describe('a date picks the newest release on or before it', () => {
  it.each([
    ['2026-09-16', '2026-09-16'],
    ['2026-09-17', '2026-09-16'],
    ['2026-11-15', '2026-09-16'],
    ['2026-09-15', '2024-01-01'],
    ['2024-01-01', '2024-01-01'],
    ['2023-12-31', '2024-01-01'],
    ['0001-01-01', '2024-01-01'],
    ['2024-02-29', '2024-01-01'],
  ])('%s: %s', (date, release) => expect(pickRelease(date, BEFORE_DEFAULT)).toBe(release))

  it('also an older one than the default', () =>
    expect(pickRelease('2026-09-15', AFTER_DEFAULT)).toBe('2024-01-01'))
})

describe('a wrong date, or one too late, is ignored', () => {
  it.each([
    '',
    '2026-9-16',
    '2026-09-16 ',
    '2026-09-16T00:00:00Z',
    '20260916',
    '2026-02-30',
    '2025-02-29',
    '2026-13-01',
    '2026-00-10',
    'latest',
    '2026-09-16, 2026-09-16',
    '+02026-09-16',
    '٢٠٢٦-٠٩-١٦',
    '2026-11-17',
    '9999-12-31',
  ])('%j gives the default', (header) => {
    expect(pickRelease(header, BEFORE_DEFAULT)).toBe('2024-01-01')
    if (header !== '2026-11-17') expect(pickRelease(header, AFTER_DEFAULT)).toBe('2026-09-16')
  })

  it('tomorrow by UTC still counts, the day after does not', () => {
    const lastSecond = at('2026-09-15T23:59:59Z')
    expect(pickRelease('2026-09-16', lastSecond)).toBe('2026-09-16')
    expect(pickRelease('2026-09-17', lastSecond)).toBe('2024-01-01')
    expect(pickRelease('2026-09-16', at('2026-09-14T23:59:59Z'))).toBe('2024-01-01')
  })
})

it('some release is picked for every header', () => {
  const clock = fc.date({ min: at('2020-01-01'), max: at('2100-01-01'), noInvalidDate: true })
  fc.assert(
    fc.property(fc.string(), clock, (header, now) => {
      expect(RELEASES).toContain(pickRelease(header, now))
    }),
  )
})
