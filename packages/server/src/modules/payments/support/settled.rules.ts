import { isFinal, SUCCEEDED, VOIDED } from '../core/states.rules.ts'
import type { PaymentCode } from '../core/types.ts'
import type { AttemptState } from './settled.types.ts'

/**
 * Derives the state of one attempt. `presentAttempt`: the attempt under way; null when there is none.
 * `succeededAttempt`: null when it was not recorded; the attempt in question then counts as the one that succeeded.
 * `isUndecided`: the payment waits for this attempt beside the present one.
 */
export function attemptStateOf(
  code: PaymentCode,
  attempt: number,
  presentAttempt: number | null,
  succeededAttempt: number | null,
  isUndecided: boolean,
): AttemptState {
  if (!isFinal(code)) {
    return isUndecided || presentAttempt === null || presentAttempt === attempt ? 'pending' : 'failed'
  }
  if (code !== SUCCEEDED && code !== VOIDED) return 'failed'
  if (succeededAttempt !== null && succeededAttempt !== attempt) return 'failed'
  return code === SUCCEEDED ? 'succeeded' : 'voided'
}
