import type { Amount } from '../../lib/money.ts'
import { formatMoney, LOCAL_CURRENCY } from '../../lib/money.ts'
import type { Rate } from '../../lib/rates.ts'
import { RATE_ONE } from '../../lib/rates.ts'
import type { Money, Rates } from './types.ts'

/** Converts to ringgit, rounded once, half away from zero, to the ten-thousandth. The database's `round` does the same. */
export function ringgitOf(amount: Amount, rate: Rate): Amount {
  if (amount < 0n) return -ringgitOf(-amount, rate)
  return (amount * rate + RATE_ONE / 2n) / RATE_ONE
}

/** Returns the money in ringgit; null: its currency has no rate, and nothing is guessed. */
export function inRinggit(rates: Rates, { amount, currency }: Money): Amount | null {
  if (currency === LOCAL_CURRENCY) return amount
  const rate = rates.get(currency)
  return rate === undefined ? null : ringgitOf(amount, rate)
}

/** Formats money with its currency, and its ringgit where it is of another one and has a rate: `12.30 USD (57.81 MYR)`. */
export function moneyText(money: Money, ringgit: Amount | null): string {
  if (money.currency === LOCAL_CURRENCY) return formatMoney(money.amount)
  const own = `${formatMoney(money.amount)} ${money.currency}`
  return ringgit === null ? own : `${own} (${formatMoney(ringgit)} ${LOCAL_CURRENCY})`
}
