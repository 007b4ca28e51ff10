import type { Amount } from '../../lib/money.ts'

export type FloatReading = { readonly at: Date; readonly amount: Amount }

/** What is known of the money that we hold at a provider. */
export type ProviderFloat = {
  readonly provider: string
  /** null: it never said. */
  readonly amount: Amount | null
  readonly readAt: Date | null
  /** Since when it gives no answer. */
  readonly failingSince: Date | null
  readonly trouble: string | null
  /** Below this an operator is told; null: never. */
  readonly alertBelow: Amount | null
  /** What trading takes from it in an hour; null: not known yet. */
  readonly spentPerHour: Amount | null
}
