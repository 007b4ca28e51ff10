import { randomBytes } from 'node:crypto'
import type { FailureCode } from '../../lib/failure-codes.ts'
import { FAILURE_CODES } from '../../lib/failure-codes.ts'
import type {
  BillRequest,
  CallbackRequest,
  DynamicOptionsRequest,
  Order,
  Provider,
} from '../../modules/providers/port/types.ts'

// Parts that the conformance suite needs for a provider: the connector, and a far side that can be controlled. The far
// side is a simulator or a small server of the connector's own tests, never the real supplier.

/** Decision of the far side about an order. */
export const FATES = [
  'succeeds',
  ...FAILURE_CODES.map((code) => `fails_${code}` as const),
  'pending_then_succeeds',
  'pending_then_fails',
  /** Order that was received, and is answered neither when it is sent nor when it is queried. */
  'never_known',
  /** Far side that takes no orders now, or cannot fulfil this one, says so, and does nothing. */
  'not_acted',
  'void_approved',
  'void_refused',
] as const
export type Fate = 'succeeds' | `fails_${FailureCode}` | Exclude<(typeof FATES)[number], `fails_${number}`>

/** Fault of one exchange. `before` and `after` refer to the moment at which the far side acts. */
export const FAULTS = [
  'error_before',
  'error_after',
  /** Whole answer with a good status, in no form that the supplier's manual has. */
  'garbage',
  /** Answer that repeats the request, headers included, as the error page of a careless proxy does. */
  'echo',
  /** Right answer with more data around it than a client should read. */
  'huge',
  'truncated',
  'drop_before',
  'drop_after',
  'silence_before',
  'silence_after',
  /** No listener at the address. It lasts until `mend`; the other faults affect one exchange. */
  'refused',
] as const
export type Fault = (typeof FAULTS)[number]

export const FAULT_POINTS = ['submit', 'query', 'void', 'bill', 'options', 'float', 'health'] as const
export type FaultPoint = (typeof FAULT_POINTS)[number]

export const CAPABILITIES = ['voids', 'bills', 'options', 'float', 'callbacks', 'health'] as const
export type Capability = (typeof CAPABILITIES)[number]

/**
 * Ability that can be missing. `count_acts`: the acts of the far side cannot be counted.
 * `not_found`: it never says that it does not know an order.
 * `repeat_reference`: it refuses a reference that it has seen, even if it did nothing with it.
 * `query`: it says the outcome of an order once and cannot be queried again.
 */
export type Inability = Fate | Fault | Capability | 'count_acts' | 'not_found' | 'repeat_reference' | 'query'

/**
 * Abilities that this connector or its far side does not have, each with the reason. The suite shows each one as a
 * test: a capability declared away must be absent, and the bench must refuse to arrange what the far side cannot do.
 */
export type Inabilities = Readonly<Partial<Record<Inability, string>>>

/** Change of a callback after the supplier made it, or an error in it. */
export const CALLBACK_FLAWS = ['signature', 'body', 'old', 'future', 'unsigned', 'garbage'] as const
export type CallbackFlaw = (typeof CALLBACK_FLAWS)[number]

export type CallbackSample = {
  readonly order: Order
  readonly says: 'succeeded' | 'failed' | 'pending'
  readonly flaw?: CallbackFlaw
}

export type ProviderBench = {
  readonly provider: Provider
  /** Makes a new order that gets this fate at the far side. Rejects when it cannot be arranged. */
  order(fate: Fate): Promise<Order>
  /** Causes the fault in the next exchange at that place. Rejects when it cannot be arranged. */
  spoil(place: FaultPoint, fault: Fault): Promise<void>
  /** Ends `refused`. */
  mend(): Promise<void>
  /** Advances the time until the far side has decided a pending order. */
  decide(order: Order): Promise<void>
  /** Counts how often the far side carried out the order. */
  countActs(order: Order): Promise<number>
  /** Credentials and other texts that must not appear in a reason. */
  readonly secrets: readonly string[]
  readonly bills?: { found: BillRequest; invalidAccount: BillRequest; unavailable: BillRequest }
  readonly options?: { found: DynamicOptionsRequest; unavailable: DynamicOptionsRequest }
  readonly callbacks?: { make(sample: CallbackSample): CallbackRequest; nowMs(): number }
  close(): Promise<void>
}

export type OpenBench = () => Promise<ProviderBench>

/** Declares all faults away, for connectors whose far side is in this process or database: there is no network. */
export function withoutWire(reason: string): Inabilities {
  return Object.fromEntries(FAULTS.map((fault) => [fault, reason]))
}

/** Rejects, for `order` and `spoil` with something that was declared away. */
export function cannotArrange(what: string): Promise<never> {
  return Promise.reject(new Error(`the bench cannot arrange ${what}`))
}

export const IC_NUMBER = '900101015555'

/** Makes an order with its own reference, dated now. */
export function newOrder(changes: Partial<Order> = {}): Order {
  return {
    reference: `W${randomBytes(6).readUIntBE(0, 6)}-1`,
    productCode: 'NOVA',
    account: '60198765432',
    amount: 100_000n,
    faceValue: 100_000n,
    subproductCode: null,
    billerCode: null,
    ref2: null,
    icNumber: IC_NUMBER,
    submittedAt: new Date(),
    ...changes,
  }
}
