import { setTimeout as delay } from 'node:timers/promises'
import type { Progress } from '../../db/progress.ts'
import { joinProgress } from '../../db/progress.ts'
import type { AlertReport } from '../alerts/types.ts'
import { createAttempts } from './attempts.service.ts'
import type { CallbackSettings, Callbacks } from './callbacks.service.ts'
import { createCallbacks } from './callbacks.service.ts'
import { createDispatcher } from './dispatch.service.ts'
import type { IntakeSettings } from './intake.service.ts'
import { createIntake } from './intake.service.ts'
import { startRecovery } from './recovery.jobs.ts'
import type { ResolveCommand } from './resolve.service.ts'
import { createResolver } from './resolve.service.ts'
import type { Payments, PaymentsSettings } from './service.ts'
import { createPayments } from './service.ts'

export type OpenPayments = Payments & {
  /** Commands that wait for a commit, on either side of the provider. */
  readonly waiting: number
  /** These, and those whose commit is under way. */
  readonly unanswered: number
  /** Of both kinds of commands. */
  readonly progress: Progress
  readonly underway: number
  /** What providers send by themselves. */
  readonly callbacks: Callbacks
  /** Finishes what was taken: nothing is lost by not closing, it only takes a lease's time to be found again. */
  close(): Promise<void>
}

const RECOVERY_EVERY_MS = 1_000
/** A provider that hangs does not hold up a stop: what it was sent is asked about after the next start. */
const DRAIN_MAX_MS = 3_000

/** From the request to the provider and back: what is taken, sent, resolved and recovered. */
export function openPayments(
  settings: Omit<PaymentsSettings, 'intake' | 'dispatcher'> &
    Pick<CallbackSettings, 'alerts' | 'onCallbackTrouble'> &
    Pick<IntakeSettings, 'failpoint' | 'onCommitted'>,
): OpenPayments {
  const intake = createIntake(settings)
  const resolver = createResolver({
    ...settings,
    onContradiction: (command) => settings.alerts.tell(contradictionReport(command)),
  })
  const attempts = createAttempts(settings)
  const dispatcher = createDispatcher({ ...settings, resolver, attempts })
  const recovery = startRecovery({ ...settings, resolver, dispatcher, attempts, everyMs: RECOVERY_EVERY_MS })
  const payments = createPayments({ ...settings, intake, dispatcher })
  return {
    pay: payments.pay,
    callbacks: createCallbacks({ ...settings, resolver }),
    get waiting() {
      return intake.waiting + resolver.waiting
    },
    get unanswered() {
      return intake.unanswered + resolver.unanswered
    },
    get progress() {
      return joinProgress([intake.progress, resolver.progress])
    },
    get underway() {
      return dispatcher.underway
    },
    async close() {
      const inTime = (work: Promise<void>) =>
        Promise.race([work, delay(DRAIN_MAX_MS, undefined, { ref: false })])
      await Promise.all([inTime(recovery.stop()), intake.drain()])
      await inTime(dispatcher.drain())
      await attempts.drain()
      await resolver.drain()
    },
  }
}

/** For the log: the commit that noted it has raised the alert, which says more. */
function contradictionReport({ resellerId, id }: ResolveCommand): AlertReport {
  return {
    kind: 'payment_contradiction',
    subject: String(id),
    text: `payment ${id} of reseller ${resellerId}: a provider contradicts its end`,
    severity: 'critical',
  }
}
