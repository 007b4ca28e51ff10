export const NOTICE_TARGETS = ['product', 'category', 'provider'] as const

/**
 * Subject of a notice: one product, the products of a category of the base catalogue, or the products that a provider
 * fulfils.
 */
export type NoticeTarget = {
  readonly kind: (typeof NOTICE_TARGETS)[number]
  readonly code: string
}

/** An operator's statement that something does not work in a period of time. */
export type Notice = {
  readonly id: bigint
  readonly target: NoticeTarget
  readonly message: string
  readonly startsAt: Date
  /** Planned end; null: open until somebody ends it. */
  readonly endsAt: Date | null
  /** True when the subject is not sold in that period. */
  readonly stopsPayments: boolean
  readonly createdBy: string
  readonly createdAt: Date
  /** Time at which somebody ended it, whatever its planned end. */
  readonly endedAt: Date | null
}

/** A notice to add. A null start means now; a null end means until somebody ends it. */
export type NewNotice = Pick<Notice, 'target' | 'message' | 'stopsPayments' | 'createdBy'> & {
  readonly startsAt: Date | null
  readonly endsAt: Date | null
}

/** State of a product and its start, on the database's clock. */
export type NetworkState = {
  readonly isInterrupted: boolean
  readonly sinceMs: number
  /** True when a notice is in force, whatever is measured. */
  readonly isNoticed: boolean
}
