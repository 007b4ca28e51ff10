import { setTimeout as delay } from 'node:timers/promises'
import type { Failpoint } from '../../lib/failpoints.ts'
import { createDispatcher } from './dispatch.service.ts'
import { createIntake } from './intake.service.ts'
import { startRecovery } from './recovery.jobs.ts'
import { createResolver } from './resolve.service.ts'
import type { Payments, PaymentsSettings } from './service.ts'
import { createPayments } from './service.ts'

export type OpenPayments = Payments & {
  /** Commands that wait for a commit, on either side of the provider. */
  readonly waiting: number
  readonly underway: number
  /** Finishes what was taken: nothing is lost by not closing, it only takes a lease's time to be found again. */
  close(): Promise<void>
}

const RECOVERY_EVERY_MS = 1_000
/** A provider that hangs does not hold up a stop: what it was sent is asked about after the next start. */
const DRAIN_MAX_MS = 3_000

/** From the request to the provider and back: what is taken, sent, resolved and recovered. */
export function openPayments(
  settings: Omit<PaymentsSettings, 'intake' | 'dispatcher'> & { failpoint: Failpoint },
): OpenPayments {
  const intake = createIntake(settings)
  const resolver = createResolver(settings)
  const dispatcher = createDispatcher({ ...settings, resolver })
  const recovery = startRecovery({ ...settings, resolver, dispatcher, everyMs: RECOVERY_EVERY_MS })
  const payments = createPayments({ ...settings, intake, dispatcher })
  return {
    pay: payments.pay,
    get waiting() {
      return intake.waiting + resolver.waiting
    },
    get underway() {
      return dispatcher.underway
    },
    async close() {
      await recovery.stop()
      await intake.drain()
      await Promise.race([dispatcher.drain(), delay(DRAIN_MAX_MS, undefined, { ref: false })])
      await resolver.drain()
    },
  }
}
