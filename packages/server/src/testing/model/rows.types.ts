import type { PaymentCode } from '../../modules/payments/core/types.ts'

// Rows of one payment in the database, as far as they decide anything. Times are not modelled as numbers: a row says
// whether its time has come.

export type Work = {
  readonly attempt: number
  readonly lease: number
  readonly isLeased: boolean
  /** True: `next_at` has passed. The lease has ended, or a question is due. */
  readonly isDue: boolean
  /** True: the lease seems to have ended only because somebody set the database's clock forward. */
  readonly isEarly: boolean
  readonly isUnsent: boolean
  readonly repeats: number
  /** True: so much time has passed since the last sending that "not found" proves that the order never arrives. */
  readonly isProven: boolean
  /** Number of the client's request that created the payment. */
  readonly request: number
}

export type OpenAttempt = Pick<Work, 'attempt' | 'lease' | 'isLeased' | 'isDue' | 'isProven'>

export type Row = {
  readonly code: PaymentCode
  /** Provider of each attempt, the first attempt first. */
  readonly providers: readonly string[]
  readonly work: Work | null
  /** Open attempts in the order of their numbers. */
  readonly open: readonly OpenAttempt[]
  /** Attempts whose end was concluded by us: the timeline has a `route` of them. */
  readonly routed: readonly number[]
  /** Answer that ended the payment; null: none has. A void does not change it. */
  readonly ended: { readonly code: PaymentCode; readonly attempt: number | null } | null
  /** Contradictions on the timeline, each as code and attempt. */
  readonly contradictions: readonly string[]
}

/** Answer about a payment, as `resolve_payments` takes it. */
export type Answer = {
  readonly code: PaymentCode
  /** Attempt that it is about; null: the payment itself. */
  readonly attempt: number | null
  /** Lease of the sender, for answers that only the holder may act on. */
  readonly lease: number | null
}

export type Begin = {
  readonly attempt: number
  readonly lease: number | null
  readonly provider: string | null
  readonly isBegun: boolean
  readonly isRepeat: boolean
}

export type Holder = { readonly attempt: number; readonly lease: number; readonly isRepeat: boolean }
