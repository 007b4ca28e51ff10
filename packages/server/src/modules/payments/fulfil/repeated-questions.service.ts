import type { Database } from '../../../db/database.ts'
import type { Failpoint } from '../../../lib/failpoints.ts'
import { leaseNowMs } from '../../../lib/lease-time.ts'
import { withTimeout } from '../../../lib/timeouts.ts'
import { raiseAlert } from '../../alerts/core/service.ts'
import type { Provider, QueryAnswer } from '../../providers/port/types.ts'
import { nextQuestionMs } from '../core/schedule.rules.ts'
import type { Resolver } from '../outcomes/resolve.service.ts'
import type { Attempts } from './attempts.service.ts'
import type { AskingSettings } from './questions.service.ts'
import { orderOf, referenceAt } from './questions.service.ts'
import type { RepetitionTerms, Sending } from './repetition.rules.ts'
import { provenAnswer, repetitionOf, timesOf } from './repetition.rules.ts'
import { commandFieldsOf } from './resend.service.ts'
import type { WorkRow } from './work.sql.ts'
import { readFirstSentMsAgo } from './work.sql.ts'

// Questions that send the order again. Such a question may cause the purchase, so it is a sending.

export type RepeatingSettings = AskingSettings & {
  database: Database
  resolver: Resolver
  attempts: Attempts
  failpoint: Failpoint
}

/** Answer to a question, the work as the question left it, and the time to the next one. */
export type Question = { readonly answer: QueryAnswer; readonly work: WorkRow; readonly nextMs: number }

/**
 * Asks about the present attempt of an open payment by sending its order again. The repetition is written before: that
 * commit proves that the attempt and its lease are ours, and that no other attempt is undecided. undefined: nothing was
 * sent, and the next question is planned.
 */
export async function askByRepeating(
  settings: RepeatingSettings,
  work: WorkRow,
  provider: Provider,
  terms: RepetitionTerms,
): Promise<Question | undefined> {
  const { providers, attempts, leaseMs } = settings
  const mayBeSent =
    !work.is_ask_only && providers.takesOrders(provider.code) && !providers.isOpen(provider.code)
  const decidedMs = leaseNowMs()
  const firstSentMsAgo = mayBeSent ? await readFirstSentMsAgo(settings.database, work) : 0
  const times = { terms, leaseMs, firstSentMsAgo }
  const repetition = repetitionOf({
    ...times,
    sentMsAgo: work.submitted_ms_ago,
    wasLeased: work.was_leased !== false,
  })
  if (repetition.kind === 'forgotten') await tellForgotten(settings, work)
  if (!mayBeSent || repetition.kind !== 'now') {
    const waitMs = repetition.kind === 'wait' ? repetition.waitMs : distanceMs(work, terms)
    await askLater(settings, work, waitMs)
    return undefined
  }
  const { reseller_id: resellerId, payment_id: paymentId, attempt, lease } = work
  const command = { resellerId, paymentId, attempt, lease, provider: provider.code, reason: REASON }
  const begun = await attempts.begin({ ...command, isBegun: true, isRepeat: true, isQuestion: true })
  if (begun === undefined) {
    // Another attempt is undecided, or the work is another node's: its number of the lease makes this one void.
    await askLater(settings, work, distanceMs(work, terms))
    return undefined
  }
  const present: WorkRow = {
    ...work,
    lease: begun.lease,
    repeats: work.repeats + 1,
    submitted_at: begun.submittedAt,
    ahead_ms: 0n,
  }
  const { leaseEndsMs } = begun
  const answer = await send(settings, present, provider, { ...times, decidedMs, leaseEndsMs })
  return {
    answer: provenAnswer(answer, isProven(settings, work, terms)),
    work: present,
    nextMs: distanceMs(work, terms, answer),
  }
}

const REASON = 'it is asked about by sending it again'

async function send(
  { vault, failpoint }: RepeatingSettings,
  work: WorkRow,
  { query, queryTimeoutMs }: Provider,
  times: Omit<Sending, 'nowMs' | 'queryTimeoutMs'>,
): Promise<QueryAnswer> {
  const order = await orderOf(vault, work)
  failpoint('dispatch.before')
  const sending = timesOf({ ...times, nowMs: leaseNowMs(), queryTimeoutMs })
  if (sending === undefined) return { kind: 'pending' }
  const answer = await withTimeout(sending.timeoutMs, (signal) => query(order, signal, sending.notAfterMs))
  failpoint('dispatch.sent')
  return answer
}

/**
 * Tells whether no sending before this one can arrive any more, so that "it did nothing" is the last word about the
 * reference. Time that passed only by a step of the database's clock does not count.
 */
function isProven(
  { leaseMs, leaseClock }: RepeatingSettings,
  work: WorkRow,
  terms: RepetitionTerms,
): boolean {
  const provedMs = leaseMs + terms.minIntervalMs
  return work.submitted_ms_ago > provedMs && leaseClock.steadyForMs() > provedMs
}

const HOUR_MS = 3_600_000
/** Number of repetitions after which an order is asked about once an hour. */
const OFTEN_MAX = 48

function distanceMs(work: WorkRow, { minIntervalMs }: RepetitionTerms, answer?: QueryAnswer): number {
  const slowMs = work.repeats > OFTEN_MAX ? HOUR_MS : 0
  return Math.max(minIntervalMs, slowMs, nextQuestionMs(work.questions, answer))
}

async function askLater({ resolver }: RepeatingSettings, work: WorkRow, nextMs: number): Promise<void> {
  await resolver.submit({ ...commandFieldsOf(work), outcome: { kind: 'pending' }, nextMs })
}

async function tellForgotten({ database }: RepeatingSettings, work: WorkRow): Promise<void> {
  const reference = referenceAt(work)
  await raiseAlert(database, {
    kind: 'order_forgotten',
    subject: reference,
    text:
      `reseller ${work.reseller_id}, payment ${work.payment_id}: ${work.provider} has not decided about ${reference}, ` +
      'and may not be asked any more: it would buy it again',
  })
}
