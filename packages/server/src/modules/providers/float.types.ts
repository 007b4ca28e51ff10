import type { Amount } from '../../lib/money.ts'

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
