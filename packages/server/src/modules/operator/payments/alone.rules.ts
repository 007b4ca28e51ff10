import type { Amount } from '../../../lib/money.ts'
import type { AloneLimits } from '../kit/types.ts'

/** Sums of payments that were decided about without a second person. */
export type AloneSums = {
  readonly operatorDay: Amount
  readonly operatorWeek: Amount
  readonly resellerDay: Amount
  readonly resellerWeek: Amount
}

/** Tells whether one operator alone may decide about a payment of this cost. */
export function mayDecideAlone(cost: Amount, limits: AloneLimits, sums: AloneSums): boolean {
  return (
    cost <= limits.each &&
    sums.operatorDay + cost <= limits.day &&
    sums.resellerDay + cost <= limits.day &&
    sums.operatorWeek + cost <= limits.week &&
    sums.resellerWeek + cost <= limits.week
  )
}
