import type { Amount } from '../../lib/money.ts'
import type { ComparisonView } from '../margins/types.ts'
import type { Route } from '../providers/connections/routing.types.ts'

// Offers of suppliers, as they are stored and shown: plain JSON, amounts as decimals in the supplier's currency.

export type OfferMoney = { readonly amount: string; readonly currency: string }

/** Offer in a supplier's list. Its texts are bounded, and have no control characters. */
export type Offer = {
  /** Code that an order names. */
  readonly code: string
  readonly name: string
  readonly brand: string | null
  readonly country: string | null
  /** Supplier's word for its sort. */
  readonly type: string | null
  readonly description: string | null
  readonly image: string | null
  /** False: it cannot be bought now. */
  readonly open: boolean
  /** Value that the customer receives; null: no value, such as a plan. */
  readonly face: { readonly currency: string; readonly min: string; readonly max: string } | null
  /** Price of one; null for ranges, and where the list has none. */
  readonly cost: OfferMoney | null
  /** Hours of sale, HH:mm of GMT+8; null: always. */
  readonly hours: { readonly opens: string; readonly closes: string } | null
  readonly validity: string | null
  readonly requires: readonly string[]
  /** Further values that an order of it sends. */
  readonly values: Readonly<Record<string, string>>
}

export const PROPOSAL_KINDS = [
  'new',
  'cost_changed',
  'gone',
  'closed',
  'reopened',
  'hours_changed',
  'changed',
] as const
export type ProposalKind = (typeof PROPOSAL_KINDS)[number]

export const PROPOSAL_STATES = ['open', 'accepted', 'rejected', 'superseded'] as const
export type ProposalState = (typeof PROPOSAL_STATES)[number]

/** Difference between an offer as our catalogue follows it and as the list has it: the members that differ. */
export type Difference = {
  readonly kind: ProposalKind
  /** null: there was no such offer, or there is none any more. */
  readonly before: Partial<Offer> | null
  readonly after: Partial<Offer> | null
}

export type Proposal = Difference & {
  readonly id: bigint
  readonly provider: string
  readonly code: string
  readonly state: ProposalState
  readonly createdAt: Date
  readonly decidedAt: Date | null
  readonly decidedBy: string | null
}

export const SYNC_STATES = ['running', 'complete', 'failed'] as const
export type SyncState = (typeof SYNC_STATES)[number]

/** One reading of a supplier's list. */
export type Sync = {
  readonly id: bigint
  readonly provider: string
  readonly state: SyncState
  readonly pages: number
  readonly offers: number
  /** Entries that could not be read. */
  readonly unread: number
  readonly proposals: number
  /** Last failure; of a complete list, why nothing of it was marked as gone. */
  readonly trouble: string | null
  readonly startedBy: string
  readonly startedAt: Date
  readonly finishedAt: Date | null
}

/** Place of a supplier's code in the products of its connection: a product, one of its amounts or one of its plans. */
export type Place = (
  | { readonly product: string; readonly by: 'product' }
  | { readonly product: string; readonly by: 'amount' | 'subproduct'; readonly key: string }
) & {
  /** The supplier does not sell it now. */
  readonly isClosed?: boolean
}

export type SyncSchedule = {
  readonly provider: string
  readonly everyHours: number
  readonly nextAt: Date
}

export type Scheduled = { readonly provider: string; readonly schedule: SyncSchedule | undefined }

// ── Proposals beside our prices ──

/** Reasons why an offer has no margin. */
export const MARGIN_GAPS = ['no_cost', 'no_rate', 'no_price', 'no_value'] as const
export type MarginGap = (typeof MARGIN_GAPS)[number]

/** Margin of an offer at the level that pays least for it. */
export type OfferMargin = {
  readonly product: string
  readonly level: string
  /** Amounts in ringgit. */
  readonly faceValue: Amount
  readonly price: Amount
  readonly cost: Amount
  readonly margin: Amount
}

export type ShownProposal = Proposal & {
  readonly name: string
  /** Products that are, or would be, bought by it. */
  readonly products: readonly string[]
  readonly marginBefore: OfferMargin | MarginGap
  readonly margin: OfferMargin | MarginGap
  /** Why it cannot be accepted as it is. */
  readonly trouble: string | null
}

// ── Decisions ──

export type RefusedProposal = { readonly proposal: Proposal; readonly reason: string }

export type Accepted = {
  readonly provider: string
  readonly accepted: readonly Proposal[]
  /** Proposals that the rule chose and that cannot be accepted as they are. */
  readonly refused: readonly RefusedProposal[]
  /** Last proposal of the rule, where there are more. */
  readonly next: bigint | null
  readonly routes: readonly Route[]
  readonly comparison: ComparisonView
}

export type Rejected = { readonly provider: string; readonly rejected: number; readonly next: bigint | null }
