import type { Amount } from '../../../lib/money.ts'
import type { PaymentExtras } from '../../payments/core/types.ts'

export const ORDER_STATES = [
  'draft',
  'awaiting_payment',
  'confirmed',
  'completed',
  'partially_completed',
  'failed',
  'cancelled',
  'timeout',
] as const
export type OrderState = (typeof ORDER_STATES)[number]

/** waiting: not known to be paid. sent: the payment exists and is not final. */
export const UNIT_STATES = ['waiting', 'sent', 'succeeded', 'failed'] as const
export type UnitState = (typeof UNIT_STATES)[number]

export const LANGUAGES = ['en', 'ms', 'id', 'zh', 'ta'] as const
export type Language = (typeof LANGUAGES)[number]

export type OrderKey = { readonly resellerId: bigint; readonly id: bigint }

/** Names of values that a customer may have to type into a fixed line, as on the wire. */
export const OPEN_FIELDS = ['account', 'subproduct_code', 'biller_code', 'ref2', 'ic_number'] as const
export type OpenField = (typeof OPEN_FIELDS)[number]

/** Line of a basket as somebody asks for it: not judged, and without a price. */
export type BasketItem = {
  readonly productCode: string
  /** Account to pay to; null: the customer types it. */
  readonly account: string | null
  readonly amount: Amount
  readonly extras: PaymentExtras
  readonly quantity: number
}

/** Line of an order, with the price that is locked for the order's life. */
export type OrderLine = BasketItem & {
  /** Place in the basket, from 1. */
  readonly line: number
  readonly productName: string
  readonly unitPrice: Amount
  /** Values of a fixed line that the customer types. Empty for lines that the customer chose. */
  readonly openFields: readonly OpenField[]
  /** True: account and extras are stored and cannot be opened. They are null here, and must not be written again. */
  readonly isUnreadable?: boolean
}

/** One payment of a confirmed order. */
export type OrderUnit = {
  readonly line: number
  readonly number: number
  readonly refid: string
  readonly state: UnitState
  readonly price: Amount
  readonly paymentId: bigint | null
  /** Reason of a failure; empty otherwise. */
  readonly error: string
}

/** Order with its basket. It carries no cost, and no other wholesale figure. */
export type Order = OrderKey & {
  /** Identifier on the wire: ord_… */
  readonly code: string
  readonly reference: string
  readonly userId: string
  readonly state: OrderState
  readonly returnUrl: string
  /** Codes that the customer may choose from; null: all that the account sells. */
  readonly products: readonly string[] | null
  /** True: the reseller chose the basket, and the customer may only fill in what is missing. */
  readonly isFixed: boolean
  readonly language: Language
  readonly showsResults: boolean
  /** True: the customer wants it although it repeats an earlier payment. */
  readonly allowsRepeats: boolean
  /** Raised by every change of the basket. */
  readonly version: number
  readonly total: Amount
  readonly refund: Amount
  readonly paymentReference: string | null
  /** Reason that somebody gave when cancelling it; empty otherwise. */
  readonly cancelReason: string
  readonly createdAt: Date
  readonly expiresAt: Date
  readonly confirmedAt: Date | null
  /** Time of the final state. */
  readonly completedAt: Date | null
  readonly lines: readonly OrderLine[]
  /** Empty until the order is confirmed. */
  readonly units: readonly OrderUnit[]
}

/** Result of a unit that succeeded, as the customer may see it. */
export type UnitResult = {
  readonly line: number
  readonly number: number
  readonly productCode: string
  readonly serialNumber: string
  readonly pin: string
  readonly expiry: string
  readonly voucherLink: string
}

/** An order as its customer may see it, read at one instant. */
export type CustomerOrder = {
  readonly order: Order
  /** Missing values of each line by its number; empty when the basket can be submitted. */
  readonly missing: ReadonlyMap<number, readonly OpenField[]>
  /** Time of the database, for the countdown. */
  readonly readAt: Date
}
