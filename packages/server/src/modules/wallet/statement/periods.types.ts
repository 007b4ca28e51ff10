import type { Amount } from '../../../lib/money.ts'
import type { TransferKind } from '../balance/types.ts'

export type Movement = { readonly count: bigint; readonly amount: Amount }

/** What moved, by kind; the amounts are signed as in the ledger. */
export type Movements = Readonly<Record<TransferKind, Movement>>

/** Consecutive entries of a wallet, everything after `before` up to `last`, and what they moved. */
export type Period = {
  readonly before: bigint
  readonly last: bigint
  readonly opening: Amount
  readonly closing: Amount
  readonly movements: Movements
}

/** A place in a wallet's entries and the balance there; 0 and nothing before the first one. */
export type Place = { readonly sequence: bigint; readonly balance: Amount }
