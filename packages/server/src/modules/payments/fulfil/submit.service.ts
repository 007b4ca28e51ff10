import type { Order, Provider, SubmitOutcome } from '../../providers/port/types.ts'

/**
 * Resolves with the provider's answer, or with `unknown` when it does not come in time; `onLate` gets an answer that
 * comes later.
 */
export function submitWithin(
  provider: Provider,
  order: Order,
  notAfterMs: number,
  onLate?: (outcome: SubmitOutcome) => void,
): Promise<SubmitOutcome> {
  const submit = (signal: AbortSignal) => provider.submit(order, signal, notAfterMs)
  return withTimeout(provider.submitTimeoutMs, submit, onLate)
}

/** Resolves with the answer, or with `unknown` after the time; `onLate` gets an answer that comes later. */
export function withTimeout<T>(
  timeoutMs: number,
  ask: (signal: AbortSignal) => Promise<T>,
  onLate?: (answer: T) => void,
): Promise<T | { kind: 'unknown'; reason: string }> {
  return new Promise((resolve) => {
    const controller = new AbortController()
    let isLate = false
    const timer = setTimeout(() => {
      isLate = true
      resolve({ kind: 'unknown', reason: `no answer within ${timeoutMs} ms` })
      controller.abort()
    }, timeoutMs)
    ask(controller.signal).then(
      (answer) => {
        clearTimeout(timer)
        if (isLate) onLate?.(answer)
        resolve(answer)
      },
      (error: unknown) => {
        clearTimeout(timer)
        resolve({ kind: 'unknown', reason: String(error) })
      },
    )
  })
}
