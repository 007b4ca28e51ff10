import type { Language } from './language.ts'
import { currentLanguage } from './language.ts'

/** Time zone of all times on the pages, and of the days of sums. */
const ZONE = 'Asia/Kuala_Lumpur'
export const ZONE_NAME = 'GMT+8'

const LOCALES: Readonly<Record<Language, string>> = {
  en: 'en-GB',
  ms: 'ms-MY',
  id: 'id-ID',
  zh: 'zh-CN',
  ta: 'ta-MY',
}

const formats = new Map<string, Intl.DateTimeFormat>()

function format(options: Intl.DateTimeFormatOptions, at: Date): string {
  const locale = LOCALES[currentLanguage()]
  const key = locale + JSON.stringify(options)
  let made = formats.get(key)
  if (made === undefined) {
    made = new Intl.DateTimeFormat(locale, { timeZone: ZONE, hourCycle: 'h23', ...options })
    formats.set(key, made)
  }
  return made.format(at)
}

type Moment = string | number | Date

/** 16:42:05 */
export function timeText(at: Moment): string {
  return format({ hour: '2-digit', minute: '2-digit', second: '2-digit' }, new Date(at))
}

/** 16:42 */
export function clockText(at: Moment): string {
  return format({ hour: '2-digit', minute: '2-digit' }, new Date(at))
}

/** 16 Nov */
export function dayText(at: Moment): string {
  return format({ day: 'numeric', month: 'short' }, new Date(at))
}

/** Monday 16 November 2026 */
export function longDayText(at: Moment): string {
  return format({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' }, new Date(at))
}

/** November 2026 */
export function monthText(at: Moment): string {
  return format({ month: 'long', year: 'numeric' }, new Date(at))
}

/** 16 Nov 2026, 16:42:05 */
export function dateTimeText(at: Moment): string {
  const day = format({ day: 'numeric', month: 'short', year: 'numeric' }, new Date(at))
  return `${day}, ${timeText(at)}`
}

/** 16 Nov 2026, 16:42 */
export function minuteText(at: Moment): string {
  const day = format({ day: 'numeric', month: 'short', year: 'numeric' }, new Date(at))
  return `${day}, ${clockText(at)}`
}

/** 16 Nov 2026, of a day such as 20261116; any other text as it is. */
export function compactDayText(day: string): string {
  const [, year, month, date] = /^(\d{4})(\d{2})(\d{2})$/.exec(day) ?? []
  if (year === undefined) return day
  const at = momentOfDay(`${year}-${month}-${date}`)
  return Number.isNaN(at.getTime()) ? day : format({ day: 'numeric', month: 'short', year: 'numeric' }, at)
}

/** 16:42:05 today, 16 Nov, 16:42 before. */
export function whenText(at: Moment, now: Date = new Date()): string {
  if (isoDay(at) === isoDay(now)) return timeText(at)
  return `${dayText(at)}, ${clockText(at)}`
}

const ISO_DAY = new Intl.DateTimeFormat('en-CA', {
  timeZone: ZONE,
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
})

/** 2026-11-16, the day in GMT+8. */
export function isoDay(at: Moment): string {
  return ISO_DAY.format(new Date(at))
}

/** The day that lies so many days from now, in GMT+8: 0 is today. */
export function isoDayFromToday(days: number): string {
  return isoDay(Date.now() + days * 86_400_000)
}

/** Noon of a day such as 2026-11-16, for the functions above. */
export function momentOfDay(day: string): Date {
  return new Date(`${day}T12:00:00+08:00`)
}

/** 3 s, 48 min, 2 h 14 min, 3 d 4 h */
export function durationText(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000))
  if (ms < 1000) return `${Math.max(0, Math.round(ms))} ms`
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes} min`
  const hours = Math.floor(minutes / 60)
  if (hours < 24) return `${hours} h ${minutes % 60} min`
  return `${Math.floor(hours / 24)} d ${hours % 24} h`
}
