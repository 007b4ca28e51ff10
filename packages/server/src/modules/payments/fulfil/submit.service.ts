import { withTimeout } from '../../../lib/timeouts.ts'
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
