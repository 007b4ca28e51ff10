import { setTimeout as delay } from 'node:timers/promises'
import type { Progress } from '../../db/commits/progress.ts'
import { joinProgress } from '../../db/commits/progress.ts'
import type { Database } from '../../db/database.ts'
import type { Directory } from '../accounts/types.ts'
import type { AlertReport } from '../alerts/core/types.ts'
import type { Catalog } from '../catalog/model/store.types.ts'
import { createAttempts } from './fulfil/attempts.service.ts'
import type { CallbackSettings, Callbacks } from './fulfil/callbacks.service.ts'
import { createCallbacks } from './fulfil/callbacks.service.ts'
import { createDispatcher } from './fulfil/dispatch.service.ts'
import { durableAttempts, durableResolver } from './fulfil/kept-answers.service.ts'
import type { RecoverySettings } from './fulfil/recovery.jobs.ts'
import { startRecovery } from './fulfil/recovery.jobs.ts'
import type { LimitReader } from './limits/service.ts'
import { createLimitReader } from './limits/service.ts'
import type { PaymentCount } from './outcomes/counts.service.ts'
import { createPaymentCounts } from './outcomes/counts.service.ts'
import type { Outcomes } from './outcomes/outcomes.types.ts'
import type { ResolveCommand } from './outcomes/resolve.service.ts'
import { createResolver } from './outcomes/resolve.service.ts'
import type { QuoteBookSettings } from './quotes/book.service.ts'
import { createQuoteBook } from './quotes/book.service.ts'
import type { Quotes, QuotesSettings } from './quotes/service.ts'
import { createQuotes } from './quotes/service.ts'
import { startSchedules } from './schedules/jobs.ts'
import type { IntakeSettings } from './take/intake.service.ts'
import { createIntake } from './take/intake.service.ts'
import type { Previews } from './take/preview.service.ts'
import { createPreviews } from './take/preview.service.ts'
import { forgetRejections } from './take/rejections.service.ts'
import type { Payments, PaymentsSettings } from './take/service.ts'
import { createPayments } from './take/service.ts'

export type OpenPayments = Payments &
  Previews & {
    readonly quotes: Quotes
    readonly limits: LimitReader
    /** Commands that wait for a commit: at the intake and at the resolver. */
    readonly waiting: number
    /** Commands that wait, and those whose commit is under way. */
    readonly unanswered: number
    /** Progress of both kinds of commands. */
    readonly progress: Progress
    readonly underway: number
    /** Receiver of the callbacks that providers send. */
    readonly callbacks: Callbacks
    /** Counts of payments that this node ended since it started. */
    counts(): Iterable<PaymentCount>
    /** Deletes rejections and quotes that nobody can need any more. */
    sweep(): Promise<void>
    /**
     * Finishes the payments that were taken, and closes the outcomes. Without it, payments are found again when their
     * lease has ended, but answers that were received and not written are lost.
     */
    close(): Promise<void>
  }

const RECOVERY_EVERY_MS = 1_000
/** Number of unanswered payments (waiting for a commit or in one) from which less urgent work is put off. */
export const BUSY_FROM_UNANSWERED = 16
/**
 * Longest wait of a stop, in milliseconds. A provider that hangs must not block a stop: the next start asks about its
 * orders.
 */
const DRAIN_MAX_MS = 3_000
/**
 * Longest wait of a stop for a provider that cannot be asked, in milliseconds. It says only once what became of an
 * order.
 */
const FINAL_ANSWER_MAX_MS = 20_000

/**
 * Opens the whole path of a payment, from the request to the provider and back: intake, dispatch, resolution and
 * recovery.
 */
export function openPayments(
  settings: Omit<PaymentsSettings, 'intake' | 'dispatcher' | 'quoteBook'> &
    Pick<QuotesSettings, 'balances' | 'isInterrupted' | 'differenceOf'> &
    Pick<QuoteBookSettings, 'quoteSeconds'> &
    Pick<CallbackSettings, 'alerts' | 'onCallbackTrouble'> &
    Pick<RecoverySettings, 'leaseClock'> &
    Pick<IntakeSettings, 'vault' | 'failpoint' | 'onCommitted'> & {
      database: Database
      /** Accounts for which files are paid at their times. */
      directory: Pick<Directory, 'findReseller'>
      outcomes: Outcomes
      catalog: Pick<Catalog, 'base'>
      /** Called after a commit in which this node moved a payment. */
      onMoved?: ((payment: Pick<ResolveCommand, 'resellerId' | 'id'>) => void) | undefined
    },
): OpenPayments {
  const { outcomes, providers } = settings
  const intake = createIntake(settings)
  const counts = createPaymentCounts(settings)
  const openResolver = () =>
    createResolver({
      ...settings,
      onMoved(command) {
        counts.take(command)
        watchEnd(settings, command)
        settings.onMoved?.(command)
      },
      onContradiction: (command) => settings.alerts.tell(contradictionReport(command)),
    })
  // A callback that cannot be written is not answered. Its sender repeats it, so it is not kept.
  const plainResolver = openResolver()
  const resolver = durableResolver(outcomes, plainResolver, openResolver())
  const attempts = durableAttempts(outcomes, createAttempts(settings))
  const dispatcher = createDispatcher({ ...settings, resolver, attempts })
  const recovery = startRecovery({ ...settings, resolver, dispatcher, attempts, everyMs: RECOVERY_EVERY_MS })
  const quoteBook = createQuoteBook(settings)
  const payments = createPayments({ ...settings, intake, dispatcher, quoteBook })
  const previews = createPreviews(settings)
  const unanswered = () => intake.unanswered + resolver.unanswered
  const schedules = startSchedules({
    ...settings,
    payments,
    isBusy: () => unanswered() >= BUSY_FROM_UNANSWERED,
  })
  return {
    pay: payments.pay,
    ...previews,
    limits: createLimitReader(settings),
    quotes: createQuotes({ ...settings, book: quoteBook, previews }),
    callbacks: createCallbacks({ ...settings, resolver: plainResolver }),
    get waiting() {
      return intake.waiting + resolver.waiting
    },
    get unanswered() {
      return unanswered()
    },
    get progress() {
      return joinProgress([intake.progress, resolver.progress])
    },
    get underway() {
      return dispatcher.underway
    },
    counts: counts.list,
    async sweep() {
      await forgetRejections(settings.database)
      await quoteBook.sweep()
    },
    async close() {
      const waitAtMost = (work: Promise<unknown>, timeMs = DRAIN_MAX_MS) =>
        Promise.race([work, delay(timeMs, undefined, { ref: false })])
      await waitAtMost(schedules.stop())
      await Promise.all([waitAtMost(recovery.stop()), waitAtMost(intake.drain())])
      const drained = dispatcher.drain()
      await waitAtMost(drained)
      const isAnswerAwaited = providers
        .list()
        .some(({ code, canBeAsked }) => canBeAsked === false && dispatcher.underwayAt(code) > 0)
      if (isAnswerAwaited) await waitAtMost(drained, FINAL_ANSWER_MAX_MS - DRAIN_MAX_MS)
      // Outcomes close before the attempts and the resolver do, whether or not the database answers.
      await outcomes.close()
      await waitAtMost(Promise.all([attempts.drain(), resolver.drain()]))
    },
  }
}

/** Bits below the millisecond in an id. The upper bits are the millisecond of the payment. */
const ID_SEQUENCE_BITS = 20n

/** Tells the observer that a payment ended, and how long it took since it was taken. */
function watchEnd(
  { watch, clock }: Pick<PaymentsSettings, 'watch' | 'clock'>,
  { outcome, resellerId, id, about }: ResolveCommand,
): void {
  if (watch === undefined || outcome.kind === 'pending' || outcome.kind === 'unknown') return
  const agoMs = clock.nowMs() - Number(id >> ID_SEQUENCE_BITS)
  const names = { resellerId, paymentId: id, refid: about?.refid, requestId: about?.requestId }
  watch.end('resolved', outcome.kind, performance.now() - Math.max(0, agoMs), names)
}

/** Describes a contradiction for the log. The commit that noted it has raised the alert, which says more. */
function contradictionReport({ resellerId, id }: ResolveCommand): AlertReport {
  return {
    kind: 'payment_contradiction',
    subject: String(id),
    text: `payment ${id} of reseller ${resellerId}: a provider contradicts its end`,
  }
}
