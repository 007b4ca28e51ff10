import type { BreakerState } from '../connections/routing.types.ts'

/** Measurement of a provider, as one node reports it to the others. */
export type HealthRow = {
  provider: string
  node: string
  state: BreakerState
  orders: number
  answered: number
  timeouts: number
  not_acted: number
  p50_ms: number | null
  p95_ms: number | null
  age_ms: number
}

export type HealthReport = Omit<HealthRow, 'node' | 'age_ms'>
