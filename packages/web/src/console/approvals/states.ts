import type { Approval } from '../../api/operator.generated.ts'
import type { Tone } from '../../ui/state.tsx'

export type ApprovalState = Approval['state']

export const STATES: readonly ApprovalState[] = ['pending', 'approved', 'refused', 'withdrawn', 'expired']

export const STATE_TONES: Readonly<Record<ApprovalState, Tone>> = {
  pending: 'wait',
  approved: 'ok',
  refused: 'bad',
  withdrawn: 'off',
  expired: 'off',
}
