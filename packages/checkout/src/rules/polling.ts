import type { Order, OrderStatus } from '../api/wire.ts'

const STEPS_MS = [1_500, 2_000, 3_000, 5_000, 8_000, 12_000]
const LONGEST_MS = 15_000

/** Pause before the order is read again; undefined when nothing is expected to happen by itself. */
export function pauseMs(status: OrderStatus, readsSoFar: number): number | undefined {
  if (status !== 'awaiting_payment' && status !== 'confirmed') return undefined
  return STEPS_MS[readsSoFar] ?? LONGEST_MS
}

const STEPS: Readonly<Record<OrderStatus, number>> = {
  draft: 0,
  awaiting_payment: 1,
  confirmed: 2,
  completed: 3,
  partially_completed: 3,
  failed: 3,
  cancelled: 3,
  timeout: 3,
}

/**
 * Tells whether an answer is older than the order that is shown. Answers may come in another order than the questions,
 * and an order never goes back.
 */
export function isOlder(answer: Order, shown: Order): boolean {
  const steps = STEPS[answer.status] - STEPS[shown.status]
  if (steps !== 0) return steps < 0
  if (answer.version !== shown.version) return answer.version < shown.version
  return Date.parse(answer.server_time) < Date.parse(shown.server_time)
}

export function isFinal(status: OrderStatus): boolean {
  return status !== 'draft' && status !== 'awaiting_payment' && status !== 'confirmed'
}

/** Tells whether the order or one of its items has another status, so that there may be new results. */
export function hasMoved(before: Order, after: Order): boolean {
  const statuses = ({ status, items }: Order) => [status, ...items.map((item) => item.status)].join()
  return statuses(before) !== statuses(after)
}
