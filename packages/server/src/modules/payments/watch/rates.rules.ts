/** Payments, or orders, that ended: those that succeeded, and all. */
export type Figures = { readonly good: number; readonly ended: number }

/** Least numbers that say anything: of the last hour, and of the week before. */
export const RECENT_MIN = 30
const WEEK_MIN = 100
/** Fall of the rate from which an alert opens, and the fall below which it is over. */
const OPENS_AT = 0.2
const CLOSES_AT = 0.1
/** A fall within so many standard deviations of the last hour is chance. */
const DEVIATIONS = 3

export type RateVerdict = 'fallen' | 'well' | 'unclear'

/**
 * Compares the last hour with the own week before it. Between the two thresholds, and where there is too little to
 * compare, it is unclear: an alert stays as it is.
 */
export function judgeRate(recent: Figures, week: Figures): RateVerdict {
  if (recent.ended < RECENT_MIN || week.ended < WEEK_MIN) return 'unclear'
  const usual = rateOf(week)
  const fall = usual - rateOf(recent)
  if (fall < CLOSES_AT) return 'well'
  const deviation = Math.sqrt((usual * (1 - usual)) / recent.ended)
  return fall >= OPENS_AT && fall > DEVIATIONS * deviation ? 'fallen' : 'unclear'
}

function rateOf({ good, ended }: Figures): number {
  return good / ended
}

export function rateText(about: string, recent: Figures, week: Figures): string {
  const percent = (figures: Figures) => `${Math.round(100 * rateOf(figures))} %`
  return `${about}: ${percent(recent)} succeeded in the last hour, ${percent(week)} in the week before`
}

export function addFigures(to: Map<string, Figures>, key: string, { good, ended }: Figures): void {
  const known = to.get(key) ?? { good: 0, ended: 0 }
  to.set(key, { good: known.good + good, ended: known.ended + ended })
}
