import { minutesAhead } from '../../../lib/dates.ts'

// Rules that write a time in the form that a supplier wants.

const TIME_TOKEN = /yyyy|MM|dd|HH|mm|ss|SSS/g
const MINUTE_MS = 60_000
const GMT8_MS = 8 * 60 * MINUTE_MS

/** Zone in front of a format: `@+01:00:` or `@Z:`. */
const ZONED = /^@(Z|[+-]\d\d:\d\d):(.*)$/s

/** Returns the problem of a format, in front of which a zone may stand; undefined when there is none. */
export function problemOfZonedFormat(argument: string): string | undefined {
  const { offsetMs, format } = zoned(argument)
  if (offsetMs === undefined) return 'takes a zone such as @+01:00: or @Z:, from -12:00 to +14:00'
  return problemOfTimeFormat(format)
}

/** Writes a time in the zone of the format; in GMT+8 where it names none. */
export function formatZoned(instant: Date, argument: string): string {
  const { offsetMs = GMT8_MS, format } = zoned(argument)
  return formatTime(new Date(instant.getTime() + offsetMs), format)
}

function zoned(argument: string): { readonly offsetMs: number | undefined; readonly format: string } {
  if (!argument.startsWith('@')) return { offsetMs: GMT8_MS, format: argument }
  const [, zone = '', format = ''] = ZONED.exec(argument) ?? []
  const ahead = minutesAhead(zone)
  return { offsetMs: ahead === undefined ? undefined : ahead * MINUTE_MS, format }
}

export function problemOfTimeFormat(format: string): string | undefined {
  if (format === '') return 'needs a format such as yyyy-MM-dd HH:mm:ss'
  const strange = format.replace(TIME_TOKEN, '').replace(/[TZ]/g, '').match(/[a-z]/i)
  return strange === null ? undefined : `knows yyyy, MM, dd, HH, mm, ss and SSS, not ${strange[0]}`
}

/** Writes a time in UTC. */
export function formatTime(instant: Date, format: string): string {
  // Example: 2026-11-15T08:30:00.123Z
  const iso = instant.toISOString()
  const pieces: Readonly<Record<string, string>> = {
    yyyy: iso.slice(0, 4),
    MM: iso.slice(5, 7),
    dd: iso.slice(8, 10),
    HH: iso.slice(11, 13),
    mm: iso.slice(14, 16),
    ss: iso.slice(17, 19),
    SSS: iso.slice(20, 23),
  }
  return format.replace(TIME_TOKEN, (token) => pieces[token] ?? token)
}
