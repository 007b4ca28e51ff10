import { leaseNowMs } from '../../../lib/lease-time.ts'
import type { SubmitOutcome } from './types.ts'

/** Tells whether the time in which an order may be sent is over; undefined: it has no limit. */
export function isOver(notAfterMs: number | undefined): boolean {
  return notAfterMs !== undefined && leaseNowMs() > notAfterMs
}

export const UNSENT: SubmitOutcome = { kind: 'unsent', reason: 'its time was over before it could be sent' }
