import type { FairQueue } from '../../../db/commits/fair-queue.ts'
import { createFairQueue } from '../../../db/commits/fair-queue.ts'
import { leaseNowMs } from '../../../lib/lease-time.ts'
import { NO_WATCH } from '../../../lib/observing/payment-stages.ts'
import type { Observation } from '../../providers/connections/routing.types.ts'
import { routeText } from '../../providers/connections/routing.view.ts'
import type { Outcome, Provider, SubmitOutcome } from '../../providers/port/types.ts'
import { publicReason } from '../core/codes.rules.ts'
import { nextQuestionMs, referenceOf } from '../core/schedule.rules.ts'
import type { ResolveCommand } from '../outcomes/resolve.service.ts'
import type { Pace, Refusal } from './dispatch.rules.ts'
import {
  ATTEMPTS_MAX,
  createPace,
  DELAYED,
  DISABLED,
  hasTurn,
  INTERRUPTED,
  isGivenBack,
  isTooLate,
  nextTurnMs,
  provenBy,
  TOO_LATE,
  takeTurn,
} from './dispatch.rules.ts'
import type { Dispatch, Dispatcher, DispatchSettings } from './dispatch.types.ts'
import { submitWithin } from './submit.service.ts'
import { mustPrepare, orderToSend } from './supplier-references.service.ts'

/**
 * Queue and limits of one provider: orders under way, and orders per second. A provider that hangs blocks only its own
 * places. Waiting orders have a queue per reseller, so that a flood of one reseller does not delay the others.
 */
type ProviderQueue = {
  underway: number
  readonly waiting: FairQueue<Dispatch>
  /** Next order: it came when no order waited, or it has to wait for an order under way. */
  first: Dispatch | undefined
  readonly pace: Pace
  timer: NodeJS.Timeout | undefined
}

/** Milliseconds until a provider is checked again when an order waits and none is under way. This should not happen. */
const RECHECK_MS = 100

export function createDispatcher(settings: DispatchSettings): Dispatcher {
  const { providers } = settings
  const queues = new Map<string, ProviderQueue>()
  let underway = 0
  let drained: (() => void) | undefined
  let isClosed = false
  /** Order of the present call of `send`: it has not waited if it is sent at once. */
  let justAdded: Dispatch | undefined

  function queueOf(provider: string): ProviderQueue {
    const existing = queues.get(provider)
    if (existing !== undefined) return existing
    const created = createQueue()
    queues.set(provider, created)
    return created
  }

  /** Sends the orders that may be sent now; returns the promise of the first one, for the caller that added it. */
  function sendWaiting(code: string, providerQueue: ProviderQueue): Promise<void> | undefined {
    let first: Promise<void> | undefined
    while (!isClosed && (providerQueue.first !== undefined || providerQueue.waiting.size > 0)) {
      const provider = providers.byCode(code)
      if (provider !== undefined && !hasCapacity(code, providerQueue, provider)) break
      const dispatch = providerQueue.first ?? providerQueue.waiting.take(1)[0]
      providerQueue.first = undefined
      if (dispatch === undefined) break
      const begun = begin(code, providerQueue, provider, dispatch)
      if (begun === 'wait') {
        providerQueue.first = dispatch
        if (providerQueue.underway === 0) scheduleCheck(code, providerQueue, RECHECK_MS)
        break
      }
      first ??= begun
    }
    return first
  }

  function hasCapacity(
    code: string,
    providerQueue: ProviderQueue,
    { concurrencyMax, ratePerSecond }: Provider,
  ): boolean {
    if (providerQueue.underway >= concurrencyMax) return false
    const now = performance.now()
    if (hasTurn(providerQueue.pace, ratePerSecond, now)) return true
    scheduleCheck(code, providerQueue, nextTurnMs(providerQueue.pace, ratePerSecond))
    return false
  }

  function scheduleCheck(code: string, providerQueue: ProviderQueue, afterMs: number): void {
    if (providerQueue.timer !== undefined) return
    providerQueue.timer = setTimeout(() => {
      providerQueue.timer = undefined
      void sendWaiting(code, providerQueue)
    }, afterMs)
    providerQueue.timer.unref()
  }

  function begin(
    code: string,
    providerQueue: ProviderQueue,
    provider: Provider | undefined,
    dispatch: Dispatch,
  ): Promise<void> | 'wait' {
    // This provider is no longer configured: the payment is left to recovery, and after its due time to an operator.
    if (provider === undefined) return finish(dispatch, Promise.resolve())
    if (isTooLate(provider, dispatch, leaseNowMs())) {
      const refusal = isTooLate(provider, dispatch, dispatch.queuedLeaseMs ?? 0) ? DELAYED : TOO_LATE
      return finish(dispatch, moveOn(provider, dispatch, refusal))
    }
    if (!providers.takesOrders(code)) return finish(dispatch, moveOn(provider, dispatch, DISABLED))
    const admission = providers.admit(code)
    if (admission === 'wait') return 'wait'
    if (admission === 'open') return finish(dispatch, moveOn(provider, dispatch, INTERRUPTED))
    takeTurn(providerQueue.pace)
    providerQueue.underway += 1
    // The place is free as soon as this provider has answered, even if the payment goes on to another provider.
    const sent = sendOne(settings, provider, dispatch, dispatch !== justAdded).finally(() => {
      providerQueue.underway -= 1
      void sendWaiting(code, providerQueue)
    })
    return finish(
      dispatch,
      sent.then((refusal) => refusal && moveOn(provider, dispatch, refusal)),
    )
  }

  async function finish(dispatch: Dispatch, work: Promise<unknown>): Promise<void> {
    try {
      await work
    } catch (error) {
      // Recovery asks about a sent order when its lease has ended.
      settings.onProblem(`payment ${dispatch.paymentId} is left to recovery`, error, dispatch)
    }
    underway -= 1
    if (underway === 0) drained?.()
  }

  /** Goes on with a payment for which this provider certainly did nothing. */
  async function moveOn(provider: Provider, dispatch: Dispatch, refusal: Refusal): Promise<void> {
    // Stock was sold when the payment was taken: no other provider may fulfil it, and recovery finds it.
    if (provider.reservesStock) return
    try {
      if (dispatch.isRepeat === true) await askLater(settings, dispatch)
      else if (isClosed || isGivenBack(dispatch.attempt, refusal)) await settings.attempts.release(dispatch)
      else {
        const next = await beginNextAttempt(settings, dispatch, refusal)
        if (next !== undefined) await send(next)
      }
    } catch (error) {
      // No other process knows that nothing was done, and a provider that cannot be asked would not say it again.
      // A repeated reference is not released, because an earlier sending may have arrived.
      if (dispatch.isRepeat !== true) await settings.attempts.release(dispatch)
      throw error
    }
  }

  async function send(dispatch: Dispatch): Promise<void> {
    underway += 1
    dispatch.queuedMs = performance.now()
    dispatch.queuedLeaseMs = leaseNowMs()
    if (isClosed) return finish(dispatch, settings.attempts.release(dispatch))
    const providerQueue = queueOf(dispatch.provider)
    if (providerQueue.first === undefined && providerQueue.waiting.size === 0) providerQueue.first = dispatch
    else providerQueue.waiting.add(dispatch.resellerId, dispatch)
    justAdded = dispatch
    const first = sendWaiting(dispatch.provider, providerQueue)
    justAdded = undefined
    await first
  }

  return {
    get underway() {
      return underway
    },
    underwayAt: (provider) => queues.get(provider)?.underway ?? 0,
    send,
    drain() {
      isClosed = true
      for (const providerQueue of queues.values()) {
        clearTimeout(providerQueue.timer)
        const unsent = [
          providerQueue.first ?? [],
          providerQueue.waiting.take(providerQueue.waiting.size),
        ].flat()
        providerQueue.first = undefined
        for (const dispatch of unsent) void finish(dispatch, settings.attempts.release(dispatch))
      }
      return new Promise((resolve) => {
        drained = resolve
        if (underway === 0) resolve()
      })
    },
  }
}

function createQueue(): ProviderQueue {
  return {
    underway: 0,
    waiting: createFairQueue(),
    first: undefined,
    pace: createPace(performance.now()),
    timer: undefined,
  }
}

/**
 * Chooses another provider when it is certain that nothing was done, and writes the next attempt before it is sent.
 * Where no provider is left, the payment fails and the money goes back. Returns undefined when there is nothing to send.
 */
async function beginNextAttempt(
  settings: DispatchSettings,
  dispatch: Dispatch,
  refusal: Refusal,
): Promise<Dispatch | undefined> {
  const { attempts, providers } = settings
  const { resellerId, paymentId, attempt, lease, order } = dispatch
  const tried = new Set(dispatch.tried).add(dispatch.provider)
  const { productCode, faceValue } = order
  const choice = providers.choose({ productCode, faceValue, tried, withoutStock: true })
  const command = { resellerId, paymentId, attempt, lease }
  const didNothing = `${dispatch.provider} did nothing: ${refusal.reason}`
  if (choice.kind !== 'chosen' || attempt >= ATTEMPTS_MAX) {
    const others = choice.kind === 'closed' ? routeText(choice) : null
    const reason = others === null ? didNothing : `${didNothing}; nobody else: ${others}`
    await attempts.begin({ ...command, provider: null, reason, isBegun: false })
    // The payment is another node's now, or waits for an earlier attempt. Only this process knows that nothing was done.
    if (!(await giveUp(settings, dispatch, refusal))) await attempts.release(dispatch)
    return undefined
  }
  const reason = [didNothing, routeText(choice) ?? []].flat().join('; ')
  const provider = choice.provider.code
  const begun = await attempts.begin({ ...command, provider, reason, isBegun: true })
  if (begun === undefined) {
    const why = `payment ${paymentId} belongs to another node now, or waits for an undecided attempt`
    settings.onProblem(why, new Error(didNothing), dispatch)
    await attempts.release(dispatch)
    return undefined
  }
  return {
    ...dispatch,
    attempt: attempt + 1,
    lease: begun.lease,
    provider,
    order: { ...order, reference: referenceOf(paymentId, attempt + 1), submittedAt: begun.submittedAt },
    leaseEndsMs: begun.leaseEndsMs,
    tried,
  }
}

/**
 * Sends one order and writes its outcome. Returns a refusal instead if the provider certainly did nothing: then another
 * provider may get the order.
 */
async function sendOne(
  settings: DispatchSettings,
  provider: Provider,
  dispatch: Dispatch,
  hasWaited: boolean,
): Promise<Refusal | undefined> {
  const { attempts, providers, failpoint, watch = NO_WATCH } = settings
  const startedMs = performance.now()
  let observed: Pick<Observation, 'answer' | 'code'> = { answer: 'unsent', code: undefined }
  let outcome: SubmitOutcome
  try {
    const ready = mustPrepare(settings, provider, dispatch, hasWaited)
      ? await orderToSend(settings, provider, dispatch, hasWaited)
      : ({ kind: 'ready', order: dispatch.order } as const)
    if (ready.kind === 'unwritable') return { code: 47, reason: ready.reason }
    if (ready.kind === 'gone') {
      // No order was sent, and only this process knows it.
      await attempts.release(dispatch)
      return undefined
    }
    const { order } = ready
    if (isTooLate(provider, dispatch, leaseNowMs())) return DELAYED
    const notAfterMs = Math.min(dispatch.leaseEndsMs, leaseNowMs() + provider.submitTimeoutMs)
    observed = { answer: 'unknown', code: undefined }
    failpoint('dispatch.before')
    const sentMs = performance.now()
    watch.end('sent', 'sent', dispatch.queuedMs ?? sentMs, dispatch)
    const submit = () =>
      submitWithin(provider, order, notAfterMs, (late) =>
        handleLateAnswer(settings, provider, dispatch, late),
      )
    outcome = await (watch.within === undefined ? submit() : watch.within(dispatch, submit))
    watch.end('answered', outcome.kind, sentMs, dispatch, {
      provider: provider.code,
      attempt: dispatch.attempt,
      reference: order.reference,
    })
    observed = { answer: outcome.kind, code: 'code' in outcome ? outcome.code : undefined }
  } finally {
    const { answer, code } = observed
    providers.observe(provider.code, { answer, code, tookMs: performance.now() - startedMs })
  }
  settings.failpoint('dispatch.sent')
  if (outcome.kind === 'not_acted') return outcome
  if (outcome.kind === 'unsent') return DELAYED
  await settings.resolver.submit(commandOf(dispatch, outcome, provider.asksByRepeating?.minIntervalMs))
  return undefined
}

function commandOf(dispatch: Dispatch, answer: Outcome, distanceMinMs = 0): ResolveCommand {
  const { resellerId, paymentId: id, attempt, lease, provider, refid, requestId } = dispatch
  const about = { provider, product: dispatch.order.productCode, refid, requestId }
  const outcome = provenBy(answer, dispatch.isRepeat)
  const nextMs = Math.max(nextQuestionMs(dispatch.questionsAsked, outcome), distanceMinMs)
  return { resellerId, id, attempt, lease, about, outcome, nextMs }
}

/**
 * Handles an answer after the deadline, when the payment was written as unknown: a decision still counts. An order that
 * was given up before it had a connection gives such an answer, too.
 */
function handleLateAnswer(
  { resolver, attempts, onProblem }: DispatchSettings,
  { reservesStock }: Provider,
  dispatch: Dispatch,
  outcome: SubmitOutcome,
): void {
  const write = () => {
    const isDecided = outcome.kind === 'succeeded' || outcome.kind === 'failed'
    if (isDecided || ('supplierId' in outcome && outcome.supplierId !== undefined)) {
      return resolver.submit(commandOf(dispatch, outcome))
    }
    const isUnsent = outcome.kind === 'not_acted' || outcome.kind === 'unsent'
    if (isUnsent && dispatch.isRepeat !== true && !reservesStock) return attempts.release(dispatch)
    return Promise.resolve()
  }
  write().catch((error: unknown) => {
    onProblem(`a late answer about payment ${dispatch.paymentId} was not recorded`, error, dispatch)
  })
}

/** Asks the provider again: this sending did nothing, but an earlier one with the same reference may have. */
async function askLater({ resolver }: DispatchSettings, dispatch: Dispatch): Promise<void> {
  await resolver.submit(commandOf(dispatch, { kind: 'pending' }))
}

/**
 * Fails the payment. False: it did not fail, because this node does not hold it any more, or an earlier attempt is
 * undecided. The provider's own reason is on the timeline.
 */
function giveUp({ resolver }: DispatchSettings, dispatch: Dispatch, refusal: Refusal): Promise<boolean> {
  const { code } = refusal
  const outcome: Outcome = { kind: 'failed', code, reason: publicReason(code) ?? refusal.reason }
  return resolver.submit({ ...commandOf(dispatch, outcome), isConcluded: true, nextMs: 0 })
}
