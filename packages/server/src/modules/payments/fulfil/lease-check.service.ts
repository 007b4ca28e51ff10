import type { Failpoint } from '../../../lib/failpoints.ts'
import type { Attempts } from './attempts.service.ts'
import type { AttemptKey } from './attempts.sql.ts'

export type LeaseCheckSettings = {
  attempts: Pick<Attempts, 'isPresent'>
  leaseMs: number
  failpoint: Failpoint
  onProblem: (text: string, error: unknown) => void
}

type Leased = AttemptKey & {
  /** On performance.now's clock. */
  readonly leaseEndsMs: number
}

/** An order that leaves later than this after its lease began is confirmed first, even if it stood in no line. */
const FRESH_MS = 1_000

/**
 * False for the first sending of a payment right after the commit that took it: nobody else can have it, and asking would
 * cost every payment a round trip. Everything else is confirmed in the database.
 */
export function mustConfirm({ leaseMs }: LeaseCheckSettings, order: Leased, hasWaited: boolean): boolean {
  const { attempt, lease, leaseEndsMs } = order
  return hasWaited || attempt > 1 || lease > 1 || performance.now() > leaseEndsMs - leaseMs + FRESH_MS
}

/** Whether an order is still its holder's to send. False also when the database cannot say: then nothing is sent. */
export async function isConfirmed(
  { attempts, failpoint, onProblem }: LeaseCheckSettings,
  order: Leased,
): Promise<boolean> {
  try {
    if (!(await attempts.isPresent(order))) return false
  } catch (error) {
    onProblem(`payment ${order.paymentId} is not sent: its lease could not be confirmed`, error)
    return false
  }
  failpoint('dispatch.confirmed')
  return true
}
