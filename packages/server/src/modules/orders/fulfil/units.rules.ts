import { REJECTIONS } from '../../payments/core/rejections.rules.ts'
import { isFinal, SUCCEEDED } from '../../payments/core/states.rules.ts'
import type { Payment, RejectionCode } from '../../payments/core/types.ts'
import type { OrderUnit, UnitState } from '../core/types.ts'

/** Progress of one unit, to be written down. */
export type UnitNote = Pick<OrderUnit, 'line' | 'number' | 'paymentId' | 'error'> & {
  readonly state: UnitState
}

type UnitKey = Pick<OrderUnit, 'line' | 'number'>

/** Rejections that may pass: the account is suspended, the wallet too low, or a supplier or the service out of order. */
const PASSING: ReadonlySet<RejectionCode> = new Set<RejectionCode>([41, 43, 49])
/** Remarks of the passing rejections that every unit of the account gets. */
const OF_ACCOUNT: readonly string[] = [REJECTIONS.insufficientBalance.remarks, REJECTIONS.suspended.remarks]

/** Time after the confirmation for which a passing rejection is tried again. */
export const RETRY_FOR_MS = 24 * 3_600_000

/** Says how far the payment of a unit is. A payment that was voided is no success: its money went back. */
export function noteOfPayment(
  { line, number }: UnitKey,
  { id: paymentId, code, remarks }: Pick<Payment, 'id' | 'code' | 'remarks'>,
): UnitNote {
  if (!isFinal(code)) return { line, number, paymentId, state: 'sent', error: '' }
  return code === SUCCEEDED
    ? { line, number, paymentId, state: 'succeeded', error: '' }
    : { line, number, paymentId, state: 'failed', error: remarks === '' ? `Failed (${code})` : remarks }
}

/** Says what a rejection means for a unit. It waits while the rejection may pass and there is time. */
export function noteOfRejection(
  { line, number }: UnitKey,
  { code, remarks }: { readonly code: RejectionCode; readonly remarks: string },
  passedMs: number,
): UnitNote {
  const waits = PASSING.has(code) && passedMs < RETRY_FOR_MS
  return { line, number, paymentId: null, state: waits ? 'waiting' : 'failed', error: remarks }
}

/** Tells whether a unit waits because of its account: the other units of the order would be rejected too. */
export function isHeldUp({ state, error }: Pick<UnitNote, 'state' | 'error'>): boolean {
  return state === 'waiting' && OF_ACCOUNT.includes(error)
}

/** Chooses the unit that is tried alone, the cheapest, where the account was the obstacle at the look before. */
export function unitToTryFirst<Unit extends Pick<OrderUnit, 'state' | 'error' | 'price'>>(
  waiting: readonly Unit[],
): Unit | undefined {
  if (!waiting.some(isHeldUp)) return undefined
  return waiting.reduce((cheapest, unit) => (unit.price < cheapest.price ? unit : cheapest))
}

const REFID_TAKEN = 'Refid_Taken'

/** Says that the unit's refid belongs to another payment, which somebody else made. */
export function noteOfConflict({ line, number }: UnitKey): UnitNote {
  return { line, number, paymentId: null, state: 'failed', error: REFID_TAKEN }
}

const FIRST_LOOK_MS = 1_000
const LOOK_MAX_MS = 60_000

/** Pause before the next look at payments that are not final: doubles from a second to a minute. */
export function nextLookMs(looks: number): number {
  return Math.min(FIRST_LOOK_MS * 2 ** Math.min(looks, 10), LOOK_MAX_MS)
}
