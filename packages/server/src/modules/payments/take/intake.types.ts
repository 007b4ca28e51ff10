import type { Amount } from '../../../lib/money.ts'
import type { NonceCommand } from '../../auth/nonces.types.ts'
import type { Decision, Payment, PaymentRequest } from '../payment/types.ts'

/** What says whether a request is older than a rejection, and how long its client waits; null: not known. */
export type RequestTimes = {
  /** The second in which it was signed, by the client's clock; null for requests without a signature. */
  readonly signedAtSeconds: number | null
  /** When this node had received it, in milliseconds by the database's clock. */
  readonly receivedAtMs: number | null
  /** From then on nothing is created for it, in milliseconds by the database's clock. */
  readonly notAfterMs: number | null
}

/** One request to pay, judged. */
export type IntakeCommand = {
  readonly resellerId: bigint
  readonly request: PaymentRequest
  /** null: judged no, or not judged yet; the refid is looked up all the same. */
  readonly decision: Decision | null
  /** The refid is only looked up: that nothing exists is not told to the client yet, and is no rejection. */
  readonly onlyLooks: boolean
  readonly times: RequestTimes
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
  /** Nothing exists under this refid, and nothing was decided: the client's time was over. */
  | { readonly verdict: 'late' }
  /**
   * Nothing exists under this refid. Judged yes, but: `out_of_stock`: no item is left; `insufficient`: the wallet does
   * not hold the cost; `outranked`: a request that is not older was rejected.
   */
  | {
      readonly verdict: 'out_of_stock' | 'insufficient' | 'outranked' | 'absent'
      readonly balance: Amount
    }
