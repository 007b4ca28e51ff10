import type { PaymentCode } from './types.ts'

type State = 'accepted' | 'processing' | 'succeeded' | 'failed' | 'voided'

/** Nothing moves but along this table; the database's own guard in resolve_payments says the same. */
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
      return 'failed'
  }
}

export function mayMove(from: PaymentCode, to: PaymentCode): boolean {
  return MOVES[stateOf(from)].includes(stateOf(to))
}

/** Nobody has to do anything any more; a void is a new decision. */
export function isFinal(code: PaymentCode): boolean {
  return code !== ACCEPTED && code !== PROCESSING
}
