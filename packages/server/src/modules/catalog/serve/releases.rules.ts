import { isVersionDate } from '../../../lib/dates.ts'

/** Dated forms of the API, oldest first. */
export const RELEASES = ['2024-01-01', '2026-09-16'] as const
export type Release = (typeof RELEASES)[number]

const OLDEST: Release = RELEASES[0]

/** Default releases: callers who name no release get `release` from the instant `fromMs` on. */
const DEFAULTS: readonly { readonly fromMs: number; readonly release: Release }[] = [
  { fromMs: Date.parse('2027-01-11T00:00:00Z'), release: '2026-09-16' },
]

/**
 * Picks the newest release dated on or before the date in X-API-Version. A text that is not a date, or a date
 * later than tomorrow in UTC, is ignored: no request fails because of its version.
 */
export function pickRelease(header: string | undefined, now: Date): Release {
  return header !== undefined && isVersionDate(header, now) ? newestUpTo(header) : defaultAt(now)
}

function newestUpTo(date: string): Release {
  return RELEASES.findLast((release) => release <= date) ?? OLDEST
}

function defaultAt(now: Date): Release {
  return DEFAULTS.findLast(({ fromMs }) => fromMs <= now.getTime())?.release ?? OLDEST
}
