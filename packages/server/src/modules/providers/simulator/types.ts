import type { Order } from '../port/types.ts'

/** Output of a fulfilled product beside the serial number. */
export const FULFILMENTS = ['plain', 'pin', 'link'] as const
export type Fulfilment = (typeof FULFILMENTS)[number]

/** Must return a fulfilment for every code, because an order says nothing about its product. */
export type FulfilmentOf = (productCode: string) => Fulfilment

/** An order as the simulator accepts it: it does not need identity numbers. */
export type SimulatedOrder = Omit<Order, 'icNumber' | 'submittedAt'> & { readonly fulfilment: Fulfilment }

/** One order in the simulator's books. */
export type BookEntry = {
  readonly order: SimulatedOrder
  readonly receivedAt: Date
  readonly timesReceived: number
  readonly voidedAt: Date | null
}

/** Kinds of requests that a fault can hit; `all` means every request, but no callback. */
export const FAULT_TARGETS = [
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
export type FaultTarget = (typeof FAULT_TARGETS)[number]

/**
 * `none` lets a request through unharmed, so that a later one is hit. `slow` waits before it acts, and acts even when
 * the client is gone; `hang` acts and never answers, `hang_before` does neither; `garbage`, `echo`, `huge`,
 * `truncated`, `trickle`, `not_http` and `duplicate_answer` act and answer what no client expects; `redirect`,
 * `unauthorized` and `outage` do not act.
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

/** Faults of the callbacks about an order that was processed correctly. */
export const CALLBACK_FAULT_KINDS = [
  'callback_missing',
  'callback_twice',
  /** Sent before the order itself is answered. */
  'callback_early',
  /** Sends the opposite of the truth, then the truth. */
  'callback_contradicted',
  /** Sends the truth, then pending. */
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
  readonly target: FaultTarget
  /** Number of requests it still hits; Infinity: until it is removed. */
  readonly remaining: number
  /** Account that it hits; null: any. */
  readonly account: string | null
  readonly delayMs: number
  /** Address for the callbacks that it hits; null: the usual address. */
  readonly callbackUrl: string | null
}

/** Authentication that clients must use. */
export type SimulatorAuth =
  | { readonly kind: 'none' }
  | { readonly kind: 'basic'; readonly username: string; readonly password: string }
  | { readonly kind: 'bearer'; readonly token: string }
  | { readonly kind: 'hmac'; readonly secret: string }
  | { readonly kind: 'oauth2'; readonly clientId: string; readonly clientSecret: string }

/** One callback that was sent or tried. */
export type Delivery = {
  readonly id: string
  readonly reference: string
  readonly url: string
  /** Status of the receiver's answer; null: no answer. */
  readonly status: number | null
}
