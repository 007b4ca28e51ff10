import type { Failpoint } from '../../../lib/failpoints.ts'
import { leaseNowMs } from '../../../lib/lease-time.ts'
import type { OnProblem } from '../../../lib/observing/payment-stages.ts'
import type { Attempts } from './attempts.service.ts'
import type { AttemptKey } from './attempts.sql.ts'

export type LeaseCheckSettings = {
  attempts: Pick<Attempts, 'isPresent'>
  leaseMs: number
  failpoint: Failpoint
  onProblem: OnProblem
}

type Leased = AttemptKey & {
  /** End of the lease on leaseNowMs's clock. */
  readonly leaseEndsMs: number
}

/**
 * Milliseconds after the start of its lease in which an order may be sent unconfirmed, if it did not wait in a queue.
 */
const FRESH_MS = 1_000

/**
 * Tells whether the lease must be confirmed in the database before the order is sent. False only for the first sending
 * of a payment right after the commit that took it: no other node can hold it, and a check would cost every payment a
 * round trip.
 */
export function mustConfirm({ leaseMs }: LeaseCheckSettings, order: Leased, hasWaited: boolean): boolean {
  const { attempt, lease, leaseEndsMs } = order
  return hasWaited || attempt > 1 || lease > 1 || leaseNowMs() > leaseEndsMs - leaseMs + FRESH_MS
}

/** Tells whether the holder may still send an order. False also when the database cannot say: then nothing is sent. */
export async function isConfirmed(
  { attempts, failpoint, onProblem }: LeaseCheckSettings,
  order: Leased,
): Promise<boolean> {
  try {
    if (!(await attempts.isPresent(order))) return false
  } catch (error) {
    onProblem(`payment ${order.paymentId} is not sent: its lease could not be confirmed`, error, order)
    return false
  }
  failpoint('dispatch.confirmed')
  return true
}
