import type { FailureCode } from '../../../lib/failure-codes.ts'
import type { PaymentCode } from './types.ts'

type State = 'accepted' | 'processing' | 'succeeded' | 'failed' | 'voided'

/** Allowed changes of state. The database's own guard in resolve_payments has the same table. */
const MOVES: Readonly<Record<State, readonly State[]>> = {
  accepted: ['processing', 'succeeded', 'failed'],
  processing: ['succeeded', 'failed'],
  succeeded: ['voided'],
  failed: [],
  voided: [],
}

export const ACCEPTED = 0
export const PROCESSING = 1
export const SUCCEEDED = 20
export const VOIDED = 53

export function stateOf(code: PaymentCode): State {
  switch (code) {
    case ACCEPTED:
      return 'accepted'
    case PROCESSING:
      return 'processing'
    case SUCCEEDED:
      return 'succeeded'
    case VOIDED:
      return 'voided'
    default:
      return failedWith(code)
  }
}

/** Takes codes of failures alone: the compiler then asks which state any other new code means. */
function failedWith(_code: FailureCode): State {
  return 'failed'
}

export function mayMove(from: PaymentCode, to: PaymentCode): boolean {
  return MOVES[stateOf(from)].includes(stateOf(to))
}

/** Tells whether no work is left. A void of a final payment is a new decision. */
export function isFinal(code: PaymentCode): boolean {
  return code !== ACCEPTED && code !== PROCESSING
}
