import type { PaymentCode } from '../../payments/core/types.ts'
import type { EventColumns } from '../messages/refs.rules.ts'

/** Account whose feed holds the facts of the house itself: alerts, approvals and cases, for operators. */
export const HOUSE = 0n

/** A new row of a feed. */
export type LiveRow = EventColumns & {
  readonly resellerId: bigint
  readonly span: number
  /** Last number of the row: the position of a reader who has read it. */
  readonly position: bigint
}

/** Payments of any account that were taken or moved, newest state of each. */
export type ChangedPayments = {
  readonly payments: ReadonlyMap<bigint, PaymentCode>
  /** True when more changed than are named, or when it is not known which. */
  readonly isPartial: boolean
}

export type Following = {
  /** Position after which rows are sent. */
  readonly position: bigint
  stop(): void
}

export type Replay =
  | { readonly kind: 'rows'; readonly rows: readonly LiveRow[] }
  /** The rows are too many, no longer kept, or never were: the reader has to read everything anew. */
  | { readonly kind: 'lost' }

/** New rows of feeds as they are numbered, on whichever node: one reader of a process for all its open pages. */
export type LiveFeeds = {
  /** Passes new rows of one feed to the follower. All followers of a feed receive the same rows. */
  follow(resellerId: bigint, onRows: (rows: readonly LiveRow[]) => void): Promise<Following>
  /** Tells changed payments of all accounts, a few times a second at most. */
  followPayments(onChanged: (changed: ChangedPayments) => void): () => void
  /** Reads the rows between two positions, for a page that connects again. */
  replay(resellerId: bigint, after: bigint, until: bigint): Promise<Replay>
  close(): Promise<void>
}
