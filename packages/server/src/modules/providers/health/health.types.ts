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

/** Orders by the answer that the provider gave when it was sent them. */
export type AnswerCounts = {
  succeeded: number
  failed: number
  /** The provider took it, and decides later. */
  pending: number
  /** The provider certainly did nothing. */
  not_acted: number
  /** No answer, or none that can be understood. */
  unknown: number
}

/** Orders of one node within five minutes. */
export type HealthInterval = {
  readonly startMs: number
  readonly counts: Readonly<AnswerCounts>
  /** Orders by the step of time that they took. */
  readonly latencies: readonly number[]
}

export type HealthPoint = {
  readonly startMs: number
  readonly attempts: number
  readonly counts: Readonly<AnswerCounts>
  readonly p50Ms: number | null
  readonly p95Ms: number | null
}

export type HealthSeries = {
  readonly stepMs: number
  readonly points: readonly HealthPoint[]
  readonly total: Omit<HealthPoint, 'startMs'>
}

export const REFUSAL_OUTCOMES = ['failed', 'not_acted'] as const

/** Answer by which a provider refused an order. */
export type Refusal = {
  readonly provider: string
  readonly outcome: (typeof REFUSAL_OUTCOMES)[number]
  /** The provider's own code or word; empty: it gave none. */
  readonly word: string
  readonly code: number
}

export type CountedRefusal = Omit<Refusal, 'provider'> & { readonly count: number; readonly lastAt: Date }
