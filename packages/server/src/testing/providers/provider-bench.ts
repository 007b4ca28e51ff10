import { randomBytes } from 'node:crypto'
import type {
  BillRequest,
  CallbackRequest,
  DynamicOptionsRequest,
  FailureCode,
  Order,
  Provider,
} from '../../modules/providers/port/types.ts'
import { FAILURE_CODES } from '../../modules/providers/port/types.ts'

// What the conformance suite needs from whoever connects a provider: the connector, and a far side that can be made
// to behave. The far side is a simulator or a small server of the connector's own tests, never the real supplier.

/** How the far side decides about an order. */
export const FATES = [
  'succeeds',
  ...FAILURE_CODES.map((code) => `fails_${code}` as const),
  'pending_then_succeeds',
  'pending_then_fails',
  /** Answered neither when it is sent nor when it is asked about, although it was received. */
  'never_known',
  /** The far side says that it takes no orders now, or cannot fulfil this one, and does nothing. */
  'not_acted',
  'void_approved',
  'void_refused',
] as const
export type Fate = 'succeeds' | `fails_${FailureCode}` | Exclude<(typeof FATES)[number], `fails_${number}`>

/** What goes wrong with one exchange; `before` and `after` it did what was asked. */
export const FAULTS = [
  'error_before',
  'error_after',
  /** A whole answer, with a good status, in no form that the supplier's manual knows. */
  'garbage',
  /** Gives back what it was sent, headers and all, as the error page of a careless proxy does. */
  'echo',
  /** A right answer with more around it than anybody should read. */
  'huge',
  'truncated',
  'drop_before',
  'drop_after',
  'silence_before',
  'silence_after',
  /** Nothing listens at the address. Lasts until it is mended; the others hit one exchange. */
  'refused',
] as const
export type Fault = (typeof FAULTS)[number]

export const PLACES = ['submit', 'query', 'void', 'bill', 'options', 'float', 'health'] as const
export type Place = (typeof PLACES)[number]

export const CAPABILITIES = ['voids', 'bills', 'options', 'float', 'callbacks', 'health'] as const
export type Capability = (typeof CAPABILITIES)[number]

/**
 * `count_acts`: nobody counts what the far side did. `not_found`: it never says that it has not heard of an order.
 * `repeat_reference`: it refuses a reference that it has seen, also when it did nothing with it.
 * `query`: it says once what became of an order and cannot be asked again.
 */
export type Inability = Fate | Fault | Capability | 'count_acts' | 'not_found' | 'repeat_reference' | 'query'

/**
 * What this connector or its far side has not got, each with the reason. The suite shows them as tests of their own:
 * a capability declared away must be absent, and what the far side cannot do the bench must refuse to arrange.
 */
export type Inabilities = Readonly<Partial<Record<Inability, string>>>

/** What was done to a callback after the supplier made it, or what is wrong with it. */
export const CALLBACK_FLAWS = ['signature', 'body', 'old', 'future', 'unsigned', 'garbage'] as const
export type CallbackFlaw = (typeof CALLBACK_FLAWS)[number]

export type CallbackSample = {
  readonly order: Order
  readonly says: 'succeeded' | 'failed' | 'pending'
  readonly flaw?: CallbackFlaw
}

export type ProviderBench = {
  readonly provider: Provider
  /** A new order with which the far side will deal so. Rejects when it cannot be arranged. */
  order(fate: Fate): Promise<Order>
  /** The next exchange at that place meets the fault. Rejects when it cannot be arranged. */
  spoil(place: Place, fault: Fault): Promise<void>
  /** Ends `refused`. */
  mend(): Promise<void>
  /** Time passes until the far side has decided what was pending. */
  decide(order: Order): Promise<void>
  /** How often the far side did what the order asks. */
  countActs(order: Order): Promise<number>
  /** Credentials and whatever else must not come out in a reason. */
  readonly secrets: readonly string[]
  readonly bills?: { found: BillRequest; invalidAccount: BillRequest; unavailable: BillRequest }
  readonly options?: { found: DynamicOptionsRequest; unavailable: DynamicOptionsRequest }
  readonly callbacks?: { make(sample: CallbackSample): CallbackRequest; nowMs(): number }
  close(): Promise<void>
}

export type OpenBench = () => Promise<ProviderBench>

/** For connectors whose far side is in this process or database: nothing can happen on the way. */
export function withoutWire(reason: string): Inabilities {
  return Object.fromEntries(FAULTS.map((fault) => [fault, reason]))
}

/** For `order` and `spoil`, of what was declared away. */
export function cannotArrange(what: string): Promise<never> {
  return Promise.reject(new Error(`the bench cannot arrange ${what}`))
}

export const IC_NUMBER = '900101015555'

/** An order of its own reference, made now. */
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
