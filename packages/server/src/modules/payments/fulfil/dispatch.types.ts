import type { Failpoint } from '../../../lib/failpoints.ts'
import type { OnProblem, PaymentNames, StageWatch } from '../../../lib/observing/payment-stages.ts'
import type { Order } from '../../providers/port/types.ts'
import type { Providers } from '../../providers/registry.service.ts'
import type { Resolver } from '../outcomes/resolve.service.ts'
import type { Attempts } from './attempts.service.ts'

/** Order that this node may send while its lease lasts. */
export type Dispatch = PaymentNames & {
  readonly resellerId: bigint
  readonly paymentId: bigint
  readonly attempt: number
  /** Number of the lease. It tells the database whether another node has taken the payment over. */
  readonly lease: number
  /** True: the reference may have been sent before. An earlier sending may have done what this one does not do. */
  readonly isRepeat?: boolean
  readonly provider: string
  readonly order: Order
  readonly questionsAsked: number
  /** End of the lease on leaseNowMs's clock. */
  readonly leaseEndsMs: number
  /** Providers that have certainly done nothing about it. */
  readonly tried?: ReadonlySet<string>
  /** Time at which the dispatcher got it, on performance.now's clock; the dispatcher sets it. */
  queuedMs?: number
  /** The same time on leaseNowMs's clock. */
  queuedLeaseMs?: number
}

export type Dispatcher = {
  /** Sends the order and writes its outcome; never rejects, and no caller has to wait for it. */
  send(dispatch: Dispatch): Promise<void>
  readonly underway: number
  /** Counts the orders that this provider was sent and has not answered. */
  underwayAt(provider: string): number
  /**
   * Stops sending. Resolves when the outcome of every sent order is written, and every other order is written as not
   * sent: other nodes may then send those at once.
   */
  drain(): Promise<void>
}

export type DispatchSettings = {
  providers: Providers
  resolver: Resolver
  attempts: Attempts
  leaseMs: number
  failpoint: Failpoint
  watch?: StageWatch | undefined
  onProblem: OnProblem
}
