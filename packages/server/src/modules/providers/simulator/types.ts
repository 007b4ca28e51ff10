import type { Order } from '../port/types.ts'

/** What a product gives when it is fulfilled, beside the serial number. */
export const FULFILMENTS = ['plain', 'pin', 'link'] as const
export type Fulfilment = (typeof FULFILMENTS)[number]

/** Must have a word for every code: an order says nothing about its product. */
export type FulfilmentOf = (productCode: string) => Fulfilment

/** An order as the simulator takes it: identity numbers are no business of its. */
export type SimulatedOrder = Omit<Order, 'icNumber' | 'submittedAt'> & { readonly fulfilment: Fulfilment }

/** One order in the simulator's books. */
export type BookEntry = {
  readonly order: SimulatedOrder
  readonly receivedAt: Date
  readonly timesReceived: number
  readonly voidedAt: Date | null
}

/** Where something goes wrong; `all` means every request, and no callback. */
export const FAULT_PLACES = [
  'submit',
  'query',
  'void',
  'bill',
  'options',
  'float',
  'token',
  'health',
  'callback',
  'all',
] as const
export type FaultPlace = (typeof FAULT_PLACES)[number]

/**
 * `none` lets a request through unharmed, so that a later one is hit. `slow` waits before it acts, and acts even
 * when nobody waits any more; `hang` acts and never answers, `hang_before` does neither; `garbage`, `echo`, `huge`,
 * `truncated`, `trickle`, `not_http` and `duplicate_answer` act and answer what no client expects; `redirect`,
 * `unauthorized` and `outage` act on nothing.
 */
export const REQUEST_FAULT_KINDS = [
  'slow',
  'hang',
  'hang_before',
  'error_before',
  'error_after',
  'garbage',
  'echo',
  'huge',
  'truncated',
  'trickle',
  'not_http',
  'drop_before',
  'drop_after',
  'reset_before',
  'reset_after',
  'duplicate_answer',
  'redirect',
  'unauthorized',
  'outage',
] as const
export type RequestFaultKind = (typeof REQUEST_FAULT_KINDS)[number]

/** What is wrong with the callbacks about an order, which was dealt with rightly. */
export const CALLBACK_FAULT_KINDS = [
  'callback_missing',
  'callback_twice',
  /** Before the order itself is answered. */
  'callback_early',
  /** First the opposite of what is true, then the truth. */
  'callback_contradicted',
  /** The truth, then that it is pending. */
  'callback_pending_after',
  'callback_wrong_amount',
  'callback_bad_signature',
  /** Signed an hour ago. */
  'callback_old',
  'callback_garbage',
] as const
export type CallbackFaultKind = (typeof CALLBACK_FAULT_KINDS)[number]

export const FAULT_KINDS = ['none', ...REQUEST_FAULT_KINDS, ...CALLBACK_FAULT_KINDS] as const
export type FaultKind = (typeof FAULT_KINDS)[number]

export type Fault = {
  readonly kind: FaultKind
  readonly place: FaultPlace
  /** How many requests it still hits; Infinity: until it is taken away. */
  readonly remaining: number
  /** null: any. */
  readonly account: string | null
  readonly delayMs: number
  /** Where the callbacks that it hits go instead; null: where all go. */
  readonly callbackUrl: string | null
}

/** How callers prove who they are. */
export type SimulatorAuth =
  | { readonly kind: 'none' }
  | { readonly kind: 'basic'; readonly username: string; readonly password: string }
  | { readonly kind: 'bearer'; readonly token: string }
  | { readonly kind: 'hmac'; readonly secret: string }
  | { readonly kind: 'oauth2'; readonly clientId: string; readonly clientSecret: string }

/** One callback that was sent, or tried. */
export type Delivery = {
  readonly id: string
  readonly reference: string
  readonly url: string
  /** What the receiver answered; null: nothing. */
  readonly status: number | null
}
