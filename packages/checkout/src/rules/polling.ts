import type { OrderStatus } from '../api/wire.ts'

const STEPS_MS = [1_500, 2_000, 3_000, 5_000, 8_000, 12_000]
const LONGEST_MS = 15_000

/** Pause before the order is read again; undefined when nothing is expected to happen by itself. */
export function pauseMs(status: OrderStatus, readsSoFar: number): number | undefined {
  if (status !== 'awaiting_payment' && status !== 'confirmed') return undefined
  return STEPS_MS[readsSoFar] ?? LONGEST_MS
}

export function isFinal(status: OrderStatus): boolean {
  return status !== 'draft' && status !== 'awaiting_payment' && status !== 'confirmed'
}
