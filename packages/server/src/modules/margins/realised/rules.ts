import type { Amount } from '../../../lib/money.ts'
import type { ToldCosts } from '../../payments/reports/sales.types.ts'
import { chargeOf, distance, routesFor } from '../costs.rules.ts'
import type { Suppliers } from '../types.ts'

/** Payments for fewer show nothing: one odd order would look like another price. */
const DRIFT_PAYMENTS_MIN = 5n

/** Money that a supplier took for a product, beside what its route says. */
export type RealisedMargin = ToldCosts & {
  /** Sum that the resellers paid minus what the supplier took; null: its currency had no rate. */
  readonly margin: Amount | null
  /** Cost of the same payments by the supplier's route; null: the route's cost is not known. */
  readonly listedCost: Amount | null
  readonly listedMargin: Amount | null
}

export function realisedOf(told: ToldCosts, { routes }: Pick<Suppliers, 'routes'>): RealisedMargin {
  const { productCode, provider, payments, faceValue, charged, ringgit } = told
  const cost = routesFor(routes, productCode).find((route) => route.provider === provider)?.cost ?? null
  const listedCost = cost === null ? null : chargeOf(cost, faceValue, payments)
  return {
    ...told,
    margin: ringgit === null ? null : charged - ringgit,
    listedCost,
    listedMargin: listedCost === null ? null : charged - listedCost,
  }
}

/** Tells whether the supplier took more or less than its route says, by more than the percentage. */
export function hasDrifted(
  { payments, ringgit, listedCost }: Pick<RealisedMargin, 'payments' | 'ringgit' | 'listedCost'>,
  maxPercent: number,
): boolean {
  if (ringgit === null || listedCost === null || payments < DRIFT_PAYMENTS_MIN) return false
  return distance(ringgit, listedCost) * 100n > listedCost * BigInt(maxPercent)
}

/** Returns how far what was taken is from what is listed, in percent of the latter, to two places; null: not known. */
export function driftPercent({ ringgit, listedCost }: Pick<RealisedMargin, 'ringgit' | 'listedCost'>) {
  if (ringgit === null || listedCost === null || listedCost === 0n) return null
  return Number(((ringgit - listedCost) * 10_000n) / listedCost) / 100
}
