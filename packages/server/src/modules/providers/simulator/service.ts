import type { Outcome, Provider } from '../port/types.ts'
import { isOver, UNSENT } from '../port/unsent.service.ts'
import { behaviourOf, outcomeAt, voidAnswerOf } from './behaviour.rules.ts'
import { billOf, SILENT_ACCOUNT } from './bills.rules.ts'
import { simulatedLookups } from './lookups.rules.ts'
import { simulatedOptions } from './options.rules.ts'
import type { FulfilmentOf } from './types.ts'

export const SIMULATOR_CODE = 'simulator'

export type SimulatorSettings = {
  fulfilment: FulfilmentOf
  nowMs?: () => number
  submitTimeoutMs?: number
  queryTimeoutMs?: number
}

export const SUBMIT_TIMEOUT_MS = 10_000
export const QUERY_TIMEOUT_MS = 5_000
export const NOT_FOUND_PROVES_AFTER_MS = 30_000
export const CONCURRENCY_MAX = 512

/**
 * Creates the simulator inside the service's own process. It keeps no books: the outcome follows from the order and
 * the time, as if it had been received when it was submitted, so that it survives every restart.
 */
export function createSimulator(settings: SimulatorSettings): Provider {
  const { fulfilment, nowMs = Date.now } = settings
  return {
    code: SIMULATOR_CODE,
    submitTimeoutMs: settings.submitTimeoutMs ?? SUBMIT_TIMEOUT_MS,
    queryTimeoutMs: settings.queryTimeoutMs ?? QUERY_TIMEOUT_MS,
    notFoundProvesAfterMs: NOT_FOUND_PROVES_AFTER_MS,
    repeatsReference: true,
    concurrencyMax: CONCURRENCY_MAX,
    ratePerSecond: null,
    reservesStock: false,
    submit(order, signal, notAfterMs) {
      if (isOver(notAfterMs)) return Promise.resolve(UNSENT)
      if (!behaviourOf(order.account).answers) return untilAborted(signal, noAnswer)
      return Promise.resolve(outcomeAt(order, nowMs(), fulfilment))
    },
    query: (order) => Promise.resolve(outcomeAt(order, nowMs(), fulfilment)),
    voids: {
      requestVoid(order) {
        const { kind } = outcomeAt(order, nowMs(), fulfilment)
        return Promise.resolve(voidAnswerOf(order.account, kind))
      },
    },
    ...createSimulatedExtras(nowMs),
    health: { isHealthy: () => Promise.resolve(true) },
  }
}

/** Creates options, bills and look-ups, which follow from the account alone. */
function createSimulatedExtras(
  nowMs: () => number,
): Required<Pick<Provider, 'options' | 'bills' | 'lookups'>> {
  return {
    options: simulatedOptions,
    lookups: simulatedLookups,
    bills: {
      presentBill(request, signal) {
        if (request.account === SILENT_ACCOUNT) {
          return untilAborted(signal, () => ({ kind: 'unavailable', reason: 'the biller did not answer' }))
        }
        return Promise.resolve(billOf(request, nowMs()))
      },
    },
  }
}

function noAnswer(): Outcome {
  return { kind: 'unknown', reason: 'the provider did not answer in time' }
}

function untilAborted<T>(signal: AbortSignal, answer: () => T): Promise<T> {
  if (signal.aborted) return Promise.resolve(answer())
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(answer()), { once: true })
  })
}
