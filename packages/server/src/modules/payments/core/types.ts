import type { FailureCode } from '../../../lib/failure-codes.ts'
import type { Amount } from '../../../lib/money.ts'
import type { FulfilledOutput } from '../../providers/port/types.ts'

/** Codes of the contract: 0 Accepted, 1 Processing, 20 Succesful, 53 voided, the others Failed. */
export type PaymentCode = 0 | 1 | 20 | 53 | FailureCode

/** Kinds of lines on a payment's timeline. */
export const TIMELINE_KINDS = [
  'state',
  'attempt',
  'repeat',
  'route',
  'late',
  'contradiction',
  'output',
  'callback',
  'settlement',
  'reversal',
] as const
export type TimelineKind = (typeof TIMELINE_KINDS)[number]

/** Codes of a rejected request: no payment exists. */
export type RejectionCode = 41 | 43 | 44 | 45 | 49 | 52 | 54 | 56 | 58 | 62

/** Fields that a payment may carry beside account and amount; null: not sent, or sent empty. */
export type PaymentExtras = {
  readonly subproductCode: string | null
  readonly billerCode: string | null
  readonly ref2: string | null
  /** Secret: sealed at rest, never logged. */
  readonly icNumber: string | null
}

/** Conditions under which a payment is made, and nothing of what is paid: they never make it another payment. */
export type PaymentTerms = {
  /** Quote that says its cost, as it was sent; null: the price list does. */
  readonly quoteId: string | null
  /** Highest cost; null: any. */
  readonly costMax: Amount | null
  /** True: it is meant, although the same was paid a moment ago. */
  readonly allowsDuplicate: boolean
}

/** Body in which at least the refid could be read. `problems` says what is wrong with the rest. */
export type PaymentRequest = {
  readonly refid: string
  /** Echoed as sent; '' where it could not be read. */
  readonly product: string
  readonly account: string
  /** Amount to pay; null: not a plain decimal greater than zero. */
  readonly amount: Amount | null
  readonly remarks: string
  readonly extras: PaymentExtras
  /** Left out: none were sent. */
  readonly terms?: PaymentTerms | undefined
  /** Problems by wire name; empty when the form is right. */
  readonly problems: Readonly<Record<string, readonly string[]>>
}

/** Rejection as a value: it becomes the answer only if no payment with this refid exists. */
export type Rejection = {
  readonly code: RejectionCode
  /** Stable token or short sentence, as `remarks` shows it. */
  readonly remarks: string
  /** Text for a human, as `message` shows it. */
  readonly message: string
  /** Messages by wire name. */
  readonly errors: Readonly<Record<string, readonly string[]>>
}

/** Terms of a payment, decided against one snapshot. */
export type Decision = {
  readonly productCode: string
  readonly productName: string
  readonly amount: Amount
  /** amount × denomination unit price, in ringgit. */
  readonly faceValue: Amount
  readonly cost: Amount
  /** Code of the option or loan type to send on; found from the amount where no code was sent. */
  readonly planCode: string | null
  readonly dueAfterSeconds: number
  /** Category of the product in the base catalogue, by which limits count it. */
  readonly category?: string | undefined
  /** Quote that says its cost; left out: the price list does. */
  readonly quoteId?: string | undefined
  /** Canonical number of the account, where that was written otherwise. */
  readonly canonicalAccount?: string | undefined
  /** Its plan shares the amount with another one, so that the stock cannot tell which item is meant. */
  readonly withoutStock?: true | undefined
}

export type Judgement =
  | { readonly kind: 'accepted'; readonly decision: Decision }
  | {
      readonly kind: 'rejected'
      readonly rejection: Rejection
      /** Decision without this rejection, which comes after terms, limits and caps: a test account asked for it. */
      readonly behind?: Decision | undefined
    }

export const SELLER_KINDS = ['member', 'key', 'order'] as const
/** member: a person in the portal, or with a legacy token. key: an API key. order: an order of the checkout. */
export type SellerKind = (typeof SELLER_KINDS)[number]

/** Payment as the database has it, with its secrets opened. */
export type Payment = {
  readonly resellerId: bigint
  readonly id: bigint
  readonly refid: string
  readonly productCode: string
  readonly productName: string
  /** Account as it was sent. */
  readonly account: string
  /** Canonical number of the account, where that was written otherwise; left out and null: the account is its own. */
  readonly canonicalAccount?: string | null | undefined
  readonly amount: Amount
  readonly faceValue: Amount
  readonly cost: Amount
  /** Wallet balance right after this payment's latest movement of money. */
  readonly balanceAfter: Amount
  readonly code: PaymentCode
  readonly extras: PaymentExtras
  /** Remarks of the caller, until a failure's reason replaces them. */
  readonly remarks: string
  readonly output: FulfilledOutput
  readonly sender: string
  readonly memberId: string
  /** Kind of what `memberId` names; null: taken before that was kept. */
  readonly seller?: SellerKind | null | undefined
  readonly createdAt: Date
  /** Time of the latest change of state. */
  readonly changedAt: Date
}
