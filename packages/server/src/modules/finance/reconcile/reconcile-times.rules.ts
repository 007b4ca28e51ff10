import { dayOf, LOCAL_OFFSET_MS, parseDay, startOfDayMs } from '../../../lib/dates.ts'
import type { ResellerTime } from './reconcile.types.ts'

const YEAR_FIRST = /^(\d{4})[-/](\d\d)[-/](\d\d)(?:[T ](.+))?$/
const DAY_FIRST = /^(\d\d)[-/.](\d\d)[-/.](\d{4})(?:[T ](.+))?$/
const CLOCK = /^(\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?\s*(Z|[+-]\d\d:?\d\d)?$/i

export const TIME_WORDS =
  'must be yyyy-MM-dd or dd-MM-yyyy, perhaps with a time HH:mm:ss and a zone such as +08:00'

/**
 * Reads a time with the year first or the day first, never the month first. Without a zone it is GMT+8. Returns
 * undefined for any other text.
 */
export function readTheirTime(text: string): ResellerTime | undefined {
  const yearFirst = YEAR_FIRST.exec(text)
  const dayFirst = DAY_FIRST.exec(text)
  const [year, month, date, clock] =
    yearFirst !== null ? yearFirst.slice(1) : [dayFirst?.[3], dayFirst?.[2], dayFirst?.[1], dayFirst?.[4]]
  const day = parseDay(`${year}-${month}-${date}`)
  if (day === undefined) return undefined
  return clock === undefined ? { day, atMs: null, hasZone: false } : readClock(day, clock)
}

function readClock(day: number, clock: string): ResellerTime | undefined {
  const match = CLOCK.exec(clock)
  if (match === null) return undefined
  const [, hours = '', minutes = '', seconds = '0', fraction = '', zone] = match
  if (Number(hours) > 23 || Number(minutes) > 59 || Number(seconds) > 59) return undefined
  const offsetMs = zone === undefined ? LOCAL_OFFSET_MS : readOffset(zone)
  if (offsetMs === undefined) return undefined
  const inDayMs = ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1_000
  const fractionMs = Number(fraction.slice(0, 3).padEnd(3, '0'))
  const atMs = startOfDayMs(day) + LOCAL_OFFSET_MS - offsetMs + inDayMs + fractionMs
  return { day: dayOf(atMs), atMs, hasZone: zone !== undefined }
}

function readOffset(zone: string): number | undefined {
  if (zone.toUpperCase() === 'Z') return 0
  const hours = Number(zone.slice(1, 3))
  const minutes = Number(zone.slice(-2))
  if (hours > 14 || minutes > 59) return undefined
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * 60_000
}

/** Distance from midnight that a slow request, or clocks that differ a little, can explain. */
const MIDNIGHT_MS = 10 * 60_000
/** Difference allowed between the two books' times of one payment, besides a zone. */
const TOLERANCE_MS = 15 * 60_000

/** Returns why a payment is on another day in the reseller's books than in ours. */
export function causeOfOtherDay(theirs: ResellerTime, oursMs: number): 'midnight' | 'zone' | 'other_day' {
  const ourDay = dayOf(oursMs)
  const midnightMs = startOfDayMs(theirs.day < ourDay ? ourDay : ourDay + 1)
  if (Math.abs(theirs.day - ourDay) === 1) {
    const isOursNear = Math.abs(oursMs - midnightMs) <= MIDNIGHT_MS
    const isTheirsNear = theirs.atMs === null || Math.abs(theirs.atMs - oursMs) <= TOLERANCE_MS
    if (isOursNear && isTheirsNear) return 'midnight'
  }
  if (theirs.hasZone) return 'other_day'
  // A UTC time that is read as GMT+8 is eight hours too early.
  if (theirs.atMs !== null) {
    return Math.abs(oursMs - theirs.atMs - LOCAL_OFFSET_MS) <= TOLERANCE_MS ? 'zone' : 'other_day'
  }
  return theirs.day === dayOf(oursMs - LOCAL_OFFSET_MS) ? 'zone' : 'other_day'
}
