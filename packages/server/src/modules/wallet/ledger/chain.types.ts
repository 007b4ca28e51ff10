import type { Amount } from '../../../lib/money.ts'

/**
 * All columns of an entry that the chain covers, with times in microseconds. Texts are plain strings, because they may
 * be wrong.
 */
export type ChainedEntry = {
  readonly resellerId: bigint
  readonly sequence: bigint
  readonly kind: string
  readonly houseAccount: string
  readonly amount: Amount
  readonly balanceAfter: Amount
  readonly paymentId: bigint | null
  readonly reference: string | null
  readonly remarks: string
  readonly createdAtMicros: bigint
}

/** Last chained entry of a wallet, and that entry's hash. */
export type Head = {
  readonly resellerId: bigint
  readonly sequence: bigint
  readonly hash: Buffer
}

export type EntryHash = Head

/** Wallet that cannot be chained further; `ledger verify` says more. */
export type ChainBreak = {
  readonly resellerId: bigint
  readonly sequence: bigint
  readonly text: string
}
