/** Return of the database to an earlier moment. */
export type Restore = {
  readonly id: bigint
  /** Last commit that the database has from before the restore. */
  readonly restoredTo: Date
  readonly restoredAt: Date
  /** Last commit of the log from which the lost payments were read; null: none was read. */
  readonly logReadTo: Date | null
  /** null: refids that the database does not know are neither taken nor rejected. */
  readonly acceptedAt: Date | null
  readonly acceptedBy: string | null
  readonly reason: string | null
  /** Number of lost payments that are not released. */
  readonly lost: number
}

/** Payment that was taken after the moment of a restore. */
export type LostPayment = {
  readonly resellerId: bigint
  readonly refid: string
  /** Id that it had; null: an operator named the refid. */
  readonly paymentId: bigint | null
  readonly provider: string
  /** Number of references that were used at providers. */
  readonly attempts: number
  readonly productCode: string
  readonly account: string
  readonly amount: bigint
  readonly cost: bigint
  /** Last state that the log has. */
  readonly code: number
}

export type KeptLostPayment = LostPayment & {
  readonly restoreId: bigint
  readonly reseller: string
  readonly releasedAt: Date | null
}
