import type { Amount } from '../../../lib/money.ts'
import { stateOf } from '../../payments/core/states.rules.ts'
import type { PaymentCode } from '../../payments/core/types.ts'
import type {
  BalanceEventType,
  CatalogLocation,
  EventData,
  EventRef,
  InvalidRef,
  PaymentEventType,
  TakenRef,
} from '../types.ts'

/** Sources that rows are written with; the table event_facts says what the subject of each one is. */
export type EventSource = Exclude<EventRef['source'], 'invalid' | 'unknown'>

/** The columns that rows of the feed and rows of deliveries share. Each source fills some of them. */
export type EventColumns = {
  readonly source: EventSource
  readonly subject: bigint
  readonly code: PaymentCode | null
  readonly amount: Amount | null
  readonly balance: Amount | null
  readonly type: string | null
  readonly data: EventData | null
  readonly at: Date
}

/** The part of a reference that rows of the feed and rows of deliveries store differently. */
export type RefKey = {
  readonly resellerId: bigint
  readonly eventId: string
  /** Event of a payment that was taken. */
  readonly takenType: TakenRef['type']
  /** Location of a catalogue event; undefined: the row names none. */
  readonly location: CatalogLocation | undefined
}

/** Never throws: one bad row must not keep the other rows of its page from being read. */
export function refOf(row: EventColumns, key: RefKey): EventRef {
  const { source, subject, code, amount, balance, type, at } = row
  const { resellerId, eventId } = key
  switch (source) {
    case 'taken':
      if (amount === null || balance === null) return invalidRef(row, key, NO_MOVEMENT)
      return { source, resellerId, eventId, at, paymentId: subject, type: key.takenType, amount, balance }
    case 'moved':
      if (code === null) return invalidRef(row, key, NO_STATE)
      return { source, resellerId, eventId, at, paymentId: subject, code, balance }
    case 'refunded':
      if (amount === null || balance === null) return invalidRef(row, key, NO_MOVEMENT)
      return { source, resellerId, eventId, at, paymentId: subject, amount, balance }
    case 'entry':
      if (amount === null || balance === null) return invalidRef(row, key, NO_MOVEMENT)
      return { source, resellerId, eventId, at, entrySequence: subject, amount, balance }
    case 'catalog':
      if (key.location === undefined) return invalidRef(row, key, NO_LOCATION)
      return { source, resellerId, eventId, at, version: subject, location: key.location }
    case 'order':
      if (type === null) return invalidRef(row, key, NO_TYPE)
      return { source, resellerId, eventId, at, orderId: subject, type }
    case 'own':
    case 'test':
      if (type === null) return invalidRef(row, key, NO_TYPE)
      return { source, resellerId, eventId, at, type, data: row.data ?? {} }
  }
  return { source: 'unknown', resellerId, eventId, at }
}

const NO_MOVEMENT = 'it is about the wallet, and names no amount or no balance'
const NO_STATE = 'it is about a state of a payment, and names no state'
const NO_LOCATION = 'it is about the catalogue, and names no location in the change'
const NO_TYPE = 'its record does not say what happened, and it names no type'

function invalidRef({ at }: EventColumns, { resellerId, eventId }: RefKey, problem: string): InvalidRef {
  return { source: 'invalid', resellerId, eventId, at, problem }
}

/** Names the type of an event, as far as its reference tells; null: it follows from the event's record. */
export function eventTypeOf(ref: EventRef): string | null {
  switch (ref.source) {
    case 'taken':
    case 'own':
    case 'order':
    case 'test':
      return ref.type
    case 'moved':
      return `payment.${stateOf(ref.code)}` satisfies PaymentEventType
    case 'refunded':
      return 'balance.refunded' satisfies BalanceEventType
    case 'entry':
      return entryTypeOf(ref.amount)
    case 'catalog':
    case 'invalid':
    case 'unknown':
      return null
  }
}

/** Names the event of an entry of the wallet that is not a payment's: a deposit, a commission, an adjustment. */
export function entryTypeOf(amount: Amount): BalanceEventType {
  return amount > 0n ? 'balance.added' : 'balance.deducted'
}
