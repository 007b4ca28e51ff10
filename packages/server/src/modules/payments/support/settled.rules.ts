import { isFinal, SUCCEEDED, VOIDED } from '../payment/states.rules.ts'
import type { PaymentCode } from '../payment/types.ts'
import type { AttemptState } from './settled.types.ts'

/**
 * `presentAttempt`: the one that is under way, null when none is. `succeededAttempt`: null when nobody said which,
 * and then it is the one that is asked about.
 */
export function attemptStateOf(
  code: PaymentCode,
  attempt: number,
  presentAttempt: number | null,
  succeededAttempt: number | null,
): AttemptState {
  if (!isFinal(code)) return presentAttempt === null || presentAttempt === attempt ? 'pending' : 'failed'
  if (code !== SUCCEEDED && code !== VOIDED) return 'failed'
  if (succeededAttempt !== null && succeededAttempt !== attempt) return 'failed'
  return code === SUCCEEDED ? 'succeeded' : 'voided'
}
