import type { ReadSetting } from './reader.ts'

/** Limits up to which one operator resolves or refunds payments alone, in ringgit of their cost. */
export type ResolveAloneConfig = {
  /** Limit of one payment. */
  readonly max: number
  /** Limit of the sum over 24 hours, of one operator and of one reseller. */
  readonly dayMax: number
  /** Limit of the sum over 7 days. */
  readonly weekMax: number
}

/** Some payments at the limit are an ordinary day; more than a few such days are no ordinary week. */
const PAYMENTS_A_DAY = 5
const DAYS_A_WEEK = 3

export function readResolveAlone(read: ReadSetting): ResolveAloneConfig {
  const max = read('WARUNG_RESOLVE_ALONE_MAX')
  const dayMax = read('WARUNG_RESOLVE_ALONE_DAY_MAX') ?? max * PAYMENTS_A_DAY
  const weekMax = read('WARUNG_RESOLVE_ALONE_WEEK_MAX') ?? dayMax * DAYS_A_WEEK
  return { max, dayMax, weekMax }
}

export function describeResolveAlone({ max, dayMax, weekMax }: ResolveAloneConfig): string {
  return `${max} each, ${dayMax} in 24 hours, ${weekMax} in 7 days`
}
