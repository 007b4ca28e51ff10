import type { Amount } from '../../../lib/money.ts'
import type { ChainedEntry, Head } from './chain.types.ts'

export type BreakKind =
  /** An entry is missing, or is there twice, or is there and should not be. */
  | 'sequence'
  | 'balance'
  | 'time'
  /** Kind, house account, sign and payment do not go together. */
  | 'shape'
  /** The entry is not the one that was chained. */
  | 'hash'
  /** The chain's own rows do not hold together. */
  | 'chain'
  | 'head'
  | 'exported_head'
  | 'chain_key'
  | 'wallet'
  | 'payment'
  | 'sum'

/** Where the ledger stops being what it should be. */
export type Break = {
  readonly kind: BreakKind
  readonly account: string | undefined
  readonly sequence: bigint | undefined
  readonly expected: string
  readonly found: string
}

/** A head as it was once exported. */
export type ExportedHead = { readonly account: string; readonly sequence: bigint; readonly hash: Buffer }

/** An entry and the hash that is kept for it. */
export type AuditedEntry = ChainedEntry & { readonly hash: Buffer | undefined }

export type WalletState = { readonly balance: Amount; readonly sequence: bigint }

/** What a wallet's entries are held against. */
export type Subject = {
  readonly account: string
  readonly wallet: WalletState
  /** undefined: nothing of it was chained yet. */
  readonly head: Pick<Head, 'sequence' | 'hash'> | undefined
  readonly exported: ExportedHead | undefined
  /** undefined: hashes cannot be computed. */
  readonly key: Buffer | undefined
}

export type HouseBalance = {
  readonly houseAccount: string
  readonly entries: bigint
  readonly balance: bigint
}

export type LedgerReport = {
  /** The first one of each wallet, then those of the whole; at most 100. */
  readonly breaks: readonly Break[]
  readonly walletCount: number
  readonly entryCount: bigint
  readonly unchainedCount: bigint
  /** When the oldest entry that is not chained yet was made. */
  readonly unchainedSinceMicros: bigint | undefined
  readonly exportedHeadCount: number
  /** undefined when one wallet alone was looked at. */
  readonly sums: LedgerSums | undefined
}

export type LedgerSums = {
  readonly walletCount: number
  readonly walletsBalance: bigint
  readonly houses: readonly HouseBalance[]
}
