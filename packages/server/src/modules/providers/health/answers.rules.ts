import { INTERVAL_MS } from './history.rules.ts'

/** Orders of all nodes to one provider within one interval of five minutes. */
export type AnsweredInterval = {
  /** Age of the interval's beginning. */
  readonly ageMs: number
  readonly orders: number
  /** Orders to which the provider gave an answer that can be understood. */
  readonly answered: number
}

export type Silence = {
  readonly state: 'bad' | 'unclear' | 'well'
  /** Orders since the last answer. */
  readonly unanswered: number
}

const HOUR_MS = 3_600_000
/** Orders without an answer from which a provider is silent; the newest is at most an hour old. */
const SILENT_FROM = 5
/** Time in which half of the orders have to be answered until it is well again. */
const WELL_AGAIN_MS = 3 * INTERVAL_MS
const WELL_FROM_SHARE = 0.5

/** Judges a provider by the intervals of the last day that have orders. Without orders nothing is known against it. */
export function judgeSilence(intervals: readonly AnsweredInterval[]): Silence {
  const newestFirst = intervals.toSorted((a, b) => a.ageMs - b.ageMs)
  const lastAnswer = newestFirst.findIndex(({ answered }) => answered > 0)
  const since = lastAnswer < 0 ? newestFirst : newestFirst.slice(0, lastAnswer)
  const unanswered = sum(since, ({ orders }) => orders)
  const [newest] = newestFirst
  if (newest === undefined) return { state: 'well', unanswered }
  if (unanswered >= SILENT_FROM && newest.ageMs <= HOUR_MS) return { state: 'bad', unanswered }
  const recent = newestFirst.filter(({ ageMs }) => ageMs <= WELL_AGAIN_MS)
  const [orders, answered] = [sum(recent, (each) => each.orders), sum(recent, (each) => each.answered)]
  const isWell = orders > 0 && answered >= WELL_FROM_SHARE * orders
  return { state: isWell ? 'well' : 'unclear', unanswered }
}

function sum<T>(list: readonly T[], read: (each: T) => number): number {
  return list.reduce((total, each) => total + read(each), 0)
}
