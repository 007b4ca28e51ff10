import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  dayOf,
  formatDay,
  formatDayFirst,
  formatMilliseconds,
  formatSeconds,
  parseDay,
  parseDayRange,
  parseMoment,
  startOfDayMs,
} from './dates.ts'

describe('an instant is shown by the clock of GMT+8', () => {
  it.each([
    ['2026-11-15T15:59:59.999Z', '2026-11-15 23:59:59.999', '15-11-2026 23:59:59'],
    ['2026-11-15T16:00:00.000Z', '2026-11-16 00:00:00.000', '16-11-2026 00:00:00'],
    ['2025-12-31T16:00:00.001Z', '2026-01-01 00:00:00.001', '01-01-2026 00:00:00'],
    ['2028-02-28T16:30:09.050Z', '2028-02-29 00:30:09.050', '29-02-2028 00:30:09'],
  ])('%s is %s', (iso, milliseconds, dayFirst) => {
    const instant = new Date(iso)
    expect(formatMilliseconds(instant)).toBe(milliseconds)
    expect(formatSeconds(instant)).toBe(milliseconds.slice(0, 19))
    expect(formatDayFirst(instant)).toBe(dayFirst)
  })

  it('a millisecond belongs to the day that its own date names', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date(0), max: new Date('2200-01-01'), noInvalidDate: true }),
        (instant) => {
          const day = dayOf(instant.getTime())
          expect(formatMilliseconds(instant).startsWith(formatDay(day))).toBe(true)
          expect(startOfDayMs(day)).toBeLessThanOrEqual(instant.getTime())
          expect(startOfDayMs(day + 1)).toBeGreaterThan(instant.getTime())
        },
      ),
    )
  })

  it('a day begins at 16:00 UTC of the day before, and its last millisecond is still its own', () => {
    const day = parseDay('2026-11-16') ?? Number.NaN
    expect(new Date(startOfDayMs(day)).toISOString()).toBe('2026-11-15T16:00:00.000Z')
    expect(dayOf(startOfDayMs(day + 1) - 1)).toBe(day)
  })
})

describe('a day is read back as it is written', () => {
  it('every day can be printed and read back', () => {
    fc.assert(
      fc.property(fc.integer({ min: -700_000, max: 2_900_000 }), (day) => {
        expect(parseDay(formatDay(day))).toBe(day)
      }),
    )
  })

  it.each([
    '',
    '2026-02-30',
    '2026-02-29',
    '2026-13-01',
    '2026-00-10',
    '2026-01-00',
    '2026-1-1',
    '0000-01-01',
    '26-01-01',
    '20260101',
    '2026/01/01',
    '01-01-2026',
    '2026-01-01T00:00:00',
    ' 2026-01-01',
    '2026-01-01 ',
    '+002026-01-01',
    '２０２６-01-01',
  ])('%j is no day', (text) => {
    expect(parseDay(text)).toBeUndefined()
  })
})

describe('a range of days', () => {
  const from = parseDay('2026-01-01') ?? Number.NaN

  it('is one day, or two with space, dash and space between them', () => {
    expect(parseDayRange('2026-01-01', 366)).toEqual({ from, to: from })
    expect(parseDayRange('2026-01-01 - 2026-01-01', 366)).toEqual({ from, to: from })
    expect(parseDayRange('2026-01-01 - 2026-02-01', 366)).toEqual({ from, to: from + 31 })
  })

  it('holds as many days as it may, both ends counted, and not one more', () => {
    expect(parseDayRange('2026-01-01 - 2027-01-01', 366)).toEqual({ from, to: from + 365 })
    expect(parseDayRange('2026-01-01 - 2027-01-02', 366)).toBeUndefined()
  })

  it.each([
    '2026-01-02 - 2026-01-01',
    '2026-01-01-2026-01-02',
    '2026-01-01 -2026-01-02',
    '2026-01-01 - ',
    ' - 2026-01-01',
    '2026-01-01 - 2026-02-30',
    '2026-01-01 - 2026-01-02 - 2026-01-03',
    '2026-01-01  -  2026-01-02',
    '2026-01-01 – 2026-01-02',
  ])('%j is none', (text) => {
    expect(parseDayRange(text, 366)).toBeUndefined()
  })
})

describe('an instant as a parameter', () => {
  it.each([
    ['2026-03-01T22:00:00Z', '2026-03-01T22:00:00.000Z'],
    ['2026-03-01T22:00Z', '2026-03-01T22:00:00.000Z'],
    ['2026-03-01T22:00:00.123Z', '2026-03-01T22:00:00.123Z'],
    ['2026-03-01T22:00:00.123456Z', '2026-03-01T22:00:00.123Z'],
    ['2026-03-01T22:00:00+08:00', '2026-03-01T14:00:00.000Z'],
    ['2026-03-01T22:00:00 08:00', '2026-03-01T14:00:00.000Z'],
    ['2026-03-01T22:00:00-03:30', '2026-03-02T01:30:00.000Z'],
  ])('%s is the millisecond %s', (text, iso) => {
    const ms = Date.parse(iso)
    expect(parseMoment(text)).toEqual({ firstMs: ms, lastMs: ms })
  })

  it.each(['2026-02-30T10:00:00Z', '2026-03-01T25:00:00Z', '2026-03-01T10:00:00', 'now', ''])(
    '%j is none',
    (text) => {
      expect(parseMoment(text)).toBeUndefined()
    },
  )
})
