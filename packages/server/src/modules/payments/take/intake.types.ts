import type { Amount } from '../../../lib/money.ts'
import type { KeyCaps } from '../../accounts/types.ts'
import type { NonceCommand } from '../../auth/nonces.types.ts'
import type { Decision, Payment, PaymentRequest } from '../core/types.ts'
import type { Reached } from '../limits/types.ts'

/** Times that tell whether a request is older than a rejection, and how long its client waits; null: not known. */
export type RequestTimes = {
  /** Second in which the request was signed, by the client's clock; null for requests without a signature. */
  readonly signedAtSeconds: number | null
  /** Milliseconds at which this node had received it, by the database's clock. */
  readonly receivedAtMs: number | null
  /** Milliseconds from which nothing is created for it, by the database's clock. */
  readonly notAfterMs: number | null
}

/** Request to pay, after it was judged. */
export type IntakeCommand = {
  readonly resellerId: bigint
  readonly request: PaymentRequest
  /** Terms of the payment; null: rejected, or not judged yet. The refid is looked up in both cases. */
  readonly decision: Decision | null
  /**
   * True: the command only looks the refid up. That no payment exists is not told to the client yet, and is not a
   * rejection.
   */
  readonly isLookupOnly: boolean
  readonly times: RequestTimes
  /** Code of the provider that gets the order; '' where nothing was decided. */
  readonly provider: string
  /**
   * True: the payment sells from our own stock. An item is bound in the same commit; without an item nothing is
   * created.
   */
  readonly reservesStock: boolean
  /** Note for the timeline about the choice of the provider; null: no note. */
  readonly routeNote: string | null
  /** Seconds before it in which the same product, account and amount must not have been taken; left out and 0: any may. */
  readonly duplicateSeconds?: number | undefined
  /** Purpose of the key that pays; left out: no key does. */
  readonly purposeId?: bigint | undefined
  /** Caps of that key; left out: none. */
  readonly caps?: KeyCaps | undefined
  /** Nonce to spend in the same commit; undefined when the caller needs none or has spent it. */
  readonly nonce: NonceCommand | undefined
  /**
   * Id of the request. A command without a nonce that runs again after a lost answer knows by it the payment that it
   * created itself; undefined: the payment is left to recovery then. A nonce has the id, too.
   */
  readonly requestId?: string | undefined
  readonly sender: string
  readonly memberId: string
}

export type IntakeResult =
  | { readonly verdict: 'nonce' }
  | { readonly verdict: 'created' | 'existing'; readonly payment: Payment }
  /** No payment exists with this refid, and nothing was decided: the client's time was over. */
  | { readonly verdict: 'late' }
  /**
   * No payment exists with this refid, and nothing was decided: the database was returned to an earlier moment, and the
   * refid may have been paid after it.
   */
  | { readonly verdict: 'lost' }
  /**
   * No payment exists with this refid. `absent`: the command had no decision. The others had one: `out_of_stock`: no
   * item is left; `unquoted`: its quote is not open any more; `repeated`: the same payment was
   * taken in the window before; `insufficient`: the wallet does not hold the cost;
   * `outranked`: a request that is not older was rejected.
   */
  | {
      readonly verdict: 'out_of_stock' | 'unquoted' | 'repeated' | 'insufficient' | 'outranked' | 'absent'
      readonly balance: Amount
    }
  /** No payment exists with this refid: it would be over a limit, or over the amount or a cap of its key. */
  | { readonly verdict: 'limited'; readonly balance: Amount; readonly reached: Reached }
