import type { SubmitOutcome } from './types.ts'

/** The time in which an order may leave is over; undefined: it has all the time. */
export function isOver(notAfterMs: number | undefined): boolean {
  return notAfterMs !== undefined && performance.now() > notAfterMs
}

export const UNSENT: SubmitOutcome = { kind: 'unsent', reason: 'its time was over before it could be sent' }
