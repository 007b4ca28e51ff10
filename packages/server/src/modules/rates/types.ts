import type { Amount } from '../../lib/money.ts'
import type { Rate } from '../../lib/rates.ts'

/** Ringgit for one unit, by currency: the rates in force. The ringgit is not among them. */
export type Rates = ReadonlyMap<string, Rate>

/** Money in any currency, in ten-thousandths of its unit. */
export type Money = { readonly amount: Amount; readonly currency: string }

export const RATE_STATES = ['in_force', 'planned', 'past'] as const
export type RateState = (typeof RATE_STATES)[number]

export type CurrencyRate = {
  readonly id: bigint
  readonly currency: string
  /** Ringgit for one unit. */
  readonly rate: Rate
  /** Time from which it is in force, until a later one is. */
  readonly fromAt: Date
  readonly state: RateState
  readonly reason: string
  readonly setBy: string
  /** Second person; null: it was set at the machine. */
  readonly approvedBy: string | null
  readonly setAt: Date
}

export type NewRate = Omit<CurrencyRate, 'id' | 'state' | 'setAt'>
