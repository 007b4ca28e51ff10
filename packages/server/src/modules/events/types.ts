import type { Amount } from '../../lib/money.ts'
import type { AccountEvent } from '../catalog/changes/events.types.ts'
import type { Payment, PaymentCode } from '../payments/core/types.ts'

/** The ways in which events are pushed to an account. The feed is one more way: the account asks for it. */
export const STREAMS = ['callback', 'catalog', 'balance', 'order'] as const
export type Stream = (typeof STREAMS)[number]

export const PAYMENT_EVENT_TYPES = [
  'payment.accepted',
  'payment.processing',
  'payment.succeeded',
  'payment.failed',
  'payment.voided',
] as const

export const BALANCE_EVENT_TYPES = [
  'balance.added',
  'balance.low',
  'balance.deducted',
  'balance.refunded',
] as const

export const CASE_EVENT_TYPES = ['case.opened', 'case.updated', 'case.resolved', 'case.refused'] as const

export const ORDER_EVENT_TYPES = ['order.completed', 'order.timeout', 'order.cancelled'] as const

export type PaymentEventType = (typeof PAYMENT_EVENT_TYPES)[number]
export type BalanceEventType = (typeof BALANCE_EVENT_TYPES)[number]
export type OrderEventType = (typeof ORDER_EVENT_TYPES)[number]

/** Events without another record: their data is appended with them. */
export const OWN_EVENT_TYPES = [
  'balance.low',
  'case.opened',
  'case.updated',
  'case.resolved',
  'case.refused',
  'delivery.failed',
  'endpoint.paused',
  'deposit.refused',
] as const

export type OwnEventType = (typeof OWN_EVENT_TYPES)[number]

/** Types that the balance stream sends until its owner chooses others. */
export const BALANCE_TYPES_AT_FIRST: readonly BalanceEventType[] = ['balance.added']

// ── References ──

type RefOf<Source extends string, Fields> = Readonly<
  {
    resellerId: bigint
    /** Identifies the event to receivers: the same in the feed, in every attempt and in every replay. */
    eventId: string
    source: Source
    /** Time of the event. A payment is read as it was in its state at this time. */
    at: Date
  } & Fields
>

/** Amount with its sign, and the wallet's balance after it. */
type Movement = { amount: Amount; balance: Amount }

/** A payment was taken: one fact, two events. */
export type TakenRef = RefOf<
  'taken',
  Movement & { paymentId: bigint; type: 'payment.accepted' | 'balance.deducted' }
>

/** A payment entered the state `code`. */
export type MovedRef = RefOf<
  'moved',
  {
    paymentId: bigint
    code: PaymentCode
    /** Null: the balance that the payment's latest movement of money left. */
    balance: Amount | null
  }
>

/** The money of a payment was given back. */
export type RefundedRef = RefOf<'refunded', Movement & { paymentId: bigint }>

/** An entry of the wallet that is not a payment's. */
export type EntryRef = RefOf<'entry', Movement & { entrySequence: bigint }>

/** One event of a catalogue change. */
export type CatalogRef = RefOf<'catalog', { version: bigint; location: CatalogLocation }>

/** Deliveries know the stored set that holds the event; the feed knows its position in the account's own order. */
export type CatalogLocation =
  | { readonly kind: 'set'; readonly setId: string; readonly position: number }
  | { readonly kind: 'order'; readonly position: number }

/** An event without another record: its data was appended with it. */
export type OwnRef = RefOf<'own', { type: string; data: EventData }>

/** An order became final. */
export type OrderRef = RefOf<'order', { orderId: bigint; type: string }>

/** A sample that an endpoint is sent on request. */
export type TestRef = RefOf<'test', { type: string; data: EventData }>

/** A row that lacks a column which its source needs. Reading it fails, and only it. */
export type InvalidRef = RefOf<'invalid', { problem: string }>

/** A row of a source that a later version of the service wrote: this version has nothing to show for it. */
export type UnknownRef = RefOf<'unknown', object>

/**
 * One event, by the record that it is about. The feed and the deliveries hold this reference and read the rest when
 * they show or send it, so that no PIN, link or identity number is stored in an event.
 */
export type EventRef =
  | TakenRef
  | MovedRef
  | RefundedRef
  | EntryRef
  | CatalogRef
  | OwnRef
  | OrderRef
  | TestRef
  | InvalidRef
  | UnknownRef

export type EventData = Readonly<Record<string, unknown>>

// ── Contents ──

/** An event with its contents, as the reader loads it. */
export type LoadedEvent = {
  readonly ref: EventRef
  /** Name in the feed: payment.succeeded, balance.added, product.updated… */
  readonly type: string
  /** Data in the feed. */
  readonly data: EventData
  /** Record that the messages of the streams are made from. */
  readonly subject: EventSubject
  /** True for a state that the payment has left since: its later state is sent instead. */
  readonly isSuperseded: boolean
}

export type EventSubject =
  | { readonly kind: 'payment'; readonly payment: Payment }
  | { readonly kind: 'balance' }
  | { readonly kind: 'catalog'; readonly event: AccountEvent }
  | { readonly kind: 'order' }
  | { readonly kind: 'own' }

/** Loads many events at once, in the order of the refs; undefined: the record of the event is no longer kept. */
export type EventReader = {
  read(refs: readonly EventRef[]): Promise<readonly (LoadedEvent | undefined)[]>
}

/** A request to a receiver, before it is signed. */
export type Message = {
  /** The event object, as the log shows it. */
  readonly payload: EventData
  /** The form that is sent: the four parameters of a GET callback, else the payload itself. */
  readonly sent: EventData
  /** POST: the JSON of the body. GET: the query that is appended to the URL, without the question mark. */
  readonly text: string
}
