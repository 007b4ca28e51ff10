import { createHash } from 'node:crypto'
import type { DatabaseClock } from '../../../db/clock.ts'
import { NotAttemptedError } from '../../../db/commits/group-commit.ts'
import type { Database, Tx } from '../../../db/database.ts'
import { unavailable } from '../../../lib/errors.ts'
import { formatMoney } from '../../../lib/money.ts'
import type { PaymentNames } from '../../../lib/observing/payment-stages.ts'
import { digestOf } from '../../../lib/secrets/digests.ts'
import type { Alerts } from '../../alerts/core/service.ts'
import type { CallbackRequest } from '../../providers/port/types.ts'
import type { Providers } from '../../providers/registry.service.ts'
import type { Reference } from '../core/schedule.rules.ts'
import { parseReference } from '../core/schedule.rules.ts'
import type { ResolveCommand, Resolver } from '../outcomes/resolve.service.ts'
import { judgeReversal } from '../outcomes/reversals.service.ts'
import type { CallbackContent } from './callbacks.rules.ts'
import { decideCallback, shownId } from './callbacks.rules.ts'
import type { ReferencedPayment } from './callbacks.sql.ts'
import {
  askNow,
  findByReference,
  findCallback,
  findCalledPayment,
  isWatched,
  notePayment,
  rememberCallback,
  sweepCallbacks,
} from './callbacks.sql.ts'
import { askAboutEnd } from './open-attempts.sql.ts'

/**
 * Result of a callback. `unknown`: no provider of this name sends callbacks. `refused`: there is no proof that the
 * provider sent it.
 */
export type CallbackResult = 'unknown' | 'refused' | 'taken'

export type CallbackCounts = {
  readonly taken: number
  readonly refused: number
  /** Callbacks that were taken before. */
  readonly repeated: number
  /** Proven callbacks about no order, which only tried our address. */
  readonly pings: number
  /** Callbacks without a payment or attempt of their sender, or with an amount that differs from ours. */
  readonly disbelieved: number
}

export type Callbacks = {
  /** Tells whether a provider of this name sends callbacks. */
  expects(provider: string): boolean
  /** Body of the answer to a callback that was taken. */
  answerOf(provider: string): unknown
  /** Resolves when the effect of the callback is durable. */
  receive(provider: string, request: CallbackRequest): Promise<CallbackResult>
  readonly counts: CallbackCounts
  /** Deletes callbacks that no provider repeats any more. */
  sweep(): Promise<void>
}

export type CallbackSettings = {
  database: Database
  clock: Pick<DatabaseClock, 'nowMs'>
  providers: Pick<Providers, 'byCode'>
  resolver: Pick<Resolver, 'submit'>
  alerts: Alerts
  leaseMs: number
  /** Writes to the log; never with any part of the content. */
  onCallbackTrouble: (provider: string, text: string, about?: PaymentNames) => void
}

/** Days that a callback is kept: longer than any provider repeats one, and far longer than a signature is valid. */
const KEPT_DAYS = 14
const SWEEP_MAX = 10_000

/**
 * Receives the callbacks of providers. A callback counts no more than an answer to a question: it must be proven to
 * come from the provider and be about an attempt of that provider, and it is never believed about amounts. It is
 * remembered after its effect is durable, not before: the provider repeats a callback that a crash cut off, which then
 * does its work. Doing the same work twice changes nothing.
 */
export function createCallbacks(settings: CallbackSettings): Callbacks {
  const { database, clock, providers, onCallbackTrouble } = settings
  const counts = { taken: 0, refused: 0, repeated: 0, pings: 0, disbelieved: 0 }

  async function take(provider: string, news: CallbackContent, request: CallbackRequest): Promise<void> {
    const received: Received = { provider, news, key: digestOf(news.id), digest: contentOf(request) }
    const known = await findCallback(database, provider, received.key)
    if (known?.equals(received.digest)) {
      counts.repeated += 1
      return
    }
    const reference = await referenceOf(settings, provider, news.reference)
    const called = reference && (await findCalledPayment(database, reference))
    const isDisbelieved = await follow(settings, received, called, known !== undefined)
    if (isDisbelieved) counts.disbelieved += 1
    counts.taken += 1
  }

  return {
    counts,
    expects: (code) => providers.byCode(code)?.callbacks !== undefined,
    answerOf(code) {
      const answer = providers.byCode(code)?.callbacks?.answer
      return answer === undefined ? { received: true } : JSON.parse(answer)
    },
    async receive(code, request) {
      const provider = providers.byCode(code)
      if (provider?.callbacks === undefined) return 'unknown'
      const reading = provider.callbacks.readCallback(request, clock.nowMs())
      if (reading.kind === 'refused') {
        counts.refused += 1
        onCallbackTrouble(code, `refused: ${reading.reason}`)
        return 'refused'
      }
      if (reading.kind === 'ping') {
        counts.pings += 1
        onCallbackTrouble(code, 'is a ping: it has no effect')
      } else await take(code, reading, request)
      return 'taken'
    },
    async sweep() {
      while ((await sweepCallbacks(database, KEPT_DAYS, SWEEP_MAX)) === SWEEP_MAX);
    },
  }
}

/** Finds the attempt that a provider means: by the form of the reference that it got, or by our own. */
async function referenceOf(
  { database, providers }: CallbackSettings,
  provider: string,
  text: string,
): Promise<Reference | undefined> {
  const parsed = parseReference(text)
  if (parsed !== undefined && providers.byCode(provider)?.referenceOf === undefined) return parsed
  return (await findByReference(database, provider, text)) ?? parsed
}

type Received = {
  readonly provider: string
  readonly news: CallbackContent
  /** Digest of its id, which may be any text. */
  readonly key: Buffer
  readonly digest: Buffer
}

/** Applies a callback; returns true when it was not believed. */
async function follow(
  settings: CallbackSettings,
  received: Received,
  called: ReferencedPayment | undefined,
  isReused: boolean,
): Promise<boolean> {
  const { database, providers, onCallbackTrouble, alerts } = settings
  const { provider, news, key, digest } = received
  const { canBeAsked = true, asksByRepeating } = providers.byCode(provider) ?? {}
  // A question that is a sending keeps its distance from the last one, which may have left until its lease ended.
  const distanceMs = asksByRepeating === undefined ? 0 : asksByRepeating.minIntervalMs + settings.leaseMs
  // A late callback may be about a payment that has ended: the end may have been taken back.
  const askSoon = async (tx: Tx, about: ReferencedPayment): Promise<void> => {
    await askNow(tx, about, distanceMs)
    if (canBeAsked && asksByRepeating === undefined) await askAboutEnd(tx, about)
  }
  const remember = (work: (tx: Tx) => Promise<void>) =>
    database.transaction(async (tx) => {
      // The second of two equal callbacks at the same time finds the first one's row.
      if (await rememberCallback(tx, provider, key, digest)) await work(tx)
    })
  // The content of a provider that cannot be asked counts in any case: nobody would learn the outcome otherwise.
  const decision = decideCallback(provider, news, called, isReused && canBeAsked)
  if (called === undefined || decision.kind === 'unknown') {
    onCallbackTrouble(provider, 'taken, but it names no payment')
    await rememberCallback(database, provider, key, digest)
    return true
  }
  switch (decision.kind) {
    case 'foreign':
      onCallbackTrouble(
        provider,
        `taken, but payment ${called.id} has no attempt ${called.attempt} with it`,
        about(called),
      )
      await remember((tx) =>
        notePayment(tx, called, 'callback', `${provider} spoke of an attempt that it does not have: ignored`),
      )
      return true
    case 'amount': {
      const text = `${provider} spoke of ${formatMoney(decision.claimed)}, not of ${formatMoney(called.amount)}`
      await watch(settings, called)
      await remember(async (tx) => {
        const next = canBeAsked ? 'the provider is asked' : 'the provider cannot be asked'
        await notePayment(tx, called, 'callback', `${text}: not believed, ${next}`)
        await alerts.raise(
          {
            kind: 'callback_amount',
            subject: String(called.id),
            text: `payment ${called.id}: ${text}`,
          },
          tx,
        )
        await askSoon(tx, called)
      })
      return true
    }
    case 'ask':
      await watch(settings, called)
      await remember((tx) => askSoon(tx, called))
      return false
    case 'nothing':
      if (news.outcome?.kind === 'unknown') {
        onCallbackTrouble(provider, `taken, but it decides nothing: ${news.outcome.reason}`, about(called))
      }
      await watch(settings, called)
      await rememberCallback(database, provider, key, digest)
      return false
    case 'reversed': {
      // A weak proof is enough for it, so that it ends no open payment where the provider can be asked.
      const { code: _, ...word } = decision.reversed
      const judged = await judgeReversal(database, canBeAsked ? word : decision.reversed, {
        ...called,
        provider,
        reference: news.reference,
        evidence: `callback ${shownId(news.id)}`,
      })
      if (judged === 'open') {
        await watch(settings, called)
        await remember((tx) => askSoon(tx, called))
        return false
      }
      if (judged !== 'taken') await resolve(settings.resolver, called, judged, `callback ${shownId(news.id)}`)
      await rememberCallback(database, provider, key, digest)
      return false
    }
    case 'resolve':
      await resolve(settings.resolver, called, decision.outcome, `callback ${shownId(news.id)}`)
      await rememberCallback(database, provider, key, digest)
      return false
    default:
      return decision satisfies never
  }
}

function about({ resellerId, id }: ReferencedPayment): PaymentNames {
  return { resellerId, paymentId: id }
}

/**
 * Has the provider asked about an attempt that nobody asks about any more: it is not the present one, and may be carried
 * out beside it. A callback without a decision counts like an undecided answer.
 */
async function watch({ database, resolver }: CallbackSettings, called: ReferencedPayment): Promise<void> {
  if (await isWatched(database, called)) return
  // No lease is taken away: an attempt that is not the present one does not become it again.
  await resolve(resolver, called, { kind: 'pending' }, 'callback')
}

async function resolve(
  resolver: Pick<Resolver, 'submit'>,
  { resellerId, id, attempt, attemptProvider, productCode }: ReferencedPayment,
  outcome: ResolveCommand['outcome'],
  evidence: string,
): Promise<void> {
  try {
    const about = { provider: attemptProvider ?? '', product: productCode }
    await resolver.submit({ resellerId, id, attempt, about, outcome, evidence, nextMs: 0 })
  } catch (error) {
    // The provider repeats a callback that was not taken. The payment is asked about as usual in the meantime.
    if (error instanceof NotAttemptedError) throw unavailable('saturated', error.message, error)
    throw error
  }
}

function contentOf({ query, body }: CallbackRequest): Buffer {
  return createHash('sha256').update(query).update('\n').update(body).digest()
}
