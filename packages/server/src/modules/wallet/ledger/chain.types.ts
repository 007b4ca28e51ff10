import type { Amount } from '../../../lib/money.ts'

/** Every column of an entry, to the microsecond, as the chain covers it. Words are not narrowed: they may be wrong. */
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

/** How far a wallet is chained: its last chained entry, and that entry's hash. */
export type Head = {
  readonly resellerId: bigint
  readonly sequence: bigint
  readonly hash: Buffer
}

export type EntryHash = Head

/** A wallet that cannot be chained further; `ledger verify` says more. */
export type ChainBreak = {
  readonly resellerId: bigint
  readonly sequence: bigint
  readonly text: string
}
