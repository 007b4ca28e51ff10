import type { Amount } from '../../../lib/money.ts'
import type { HmacKey } from '../../../lib/secrets/hmac.ts'
import type { ChainedEntry, Head } from './chain.types.ts'

export type BreakKind =
  /** Entry that is missing, is there twice, or should not be there. */
  | 'sequence'
  | 'balance'
  | 'time'
  /** Kind, house account, sign and payment that do not go together. */
  | 'shape'
  /** Entry that differs from the chained one. */
  | 'hash'
  /** Rows of the chain that contradict each other. */
  | 'chain'
  | 'head'
  | 'exported_head'
  | 'chain_key'
  | 'wallet'
  | 'payment'
  /** Sum of limits or caps that is not that of its payments. */
  | 'count'
  | 'sum'

/** Sum that was kept beside the payments, and what it should be. */
export type DriftedSum = {
  readonly resellerId: bigint
  readonly expected: string
  readonly found: string
}

/** First place at which the ledger is wrong. */
export type Break = {
  readonly kind: BreakKind
  readonly account: string | undefined
  readonly sequence: bigint | undefined
  readonly expected: string
  readonly found: string
}

/** Head of a wallet's chain that was exported earlier. */
export type ExportedHead = { readonly account: string; readonly sequence: bigint; readonly hash: Buffer }

/** Entry with its stored hash. */
export type AuditedEntry = ChainedEntry & { readonly hash: Buffer | undefined }

export type WalletState = { readonly balance: Amount; readonly sequence: bigint }

/** Data against which a wallet's entries are checked. */
export type Subject = {
  readonly account: string
  readonly wallet: WalletState
  /** undefined: no entry of the wallet is chained yet. */
  readonly head: Pick<Head, 'sequence' | 'hash'> | undefined
  readonly exported: ExportedHead | undefined
  /** undefined: hashes cannot be computed. */
  readonly key: HmacKey | undefined
}

export type HouseBalance = {
  readonly houseAccount: string
  readonly entries: bigint
  readonly balance: bigint
}

export type LedgerReport = {
  /** First break of each wallet, then breaks of the whole ledger; at most 100. */
  readonly breaks: readonly Break[]
  readonly walletCount: number
  readonly entryCount: bigint
  readonly unchainedCount: bigint
  /** Time of the oldest entry that is not chained yet. */
  readonly unchainedSinceMicros: bigint | undefined
  readonly exportedHeadCount: number
  /** undefined when one wallet alone was checked. */
  readonly sums: LedgerSums | undefined
}

export type LedgerSums = {
  readonly walletCount: number
  readonly walletsBalance: bigint
  readonly houses: readonly HouseBalance[]
}
