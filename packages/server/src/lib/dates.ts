import type { Rule } from './input/fields.ts'
import { textRule } from './input/fields.ts'

/** Offset of Malaysia's time, by which the service counts its days: GMT+8 all year, no daylight saving. */
export const LOCAL_OFFSET_MS = 8 * 3_600_000
const DAY_MS = 24 * 3_600_000

/** Range of days, counted from 1970-01-01 by that clock, so that ranges are arithmetic; both ends inclusive. */
export type DayRange = { readonly from: number; readonly to: number }

/** Returns the day on which an instant falls. */
export function dayOf(instantMs: number): number {
  return Math.floor((instantMs + LOCAL_OFFSET_MS) / DAY_MS)
}

/** Returns the instant at which a day begins. */
export function startOfDayMs(day: number): number {
  return day * DAY_MS - LOCAL_OFFSET_MS
}

// PostgreSQL has no year 0000.
const DAY_FORM = /^(?!0000)\d{4}-\d\d-\d\d$/

/** Tells whether a text looks like a day; it may be one that does not exist. */
export function isDayShaped(text: string): boolean {
  return DAY_FORM.test(text)
}

/** Parses yyyy-MM-dd; undefined for other texts and for dates that do not exist. */
export function parseDay(text: string): number | undefined {
  if (!isDayShaped(text)) return undefined
  const midnightMs = Date.parse(`${text}T00:00:00.000Z`)
  // Date.parse reads 30 February as 2 March: the date written back must equal the text.
  if (Number.isNaN(midnightMs) || !new Date(midnightMs).toISOString().startsWith(text)) return undefined
  return midnightMs / DAY_MS
}

/**
 * Tells whether a text is a date that a request may name as its version: at most tomorrow in UTC, because the caller's
 * own day may be ahead.
 */
export function isVersionDate(text: string, now: Date): boolean {
  const day = parseDay(text)
  return day !== undefined && day * DAY_MS <= now.getTime() + DAY_MS
}

/** Rule for a day. */
export const DAY: Rule<number> = textRule({
  message: 'must be a day yyyy-MM-dd',
  schema: { format: 'date' },
  parse: parseDay,
})

/** Formats as yyyy-MM-dd. */
export function formatDay(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 'yyyy-MM-dd'.length)
}

/** Parses one day, or two of them around ` - `; undefined when unreadable, reversed or longer than `daysMax`. */
export function parseDayRange(text: string, daysMax: number): DayRange | undefined {
  const [first = '', second = first, ...more] = text.split(' - ')
  const from = parseDay(first)
  const to = parseDay(second)
  if (from === undefined || to === undefined || more.length > 0) return undefined
  return from <= to && to - from < daysMax ? { from, to } : undefined
}

const DAY_RANGE_FORM = '^\\d{4}-\\d{2}-\\d{2}( - \\d{4}-\\d{2}-\\d{2})?$'

/** Rule for a range of days in a parameter. */
export function dayRange(daysMax: number): Rule<DayRange> {
  return textRule({
    message: `must be a day yyyy-MM-dd or a range yyyy-MM-dd - yyyy-MM-dd of at most ${daysMax} days`,
    schema: { pattern: DAY_RANGE_FORM, examples: ['2026-03-01 - 2026-03-31'] },
    parse: (text) => parseDayRange(text, daysMax),
  })
}

/** Period from its first millisecond to its last one. */
export type Span = { readonly firstMs: number; readonly lastMs: number }

const INSTANT_FORM =
  /^(\d{4}-\d\d-\d\d)T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?(?:Z|[+-](?:0\d|1[0-4]):[0-5]\d)$/

/** Parses a day, or an instant of one millisecond; undefined when it is neither. */
export function parseMoment(text: string): Span | undefined {
  const day = parseDay(text)
  if (day !== undefined) return { firstMs: startOfDayMs(day), lastMs: startOfDayMs(day + 1) - 1 }
  // A plus sign that was not encoded in a query arrives as a space.
  const instant = text.replace(' ', '+')
  const date = INSTANT_FORM.exec(instant)?.[1]
  if (date === undefined || parseDay(date) === undefined) return undefined
  const ms = Date.parse(instant)
  return { firstMs: ms, lastMs: ms }
}

/** Rule for one instant with its zone. */
export const INSTANT: Rule<Date> = textRule({
  message: 'must be a time with its zone, such as 2026-03-01T22:00:00+08:00',
  schema: { pattern: INSTANT_FORM.source },
  parse(text) {
    const moment = INSTANT_FORM.test(text) ? parseMoment(text) : undefined
    return moment && new Date(moment.firstMs)
  },
})

/** Length of the longest form: yyyy-MM-ddTHH:mm:ss.fff+HH:mm. */
const MOMENT_LENGTH_MAX = 29

export const MOMENT: Rule<Span> = textRule({
  message: 'must be a day yyyy-MM-dd (GMT+8) or an ISO 8601 instant such as 2026-03-01T22:00:00.000Z',
  schema: { maxLength: MOMENT_LENGTH_MAX, examples: ['2026-03-01', '2026-03-01T22:00:00.000Z'] },
  parse: parseMoment,
})

/** Formats as yyyy-MM-dd HH:mm:ss.fff, GMT+8. */
export function formatMilliseconds(instant: Date): string {
  return new Date(instant.getTime() + LOCAL_OFFSET_MS).toISOString().replace('T', ' ').slice(0, -1)
}

/** Formats as yyyy-MM-dd HH:mm:ss, GMT+8. */
export function formatSeconds(instant: Date): string {
  const second = Math.floor(instant.getTime() / 1_000)
  if (second !== lastSecond) {
    lastSecondText = formatMilliseconds(instant).slice(0, 'yyyy-MM-dd HH:mm:ss'.length)
    lastSecond = second
  }
  return lastSecondText
}

// The last second that was formatted: payments of one second are answered one after the other.
let lastSecond = Number.NaN
let lastSecondText = ''

/** Formats as dd-MM-yyyy HH:mm:ss, GMT+8. */
export function formatDayFirst(instant: Date): string {
  const [date = '', time = ''] = formatSeconds(instant).split(' ')
  return `${date.split('-').reverse().join('-')} ${time}`
}

// ── Zones ──

const ZONE = /^([+-])(\d\d):([0-5]\d)$/
const WEST_MAX = 12 * 60
const EAST_MAX = 14 * 60

/** Returns by how many minutes a zone such as `+07:00` or `Z` is ahead of UTC; undefined when there is none like it. */
export function minutesAhead(zone: string): number | undefined {
  if (zone === 'Z') return 0
  const [, sign, hours, minutes] = ZONE.exec(zone) ?? []
  if (sign === undefined) return undefined
  const ahead = (sign === '-' ? -1 : 1) * (60 * Number(hours) + Number(minutes))
  return ahead >= -WEST_MAX && ahead <= EAST_MAX ? ahead : undefined
}
