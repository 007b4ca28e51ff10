import { describe, expect, it } from 'vitest'
import { formatDay } from '../../../lib/dates.ts'
import { at } from '../../../testing/finance.ts'
import { causeOfOtherDay, readTheirTime } from './reconcile-times.rules.ts'

const NO_TIME = { day: Number.NaN, atMs: null, hasZone: false }

describe('a date as somebody wrote it', () => {
  it.each([
    ['2026-10-31', '2026-10-31', null],
    ['2026/10/31', '2026-10-31', null],
    ['31-10-2026', '2026-10-31', null],
    ['31/10/2026', '2026-10-31', null],
    ['31.10.2026 07:05', '2026-10-31', '2026-10-30T23:05:00.000Z'],
    ['2026-10-31 23:59:59.999', '2026-10-31', '2026-10-31T15:59:59.999Z'],
    ['2026-10-31T16:00:00Z', '2026-11-01', '2026-10-31T16:00:00.000Z'],
    ['2026-10-31T15:59:59.9999Z', '2026-10-31', '2026-10-31T15:59:59.999Z'],
    ['2026-10-31T23:00:00-05:30', '2026-11-01', '2026-11-01T04:30:00.000Z'],
    ['2026-11-01 00:30:00 +0900', '2026-10-31', '2026-10-31T15:30:00.000Z'],
  ])('%s is of %s', (text, day, instant) => {
    const time = readTheirTime(text)
    expect(formatDay(time?.day ?? 0)).toBe(day)
    expect(time?.atMs ?? null).toBe(instant === null ? null : Date.parse(instant))
  })

  it.each([
    '',
    'yesterday',
    '2026-02-30',
    '10/31/2026',
    '2026-10-31 24:00',
    '2026-10-31 10:60',
    '2026-10-31 10:00:61',
    '2026-10-31 10:00 +15:00',
    '2026-10-31x',
    '31-10-26',
    '46326',
  ])('"%s" is none', (text) => expect(readTheirTime(text)).toBeUndefined())
})

describe('why a payment is on another day', () => {
  it.each([
    ['2026-10-31', '2026-11-01 00:00:04', 'midnight'],
    ['2026-11-01', '2026-10-31 23:59:58', 'midnight'],
    ['2026-10-31 23:59:59', '2026-11-01 00:00:02', 'midnight'],
    ['2026-10-31', '2026-11-01 07:59:59', 'zone'],
    ['2026-10-31', '2026-11-01 08:00:00', 'other_day'],
    ['2026-11-01', '2026-10-31 12:00:00', 'other_day'],
    ['2026-10-31 18:30:00', '2026-11-01 02:30:05', 'zone'],
    ['2026-10-31 17:00:00', '2026-11-01 02:30:05', 'other_day'],
    ['2026-10-31 10:30:00Z', '2026-11-01 02:30:05', 'other_day'],
    ['2026-10-31 16:00:00', '2026-11-01 00:00:02', 'zone'],
    ['2026-10-29', '2026-11-01 00:00:02', 'other_day'],
  ])('theirs %s, ours %s: %s', (theirs, ours, cause) => {
    expect(causeOfOtherDay(readTheirTime(theirs) ?? NO_TIME, at(ours).getTime())).toBe(cause)
  })
})
