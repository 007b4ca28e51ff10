import type { Amount } from '../../../lib/money.ts'
import type { TransferKind } from '../balance/types.ts'

export type Movement = { readonly count: bigint; readonly amount: Amount }

/** Movements by kind. The amounts are signed as in the ledger. */
export type Movements = Readonly<Record<TransferKind, Movement>>

/** Consecutive entries of a wallet, after `before` up to `last`, and their movements. */
export type Period = {
  readonly before: bigint
  readonly last: bigint
  readonly opening: Amount
  readonly closing: Amount
  readonly movements: Movements
}

/** Position in a wallet's entries and the balance there; both are 0 before the first entry. */
export type EntryPosition = { readonly sequence: bigint; readonly balance: Amount }
