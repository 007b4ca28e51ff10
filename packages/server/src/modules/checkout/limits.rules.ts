/** Kinds of requests that are counted per order. */
export type Counted = 'requests' | 'bills' | 'questions'

type Limit = { readonly perMinute: number; readonly perDay: number }

/**
 * Limits of one order. A bill shows the name and the debt of whoever has the account, and a question to a supplier costs
 * the supplier work: a token must not be a way to try thousands of accounts, however long its order lives.
 */
export const ORDER_LIMITS: Readonly<Record<Counted, Limit>> = {
  requests: { perMinute: 120, perDay: 20_000 },
  bills: { perMinute: 20, perDay: 300 },
  questions: { perMinute: 30, perDay: 500 },
}

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

type Window = { beganMs: number; counts: Record<Counted, number> }

/** Counts of one order: those of the current minute and of the current day. */
export type OrderCounts = { readonly minute: Window; readonly day: Window }

export function newCounts(nowMs: number): OrderCounts {
  const empty = () => ({ beganMs: nowMs, counts: { requests: 0, bills: 0, questions: 0 } })
  return { minute: empty(), day: empty() }
}

/** Returns the milliseconds until `count` more of this kind are allowed; 0: now. */
export function waitFor(counts: OrderCounts, kind: Counted, count: number, nowMs: number): number {
  const { perMinute, perDay } = ORDER_LIMITS[kind]
  return Math.max(
    waitIn(counts.minute, MINUTE_MS, kind, perMinute - count, nowMs),
    waitIn(counts.day, DAY_MS, kind, perDay - count, nowMs),
  )
}

function waitIn({ beganMs, counts }: Window, lengthMs: number, kind: Counted, max: number, nowMs: number) {
  const endMs = beganMs + lengthMs
  return nowMs >= endMs || counts[kind] <= max ? 0 : endMs - nowMs
}

/** Counts requests of a kind. A window that has passed begins anew. */
export function count(counts: OrderCounts, kind: Counted, more: number, nowMs: number): void {
  countIn(counts.minute, MINUTE_MS, kind, more, nowMs)
  countIn(counts.day, DAY_MS, kind, more, nowMs)
}

function countIn(window: Window, lengthMs: number, kind: Counted, more: number, nowMs: number): void {
  if (nowMs >= window.beganMs + lengthMs) {
    window.beganMs = nowMs
    window.counts = { requests: 0, bills: 0, questions: 0 }
  }
  window.counts[kind] += more
}
