import type { Amount } from '../../lib/money.ts'
import { inRinggit, moneyText } from '../rates/rules.ts'
import type { Money, Rates } from '../rates/types.ts'

export type FloatReading = { readonly at: Date; readonly amount: Amount }

/** Known facts about the money that we hold at a provider. */
export type ProviderFloat = {
  readonly provider: string
  /** Amount at the last answer; null: it never answered. */
  readonly amount: Amount | null
  /** Currency of all amounts here, by ISO 4217. */
  readonly currency: string
  /** The amount in ringgit, by the rate of now; null: it is not known, or the currency has no rate. */
  readonly ringgit: Amount | null
  readonly readAt: Date | null
  /** Time since which it gives no answer. */
  readonly failingSince: Date | null
  readonly trouble: string | null
  /** Amount below which an operator is alerted; null: never. */
  readonly alertBelow: Amount | null
  /** Amount that trading takes from it in an hour; null: not known yet. */
  readonly spentPerHour: Amount | null
  /** Hours that it lasts at that rate, to a tenth; null: nothing is spent, or the rate is not known. */
  readonly hoursLeft: number | null
}

const HOUR_MS = 3_600_000
/** Minimum span of readings; in a shorter one, two orders would look like a rate. */
const SPAN_MIN_MS = HOUR_MS / 2
/** Hours over which the rate is measured: the present rate of trading is that of the last hours, not days. */
export const RATE_HOURS = 6
const WARNED_HOURS = 24n

/**
 * Amount that trading takes from the float per hour: the sum of decreases between readings, which are oldest first.
 * Increases are ignored, because a deposit is not trading; trade between the same two readings as a deposit is not
 * seen.
 */
export function spentPerHour(readings: readonly FloatReading[]): Amount | null {
  const [first, last] = [readings[0], readings.at(-1)]
  if (first === undefined || last === undefined) return null
  const spanMs = last.at.getTime() - first.at.getTime()
  if (spanMs < SPAN_MIN_MS) return null
  let spent = 0n
  for (const [index, { amount }] of readings.entries()) {
    const before = readings[index - 1]?.amount ?? amount
    if (amount < before) spent += before - amount
  }
  return (spent * BigInt(HOUR_MS)) / BigInt(spanMs)
}

const HOURS_LEFT_MAX = 9_999

/** Returns the hours that the float lasts, to a tenth; null: nothing is spent, or the rate is not known. */
export function hoursLeft(amount: Amount, rate: Amount | null): number | null {
  if (rate === null || rate <= 0n) return null
  if (amount <= 0n) return 0
  return Math.min(Number((amount * 10n) / rate) / 10, HOURS_LEFT_MAX)
}

export type FloatFindings = {
  /** Reason to alert an operator; null: no reason. */
  readonly low: string | null
  readonly forecast: string | null
}

/** Judges a float. The threshold and the readings are in its currency. */
export function judgeFloat(
  { amount, currency }: Money,
  alertBelow: Amount | null,
  readings: readonly FloatReading[],
  rates: Rates,
): FloatFindings {
  const text = (units: Amount) => {
    const money = { amount: units, currency }
    return moneyText(money, inRinggit(rates, money))
  }
  const rate = spentPerHour(readings)
  const isLow = alertBelow !== null && amount < alertBelow
  const runsOut = rate !== null && rate > 0n && amount < rate * WARNED_HOURS
  return {
    low: isLow ? `${text(amount)} is left, less than ${text(alertBelow)}` : null,
    forecast: runsOut
      ? `${text(amount)} is left, and trading takes ${text(rate)} an hour: it lasts less than a day`
      : null,
  }
}
