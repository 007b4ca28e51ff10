import type { FairQueue } from '../../db/group-commit.ts'
import { createFairQueue } from '../../db/group-commit.ts'
import type { Failpoint } from '../../lib/failpoints.ts'
import type { Providers } from '../providers/registry.service.ts'
import type { Order, Provider, SubmitOutcome } from '../providers/types.ts'
import type { Resolver } from './resolve.service.ts'
import { nextQuestionMs } from './schedule.rules.ts'

/** An order that this node may send, for as long as its lease lasts. */
export type Dispatch = {
  readonly resellerId: bigint
  readonly paymentId: bigint
  readonly attempt: number
  readonly provider: string
  readonly order: Order
  readonly questionsAsked: number
  /** On performance.now's clock. */
  readonly leaseEndsMs: number
}

export type Dispatcher = {
  /** Sends it and writes down what came of it; never rejects, and nobody need wait for it. */
  send(dispatch: Dispatch): Promise<void>
  readonly underway: number
  /** Sends nothing more, and resolves when nothing that was sent is without its outcome written down. */
  drain(): Promise<void>
}

export type DispatchSettings = {
  providers: Providers
  resolver: Resolver
  failpoint: Failpoint
  onProblem: (text: string, error: unknown) => void
}

/** Orders at one provider at the same time: one that hangs holds its own places, nobody else's. */
const UNDERWAY_MAX = 512

/** Whoever waits for a place waits in a line per reseller: nobody's flood keeps the others waiting. */
type Queue = { underway: number; readonly waiting: FairQueue<Dispatch> }

export function createDispatcher(settings: DispatchSettings): Dispatcher {
  const queues = new Map<string, Queue>()
  let underway = 0
  let drained: (() => void) | undefined
  let isClosed = false

  async function run(dispatch: Dispatch): Promise<void> {
    try {
      await sendOne(settings, dispatch)
    } catch (error) {
      // Whatever was sent is asked about when the lease has run out.
      settings.onProblem(`payment ${dispatch.paymentId} is left to recovery`, error)
    }
  }

  async function begin(dispatch: Dispatch, queue: Queue): Promise<void> {
    queue.underway += 1
    await run(dispatch)
    queue.underway -= 1
    underway -= 1
    const next = queue.waiting.take(1)[0]
    if (next !== undefined) void begin(next, queue)
    if (underway === 0) drained?.()
  }

  return {
    get underway() {
      return underway
    },
    async send(dispatch) {
      // Left to whoever finds it when the lease has run out.
      if (isClosed) return
      let queue = queues.get(dispatch.provider)
      if (queue === undefined) {
        queue = { underway: 0, waiting: createFairQueue() }
        queues.set(dispatch.provider, queue)
      }
      underway += 1
      if (queue.underway < UNDERWAY_MAX) await begin(dispatch, queue)
      else queue.waiting.add(dispatch.resellerId, dispatch)
    },
    drain() {
      isClosed = true
      for (const { waiting } of queues.values()) underway -= waiting.take(waiting.size).length
      return new Promise((resolve) => {
        drained = resolve
        if (underway === 0) resolve()
      })
    },
  }
}

async function sendOne(settings: DispatchSettings, dispatch: Dispatch): Promise<void> {
  const provider = settings.providers.byCode(dispatch.provider)
  // A lease that would end before the provider's answer must come: whoever has it next decides.
  if (provider === undefined || performance.now() + provider.submitTimeoutMs > dispatch.leaseEndsMs) return
  settings.failpoint('dispatch.before')
  const outcome = await submitWithin(provider, dispatch.order)
  settings.failpoint('dispatch.sent')
  await settings.resolver.submit({
    resellerId: dispatch.resellerId,
    id: dispatch.paymentId,
    attempt: dispatch.attempt,
    outcome: outcome.kind === 'not_acted' ? { ...outcome, kind: 'failed' } : outcome,
    nextMs: nextQuestionMs(dispatch.questionsAsked),
  })
}

/** The provider's answer, or `unknown` when it does not come in time. */
export function submitWithin(provider: Provider, order: Order): Promise<SubmitOutcome> {
  return within(provider.submitTimeoutMs, (signal) => provider.submit(order, signal))
}

export function within<T>(
  timeoutMs: number,
  ask: (signal: AbortSignal) => Promise<T>,
): Promise<T | { kind: 'unknown'; reason: string }> {
  return new Promise((resolve) => {
    const controller = new AbortController()
    const timer = setTimeout(() => {
      resolve({ kind: 'unknown', reason: `no answer within ${timeoutMs} ms` })
      controller.abort()
    }, timeoutMs)
    ask(controller.signal).then(
      (answer) => {
        clearTimeout(timer)
        resolve(answer)
      },
      (error: unknown) => {
        clearTimeout(timer)
        resolve({ kind: 'unknown', reason: String(error) })
      },
    )
  })
}
