import type { NonceCommand } from '../auth/nonces.types.ts'
import type { Amount } from '../wallet/types.ts'
import type { Decision, Payment, PaymentRequest } from './types.ts'

/** One request to pay, judged. */
export type IntakeCommand = {
  readonly resellerId: bigint
  readonly request: PaymentRequest
  /** null: judged no, or not judged yet; the refid is looked up all the same. */
  readonly decision: Decision | null
  /** Who takes the order; '' where nothing was decided. */
  readonly provider: string
  /** It sells from our own stock: an item is bound in the same commit, and without one nothing is created. */
  readonly reservesStock: boolean
  /** What the timeline says about the choice of the provider; null: nothing to say. */
  readonly routeNote: string | null
  /** Spent in the same commit; undefined when the caller needs none or has spent it. */
  readonly nonce: NonceCommand | undefined
  readonly sender: string
  readonly memberId: string
}

export type IntakeResult =
  | { readonly verdict: 'nonce' }
  | { readonly verdict: 'created' | 'existing'; readonly payment: Payment }
  /**
   * Nothing exists under this refid. Judged yes, but: `out_of_stock`: no item is left; `insufficient`: the wallet does
   * not hold the cost.
   */
  | { readonly verdict: 'out_of_stock' | 'insufficient' | 'absent'; readonly balance: Amount }
