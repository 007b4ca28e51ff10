import type { OrderState, UnitState } from './types.ts'

/** Allowed moves of an order. The database's own guard, orders_move_by_table, has the same table. */
export const MOVES: Readonly<Record<OrderState, readonly OrderState[]>> = {
  /** The customer submits; the reseller or the customer cancels; the expiry passes. */
  draft: ['awaiting_payment', 'cancelled', 'timeout'],
  /** The reseller confirms. A submitted basket never changes again. */
  awaiting_payment: ['confirmed', 'cancelled', 'timeout'],
  /** All units are final. */
  confirmed: ['completed', 'partially_completed', 'failed'],
  completed: [],
  partially_completed: [],
  failed: [],
  cancelled: [],
  timeout: [],
}

export function mayMove(from: OrderState, to: OrderState): boolean {
  return MOVES[from].includes(to)
}

/** Tells whether the order is still open: it can be cancelled, and it times out. */
export function isOpen(state: OrderState): boolean {
  return state === 'draft' || state === 'awaiting_payment'
}

/** Tells whether nothing will ever change again. */
export function isFinal(state: OrderState): boolean {
  return MOVES[state].length === 0
}

/** Names the event of a final state. */
export function eventTypeOf(state: OrderState): 'order.completed' | 'order.timeout' | 'order.cancelled' {
  switch (state) {
    case 'timeout':
      return 'order.timeout'
    case 'cancelled':
      return 'order.cancelled'
    case 'draft':
    case 'awaiting_payment':
    case 'confirmed':
    case 'completed':
    case 'partially_completed':
    case 'failed':
      return 'order.completed'
  }
}

export const LINE_STATUSES = ['pending', 'processing', 'succeeded', 'partially_succeeded', 'failed'] as const
export type LineStatus = (typeof LINE_STATUSES)[number]

/** Sums up the states of a line's units. A line has none until its order is confirmed. */
export function lineStatus(states: readonly UnitState[]): LineStatus {
  if (states.length === 0) return 'pending'
  if (states.includes('waiting') || states.includes('sent')) return 'processing'
  if (!states.includes('failed')) return 'succeeded'
  return states.includes('succeeded') ? 'partially_succeeded' : 'failed'
}
