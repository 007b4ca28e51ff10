export const NOTICE_TARGETS = ['product', 'category', 'provider'] as const

/** What a notice speaks of: one product, the products of a category of the base, or what a provider fulfils. */
export type NoticeTarget = {
  readonly kind: (typeof NOTICE_TARGETS)[number]
  readonly code: string
}

/** An operator's word that something does not work, from one time to another. */
export type Notice = {
  readonly id: bigint
  readonly target: NoticeTarget
  readonly message: string
  readonly startsAt: Date
  /** null: until somebody ends it. */
  readonly endsAt: Date | null
  /** Nothing is sold of it meanwhile. */
  readonly stopsPayments: boolean
  readonly createdBy: string
  readonly createdAt: Date
  /** When somebody ended it, whatever end it had. */
  readonly endedAt: Date | null
}

/** null: now, and until somebody ends it. */
export type NewNotice = Pick<Notice, 'target' | 'message' | 'stopsPayments' | 'createdBy'> & {
  readonly startsAt: Date | null
  readonly endsAt: Date | null
}

/** How a product is, and since when, by the database's clock. */
export type NetworkState = {
  readonly isInterrupted: boolean
  readonly sinceMs: number
  /** A notice says so, whatever is measured. */
  readonly isNoticed: boolean
}
