import { setTimeout as delay } from 'node:timers/promises'
import type { Progress } from '../../db/progress.ts'
import { joinProgress } from '../../db/progress.ts'
import type { AlertReport } from '../alerts/alert/types.ts'
import type { Catalog } from '../catalog/product/store.types.ts'
import { createAttempts } from './fulfil/attempts.service.ts'
import type { CallbackSettings, Callbacks } from './fulfil/callbacks.service.ts'
import { createCallbacks } from './fulfil/callbacks.service.ts'
import { createDispatcher } from './fulfil/dispatch.service.ts'
import { keepingAttempts, keepingResolver } from './fulfil/kept-answers.service.ts'
import type { RecoverySettings } from './fulfil/recovery.jobs.ts'
import { startRecovery } from './fulfil/recovery.jobs.ts'
import type { PaymentCount } from './outcomes/counts.service.ts'
import { createPaymentCounts } from './outcomes/counts.service.ts'
import type { Outcomes } from './outcomes/outcomes.types.ts'
import type { ResolveCommand } from './outcomes/resolve.service.ts'
import { createResolver } from './outcomes/resolve.service.ts'
import type { IntakeSettings } from './take/intake.service.ts'
import { createIntake } from './take/intake.service.ts'
import { forgetRejections } from './take/rejections.service.ts'
import type { Payments, PaymentsSettings } from './take/service.ts'
import { createPayments } from './take/service.ts'

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
  /** Payments that this node brought to their end since it started. */
  counts(): Iterable<PaymentCount>
  /** Forgets what no request can need any more. */
  sweep(): Promise<void>
  /**
   * Finishes what was taken, and closes the outcomes. Without it, payments are found again after a lease's time, but
   * answers that were heard and not written are lost.
   */
  close(): Promise<void>
}

const RECOVERY_EVERY_MS = 1_000
/** A provider that hangs does not hold up a stop: what it was sent is asked about after the next start. */
const DRAIN_MAX_MS = 3_000
/** A provider that cannot be asked says once what became of an order: a stop waits longer for that. */
const LAST_WORD_MAX_MS = 20_000

/** From the request to the provider and back: what is taken, sent, resolved and recovered. */
export function openPayments(
  settings: Omit<PaymentsSettings, 'intake' | 'dispatcher'> &
    Pick<CallbackSettings, 'alerts' | 'onCallbackTrouble'> &
    Pick<RecoverySettings, 'leaseClock'> &
    Pick<IntakeSettings, 'database' | 'vault' | 'failpoint' | 'onCommitted'> & {
      outcomes: Outcomes
      catalog: Pick<Catalog, 'base'>
    },
): OpenPayments {
  const { outcomes, providers } = settings
  const intake = createIntake(settings)
  const counts = createPaymentCounts(settings)
  const openResolver = () =>
    createResolver({
      ...settings,
      onMoved: counts.take,
      onContradiction: (command) => settings.alerts.tell(contradictionReport(command)),
    })
  // A callback that cannot be written is not answered, and so repeated by who sent it: it needs no keeping.
  const plainResolver = openResolver()
  const resolver = keepingResolver(outcomes, plainResolver, openResolver())
  const attempts = keepingAttempts(outcomes, createAttempts(settings))
  const dispatcher = createDispatcher({ ...settings, resolver, attempts })
  const recovery = startRecovery({ ...settings, resolver, dispatcher, attempts, everyMs: RECOVERY_EVERY_MS })
  const payments = createPayments({ ...settings, intake, dispatcher })
  return {
    pay: payments.pay,
    callbacks: createCallbacks({ ...settings, resolver: plainResolver }),
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
    counts: counts.list,
    sweep: () => forgetRejections(settings.database),
    async close() {
      const inTime = (work: Promise<unknown>, timeMs = DRAIN_MAX_MS) =>
        Promise.race([work, delay(timeMs, undefined, { ref: false })])
      await Promise.all([inTime(recovery.stop()), inTime(intake.drain())])
      const drained = dispatcher.drain()
      await inTime(drained)
      const isAnswerAwaited = providers
        .list()
        .some(({ code, canBeAsked }) => canBeAsked === false && dispatcher.underwayAt(code) > 0)
      if (isAnswerAwaited) await inTime(drained, LAST_WORD_MAX_MS - DRAIN_MAX_MS)
      // Before its ways into the database are closed, and whether or not the database answers.
      await outcomes.close()
      await inTime(Promise.all([attempts.drain(), resolver.drain()]))
    },
  }
}

/** For the log: the commit that noted it has raised the alert, which says more. */
function contradictionReport({ resellerId, id }: ResolveCommand): AlertReport {
  return {
    kind: 'payment_contradiction',
    subject: String(id),
    text: `payment ${id} of reseller ${resellerId}: a provider contradicts its end`,
  }
}
