import type { Database } from '../../../db/database.ts'
import type { Vault } from '../../../db/vault.ts'
import { assert } from '../../../lib/errors.ts'
import type { AddressOf } from '../../../lib/own-addresses.ts'
import { createAccountNumbers } from '../../accounts/numbers.service.ts'
import type { AccountEvent } from '../../catalog/changes/events.types.ts'
import type { CatalogReplay } from '../../catalog/changes/replay.service.ts'
import { createCatalogReplay } from '../../catalog/changes/replay.service.ts'
import type { PaidOrder } from '../../orders/core/transactions.service.ts'
import { readEndedOrders } from '../../orders/core/transactions.service.ts'
import { orderEventView } from '../../orders/core/view.ts'
import type { PaymentMoment, PaymentSnapshot } from '../../payments/core/snapshots.service.ts'
import { readPaymentsAt } from '../../payments/core/snapshots.service.ts'
import { paymentView } from '../../payments/core/view.ts'
import { readRemarks } from '../../wallet/statement/entries.service.ts'
import type {
  BalanceEventType,
  CatalogRef,
  EntryRef,
  EventData,
  EventReader,
  EventRef,
  LoadedEvent,
  MovedRef,
  OrderRef,
  OwnEventType,
  OwnRef,
  PaymentEventType,
  RefundedRef,
  TakenRef,
} from '../types.ts'
import type { BalanceData } from './balance.view.ts'
import { lowBalanceView, movementView, paymentMovementView } from './balance.view.ts'
import { envelopeOf } from './messages.view.ts'
import { entryTypeOf } from './refs.rules.ts'
import { sampleEvent } from './samples.view.ts'

export type EventReaderSettings = {
  readonly database: Database
  readonly vault: Vault
  /** Turns stored paths of pictures in catalogue events into addresses. */
  readonly addressOf?: AddressOf
}

/** Runs one statement for each kind of record, however many events there are. */
export function createEventReader(settings: EventReaderSettings): EventReader {
  const { database, vault } = settings
  const numbers = createAccountNumbers(database)
  const catalog = createCatalogReplay(database, settings.addressOf)

  async function read(refs: readonly EventRef[]): Promise<readonly (LoadedEvent | undefined)[]> {
    const [payments, remarks, changes, orders, accounts] = await Promise.all([
      paired(refs.filter(isPayment), (some) => readPaymentsAt(database, vault, some.map(momentOf))),
      paired(refs.filter(isEntry), (some) => readRemarks(database, some.map(entryKeyOf))),
      paired(refs.filter(isCatalog), (some) => readCatalog(catalog, some)),
      paired(refs.filter(isOrder), (some) => readEndedOrders(database, vault, some.map(orderKeyOf))),
      numbers.of(refs.filter(needsAccount).map(({ resellerId }) => resellerId)),
    ])
    const load = (ref: EventRef): LoadedEvent | undefined => {
      const account = accounts.get(ref.resellerId) ?? ''
      switch (ref.source) {
        case 'taken':
        case 'moved':
        case 'refunded':
          return loadPayment(ref, payments.get(ref), account)
        case 'entry':
          return loadEntry(ref, remarks.get(ref), account)
        case 'catalog':
          return loadCatalog(ref, changes.get(ref))
        case 'own':
          return loadOwn(ref, account)
        case 'order':
          return loadOrder(ref, orders.get(ref))
        case 'test':
          return sampleEvent(ref)
        case 'invalid':
          throw new Error(`the event ${ref.eventId} cannot be read: ${ref.problem}`)
        case 'unknown':
          return undefined
        default:
          return ref satisfies never
      }
    }
    return refs.map(load)
  }

  return { read }
}

/** Reads the records of refs, and returns each record by its ref. */
async function paired<R extends EventRef, T>(
  refs: readonly R[],
  read: (refs: readonly R[]) => Promise<readonly T[]>,
): Promise<ReadonlyMap<EventRef, T>> {
  if (refs.length === 0) return new Map()
  const values = await read(refs)
  return new Map(refs.map((ref, index) => [ref, values[index] as T]))
}

/** True for events of the wallet, which name the account by its number. */
function needsAccount(ref: EventRef): boolean {
  switch (ref.source) {
    case 'entry':
    case 'refunded':
      return true
    case 'taken':
      return ref.type === 'balance.deducted'
    case 'own':
      return isOwnBalance(ref.type)
    case 'moved':
    case 'catalog':
    case 'order':
    case 'test':
    case 'invalid':
    case 'unknown':
      return false
  }
}

// ── Payments ──

type PaymentRef = TakenRef | MovedRef | RefundedRef

function isPayment(ref: EventRef): ref is PaymentRef {
  return ref.source === 'taken' || ref.source === 'moved' || ref.source === 'refunded'
}

function momentOf(ref: PaymentRef): PaymentMoment {
  const { resellerId, paymentId: id, balance, at } = ref
  return { resellerId, id, code: codeOf(ref), balance, at }
}

/** Code of the state that the payment had; null: the event is about its money, so the present state will do. */
function codeOf(ref: PaymentRef): PaymentMoment['code'] {
  switch (ref.source) {
    case 'taken':
      return 0
    case 'moved':
      return ref.code
    case 'refunded':
      return null
  }
}

function loadPayment(
  ref: PaymentRef,
  found: PaymentSnapshot | undefined,
  account: string,
): LoadedEvent | undefined {
  if (found === undefined) return undefined
  const { payment, state, presentCode } = found
  switch (ref.source) {
    case 'moved':
      return stateEvent(ref, payment, `payment.${state}`, presentCode !== ref.code)
    case 'taken':
      return ref.type === 'payment.accepted'
        ? stateEvent(ref, payment, ref.type, false)
        : movementEvent(ref, payment, ref.type, account)
    case 'refunded':
      return movementEvent(ref, payment, 'balance.refunded', account)
  }
}

function stateEvent(
  ref: TakenRef | MovedRef,
  payment: PaymentSnapshot['payment'],
  type: PaymentEventType,
  isSuperseded: boolean,
): LoadedEvent {
  return { ref, type, data: paymentView(payment), subject: { kind: 'payment', payment }, isSuperseded }
}

function movementEvent(
  ref: TakenRef | RefundedRef,
  payment: PaymentSnapshot['payment'],
  type: BalanceEventType,
  account: string,
): LoadedEvent {
  const { amount, balance } = ref
  const data = paymentMovementView({ account, amount, balance }, payment)
  return { ref, type, data, subject: { kind: 'balance' }, isSuperseded: false }
}

// ── Other entries of the wallet ──

function isEntry(ref: EventRef): ref is EntryRef {
  return ref.source === 'entry'
}

function entryKeyOf({ resellerId, entrySequence: sequence }: EntryRef) {
  return { resellerId, sequence }
}

function loadEntry(ref: EntryRef, remarks: string | undefined, account: string): LoadedEvent | undefined {
  if (remarks === undefined) return undefined
  const { amount, balance } = ref
  return {
    ref,
    type: entryTypeOf(amount),
    data: movementView({ account, amount, balance }, remarks),
    subject: { kind: 'balance' },
    isSuperseded: false,
  }
}

// ── The catalogue ──

function isCatalog(ref: EventRef): ref is CatalogRef {
  return ref.source === 'catalog'
}

async function readCatalog(
  catalog: CatalogReplay,
  refs: readonly CatalogRef[],
): Promise<(AccountEvent | undefined)[]> {
  const placed = refs.flatMap((ref) => (ref.location.kind === 'set' ? [{ ref, ...ref.location }] : []))
  const ordered = refs.flatMap((ref) => (ref.location.kind === 'order' ? [{ ref, ...ref.location }] : []))
  const [inSets, inOrder] = await Promise.all([
    catalog.readAtPositions(
      placed.map(({ ref, setId, position }) => ({ ...changeOf(ref), setId, position })),
    ),
    catalog.readOrdered(ordered.map(({ ref, position }) => ({ ...changeOf(ref), position }))),
  ])
  const events = new Map<CatalogRef, AccountEvent | undefined>()
  for (const [index, { ref }] of placed.entries()) events.set(ref, inSets[index])
  for (const [index, { ref }] of ordered.entries()) events.set(ref, inOrder[index])
  return refs.map((ref) => events.get(ref))
}

function changeOf({ resellerId, version }: CatalogRef) {
  return { resellerId, version }
}

function loadCatalog(ref: CatalogRef, event: AccountEvent | undefined): LoadedEvent | undefined {
  if (event === undefined) return undefined
  return {
    ref,
    type: event.type,
    data: envelopeOf(event),
    subject: { kind: 'catalog', event },
    isSuperseded: false,
  }
}

// ── Orders ──

function isOrder(ref: EventRef): ref is OrderRef {
  return ref.source === 'order'
}

function orderKeyOf({ resellerId, orderId: id }: OrderRef) {
  return { resellerId, id }
}

/** An order with a final event never changes again, so its present state is that of the event. */
function loadOrder(ref: OrderRef, found: PaidOrder | undefined): LoadedEvent | undefined {
  if (found === undefined) return undefined
  const { type } = ref
  return { ref, type, data: orderEventView(found), subject: { kind: 'order' }, isSuperseded: false }
}

// ── Events without another record ──

type OwnBalanceType = Extract<OwnEventType, BalanceEventType>

/** Data of own events that the balance stream sends. All other own events show the data that was appended. */
const OWN_BALANCE_VIEWS: Readonly<Record<OwnBalanceType, (account: string, data: EventData) => BalanceData>> =
  {
    'balance.low': (account, data) => lowBalanceView(account, unitsOf(data.threshold), unitsOf(data.balance)),
  }

function isOwnBalance(type: string): type is OwnBalanceType {
  return Object.hasOwn(OWN_BALANCE_VIEWS, type)
}

function loadOwn(ref: OwnRef, account: string): LoadedEvent {
  const { type, data } = ref
  if (isOwnBalance(type)) {
    const view = OWN_BALANCE_VIEWS[type](account, data)
    return { ref, type, data: view, subject: { kind: 'balance' }, isSuperseded: false }
  }
  return { ref, type, data, subject: { kind: 'own' }, isSuperseded: false }
}

/** Reads a number that jsonb gives back for a bigint: it is exact far beyond any wallet. */
function unitsOf(value: unknown): bigint {
  assert(typeof value === 'number', 'a low balance names threshold and balance')
  return BigInt(value)
}
