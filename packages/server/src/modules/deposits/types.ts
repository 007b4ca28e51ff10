import type { Amount } from '../../lib/money.ts'

export const DEPOSIT_STATES = ['reported', 'accepted', 'credited', 'refused', 'withdrawn'] as const
/**
 * State of a reported transfer. `accepted`: an operator asked for the deposit, and a second one has not decided yet.
 * `credited`: the money is in the wallet.
 */
export type DepositState = (typeof DEPOSIT_STATES)[number]

export const SLIP_KINDS = ['jpeg', 'pdf', 'png', 'webp'] as const
export type SlipKind = (typeof SLIP_KINDS)[number]

export type Slip = { readonly kind: SlipKind; readonly bytes: Buffer }

/** Transfer as its reseller describes it. */
export type ReportedTransfer = {
  readonly amount: Amount
  /** Day of the transfer, counted from 1970-01-01. */
  readonly transferredOn: number
  /** Reference that the bank gave the transfer. */
  readonly bankReference: string
  readonly note: string
}

export type DepositRequest = ReportedTransfer & {
  readonly id: bigint
  readonly resellerId: bigint
  readonly state: DepositState
  /** Name of the member who reported it. */
  readonly reporter: string
  readonly reportedAt: Date
  readonly changedAt: Date
  readonly slip: { readonly kind: SlipKind; readonly size: number }
  /** Request for the deposit; null: nobody accepted it, or the acceptance came to nothing. */
  readonly approvalId: bigint | null
  /** Operator who accepted or refused it. */
  readonly decidedBy: bigint | null
  /** Reason of the refusal, for the reseller; empty: it was not refused. */
  readonly refusal: string
  /** Number of the wallet's entry; null: no money moved. */
  readonly entrySequence: bigint | null
  /** Other requests that may be credited or are, with the same reference of the bank, oldest first. */
  readonly sameReference: readonly { readonly id: bigint; readonly resellerId: bigint }[]
}

export type DepositFilter = {
  /** null: every reseller's, for operators. */
  readonly resellerId: bigint | null
  readonly state: DepositState | null
  readonly beforeId: bigint | null
  readonly limit: number
}
