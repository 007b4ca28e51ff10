import type { Order } from '../types.ts'

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

/** Where a request goes wrong, `all` meaning every one of them. */
export const FAULT_PLACES = ['submit', 'query', 'void', 'health', 'all'] as const
export type FaultPlace = (typeof FAULT_PLACES)[number]

/**
 * `none` lets a request through unharmed, so that a later one is hit. `slow` waits before it acts, and acts even
 * when nobody waits any more; `hang` acts and never answers; `garbage`, `huge` and `duplicate_answer` act and
 * answer what no client expects; `outage` answers 503 to everything and acts on nothing.
 */
export const FAULT_KINDS = [
  'none',
  'slow',
  'hang',
  'error_before',
  'error_after',
  'garbage',
  'huge',
  'drop_before',
  'drop_after',
  'duplicate_answer',
  'outage',
] as const
export type FaultKind = (typeof FAULT_KINDS)[number]

export type Fault = {
  readonly kind: FaultKind
  readonly place: FaultPlace
  /** How many requests it still hits; Infinity: until it is taken away. */
  readonly remaining: number
  /** null: any. */
  readonly account: string | null
  readonly delayMs: number
}
