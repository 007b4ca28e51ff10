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
