import type { Amount } from '../../lib/money.ts'
import type { AccountEvent } from '../catalog/changes/events.types.ts'
import type { Payment, PaymentCode } from '../payments/payment/types.ts'

/** The three ways in which an account is told by itself; the feed is the fourth, which it asks for. */
export type Stream = 'callback' | 'catalog' | 'balance'

export const STREAMS: readonly Stream[] = ['callback', 'catalog', 'balance']

/** What an event was made from; see the migration for what the subject of each is. `test`: a sample, of nothing. */
export type EventSource = 'taken' | 'moved' | 'refunded' | 'entry' | 'catalog' | 'own' | 'test'

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

export type BalanceEventType = (typeof BALANCE_EVENT_TYPES)[number]

/** What the balance stream sends while its owner has chosen nothing else. */
export const BALANCE_TYPES_AT_FIRST: readonly BalanceEventType[] = ['balance.added']

/**
 * One event, by what it is about: the feed and the deliveries hold this, and read the rest from its subject when they
 * show or send it. A payment's is its state at `at`, whatever became of it since.
 */
export type EventRef = {
  readonly resellerId: bigint
  /** As receivers know it: equal in the feed, in every attempt and in every replay. */
  readonly eventId: string
  readonly source: EventSource
  readonly subject: bigint
  /** moved: the state that the payment entered. */
  readonly code: PaymentCode | null
  /** What was moved in the wallet, with its sign, and what that left in it. */
  readonly amount: Amount | null
  readonly balance: Amount | null
  /** entry: the entry's kind. own, test: the event's type. taken: which of its two events is meant. */
  readonly type: string | null
  /** own: the event's data as it was appended. */
  readonly data: Readonly<Record<string, unknown>> | null
  /** Which of a catalogue change's events it is, in the order in which the account is told of them, from 1. */
  readonly position: number | null
  /** The same by its stored set: deliveries have it. */
  readonly catalogSet: { readonly id: string; readonly position: number } | null
  readonly at: Date
}

/** An event with all that it says. */
export type ToldEvent = {
  readonly ref: EventRef
  /** As the feed names it: payment.succeeded, balance.added, product.updated… */
  readonly type: string
  /** As the feed shows it. */
  readonly data: Readonly<Record<string, unknown>>
  /** What it is about, for the messages of the streams. */
  readonly subject: ToldSubject
  /** A payment that has moved on since: its later state is told instead. */
  readonly isSuperseded: boolean
}

export type ToldSubject =
  | { readonly kind: 'payment'; readonly payment: Payment }
  | { readonly kind: 'balance' }
  | { readonly kind: 'catalog'; readonly event: AccountEvent }
  | { readonly kind: 'own' }

/** Reads many events at once; undefined where what it was about is no longer kept. In the order of the refs. */
export type EventReader = {
  read(refs: readonly EventRef[]): Promise<readonly (ToldEvent | undefined)[]>
}

/** What a stream's receiver gets. */
export type Message = {
  /** The event object, as the log shows it. */
  readonly payload: Readonly<Record<string, unknown>>
  /** The same in the form in which it is sent: for GET its four parameters, else equal to the payload. */
  readonly sent: Readonly<Record<string, unknown>>
  /** POST: the JSON of the body. GET: the query that is appended to the URL, without the question mark. */
  readonly text: string
}
