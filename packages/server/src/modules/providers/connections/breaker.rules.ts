import type { Admission, BreakerState, Health, Observation } from './routing.types.ts'

// Health is measured by the orders themselves. A provider that refuses an order has answered; a provider that does not
// answer, or takes no orders at all, is ill. Times are milliseconds of a monotonic clock.

export type BreakerSettings = {
  /** Number of ill orders in a row that opens the breaker. */
  readonly failuresInARow: number
  /** Minimum of orders in the window for a rate to count. */
  readonly volumeMin: number
  /** Rate of ill orders that opens the breaker, from 0 to 1. */
  readonly illRate: number
  /** Time without orders before the provider is tried again; it doubles after each failed try. */
  readonly backOffMs: number
  readonly backOffMaxMs: number
  /** Number of orders let through as probes; all of them must be answered. */
  readonly probes: number
}

export const USUAL_BREAKER: BreakerSettings = {
  failuresInARow: 5,
  volumeMin: 20,
  illRate: 0.5,
  backOffMs: 5_000,
  backOffMaxMs: 120_000,
  probes: 3,
}

const BUCKETS = 10
const BUCKET_MS = 3_000
/** Upper ends of the steps in milliseconds; the last step also counts everything beyond. */
export const LATENCY_STEPS = [
  1, 2, 3, 5, 7, 10, 15, 20, 30, 50, 70, 100, 150, 200, 300, 500, 700, 1_000, 1_500, 2_000, 3_000, 5_000,
  7_000, 10_000, 15_000, 20_000, 30_000, 60_000, 120_000,
]

type Bucket = {
  /** Number of the three-second interval that the bucket counts. */
  turn: number
  answered: number
  timeouts: number
  notActed: number
  readonly latencies: number[]
}

export type Breaker = {
  /** null: health is measured, but the breaker never opens. */
  readonly settings: BreakerSettings | null
  readonly buckets: readonly Bucket[]
  state: BreakerState
  failuresInARow: number
  backOffMs: number
  retryAtMs: number
  closedAtMs: number
  halfOpenAtMs: number
  probesSent: number
  probesAnswered: number
}

export function createBreaker(settings: BreakerSettings | null): Breaker {
  return {
    settings,
    buckets: Array.from({ length: BUCKETS }, () => ({
      turn: -1,
      answered: 0,
      timeouts: 0,
      notActed: 0,
      latencies: LATENCY_STEPS.map(() => 0),
    })),
    state: 'closed',
    failuresInARow: 0,
    backOffMs: 0,
    retryAtMs: 0,
    closedAtMs: Number.NEGATIVE_INFINITY,
    halfOpenAtMs: 0,
    probesSent: 0,
    probesAnswered: 0,
  }
}

// ── Orders ──

/** Tells whether a new order may choose the provider; changes nothing. */
export function acceptsOrders(breaker: Breaker, nowMs: number): boolean {
  if (breaker.state === 'closed') return true
  if (breaker.state === 'open') return nowMs >= breaker.retryAtMs
  return breaker.settings !== null && breaker.probesSent < breaker.settings.probes
}

/** Tells whether an order may be sent now. Each `send` must be observed. */
export function admit(breaker: Breaker, nowMs: number): Admission {
  const { settings } = breaker
  if (breaker.state === 'closed' || settings === null) return 'send'
  if (breaker.state === 'open') {
    if (nowMs < breaker.retryAtMs) return 'open'
    breaker.state = 'half_open'
    breaker.halfOpenAtMs = nowMs
    breaker.probesSent = 0
    breaker.probesAnswered = 0
  }
  if (breaker.probesSent >= settings.probes) return 'wait'
  breaker.probesSent += 1
  return 'send'
}

export function observe(breaker: Breaker, observation: Observation, nowMs: number): void {
  if (observation.answer === 'unsent') {
    if (isOfProbe(breaker, observation, nowMs)) breaker.probesSent -= 1
    return
  }
  const isIll = isFailure(observation)
  count(breaker, observation, isIll, nowMs)
  breaker.failuresInARow = isIll ? breaker.failuresInARow + 1 : 0
  const { settings } = breaker
  if (settings === null) return
  if (breaker.state === 'closed') {
    if (isIll && isEnough(breaker, settings, nowMs)) open(breaker, settings, nowMs)
    return
  }
  if (!isOfProbe(breaker, observation, nowMs)) return
  if (isIll) {
    open(breaker, settings, nowMs)
    return
  }
  breaker.probesAnswered += 1
  if (breaker.probesAnswered >= settings.probes) close(breaker, nowMs)
}

/**
 * Tells whether the order was a probe. Orders sent before the breaker opened say nothing about the present, and none
 * were sent while it was open.
 */
function isOfProbe(breaker: Breaker, { tookMs }: Observation, nowMs: number): boolean {
  return breaker.state === 'half_open' && nowMs - tookMs >= breaker.halfOpenAtMs
}

/** Out of stock, or closed for this product, is an answer although nothing was done. */
function isFailure({ answer, code }: Observation): boolean {
  if (answer === 'unknown') return true
  return answer === 'not_acted' && (code === undefined || code === 47 || code === 55)
}

function isEnough(breaker: Breaker, settings: BreakerSettings, nowMs: number): boolean {
  if (breaker.failuresInARow >= settings.failuresInARow) return true
  const { answered, timeouts, notActed } = sum(breaker, nowMs)
  const ended = answered + timeouts + notActed
  return ended >= settings.volumeMin && (timeouts + notActed) / ended >= settings.illRate
}

function open(breaker: Breaker, settings: BreakerSettings, nowMs: number): void {
  // The back-off continues from its last value shortly after closing: a provider that fails again and again is ill.
  const isRelapse = breaker.state === 'half_open' || nowMs - breaker.closedAtMs < settings.backOffMaxMs
  breaker.backOffMs = isRelapse
    ? Math.min(settings.backOffMaxMs, Math.max(settings.backOffMs, breaker.backOffMs * 2))
    : settings.backOffMs
  breaker.state = 'open'
  breaker.retryAtMs = nowMs + breaker.backOffMs
}

function close(breaker: Breaker, nowMs: number): void {
  breaker.state = 'closed'
  breaker.closedAtMs = nowMs
  breaker.failuresInARow = 0
  // The illness that opened the breaker is over and must not open it again.
  for (const bucket of breaker.buckets) bucket.turn = -1
}

// ── The window ──

function count(breaker: Breaker, { answer, tookMs }: Observation, isIll: boolean, nowMs: number): void {
  const turn = Math.floor(nowMs / BUCKET_MS)
  const bucket = breaker.buckets[turn % BUCKETS] as Bucket
  if (bucket.turn !== turn) {
    bucket.turn = turn
    bucket.answered = 0
    bucket.timeouts = 0
    bucket.notActed = 0
    bucket.latencies.fill(0)
  }
  if (!isIll) bucket.answered += 1
  else if (answer === 'unknown') bucket.timeouts += 1
  else bucket.notActed += 1
  const place = latencyStep(tookMs)
  bucket.latencies[place] = (bucket.latencies[place] ?? 0) + 1
}

/** Returns the place of a duration among the steps. */
export function latencyStep(tookMs: number): number {
  const step = LATENCY_STEPS.findIndex((end) => tookMs <= end)
  return step < 0 ? LATENCY_STEPS.length - 1 : step
}

type Sum = { answered: number; timeouts: number; notActed: number; latencies: number[] }

function sum(breaker: Breaker, nowMs: number): Sum {
  const turn = Math.floor(nowMs / BUCKET_MS)
  const total: Sum = { answered: 0, timeouts: 0, notActed: 0, latencies: LATENCY_STEPS.map(() => 0) }
  for (const bucket of breaker.buckets) {
    if (bucket.turn < 0 || bucket.turn <= turn - BUCKETS) continue
    total.answered += bucket.answered
    total.timeouts += bucket.timeouts
    total.notActed += bucket.notActed
    for (const [place, seen] of bucket.latencies.entries()) {
      total.latencies[place] = (total.latencies[place] ?? 0) + seen
    }
  }
  return total
}

export function stateOf(breaker: Breaker, nowMs: number): BreakerState {
  return breaker.state === 'open' && nowMs >= breaker.retryAtMs ? 'half_open' : breaker.state
}

export function measure(breaker: Breaker, nowMs: number): Health {
  const { answered, timeouts, notActed, latencies } = sum(breaker, nowMs)
  const orders = answered + timeouts + notActed
  return {
    state: stateOf(breaker, nowMs),
    orders,
    successRate: orders === 0 ? null : answered / orders,
    timeouts,
    notActed,
    p50Ms: percentile(latencies, orders, 0.5),
    p95Ms: percentile(latencies, orders, 0.95),
  }
}

/** Returns the upper end of the step that holds the percentile. */
export function percentile(latencies: readonly number[], orders: number, part: number): number | null {
  if (orders === 0) return null
  let left = orders * part
  for (const [place, seen] of latencies.entries()) {
    left -= seen
    if (left <= 0) return LATENCY_STEPS[place] as number
  }
  return LATENCY_STEPS.at(-1) as number
}
