import type { Database } from '../../db/database.ts'
import type { Vault } from '../../db/vault.ts'
import { assert } from '../../lib/errors.ts'
import type { AddressOf } from '../../lib/own-addresses.ts'
import { createAccountNumbers } from '../accounts/numbers.service.ts'
import type { AccountEvent } from '../catalog/changes/events.types.ts'
import type { CatalogReplay } from '../catalog/changes/replay.service.ts'
import { createCatalogReplay } from '../catalog/changes/replay.service.ts'
import type { PaymentSnapshot } from '../payments/payment/snapshots.service.ts'
import { paymentWire, readPaymentsAt } from '../payments/payment/snapshots.service.ts'
import { readRemarks } from '../wallet/statement/entries.service.ts'
import { lowBalanceView, movementView, paymentMovementView } from './balance.view.ts'
import { envelopeOf } from './messages.view.ts'
import { toldSample } from './samples.view.ts'
import type { EventReader, EventRef, ToldEvent } from './types.ts'

export type EventReaderSettings = {
  readonly database: Database
  readonly vault: Vault
  /** Of pictures in catalogue events. */
  readonly addressOf?: AddressOf
}

/** One statement for each kind of subject, however many events there are. */
export function createEventReader(settings: EventReaderSettings): EventReader {
  const { database, vault } = settings
  const numbers = createAccountNumbers(database)
  const catalog = createCatalogReplay(database, settings.addressOf)

  async function read(refs: readonly EventRef[]): Promise<readonly (ToldEvent | undefined)[]> {
    const of = (...sources: EventRef['source'][]) => refs.filter(({ source }) => sources.includes(source))
    const [payments, remarks, changes, accounts] = await Promise.all([
      paired(of('taken', 'moved', 'refunded'), (some) => readPaymentsAt(database, vault, some.map(momentOf))),
      paired(of('entry'), (some) => readRemarks(database, some.map(entryOf))),
      paired(of('catalog'), (some) => readCatalog(catalog, some)),
      numbers.of(refs.filter(needsAccount).map(({ resellerId }) => resellerId)),
    ])
    const tell = (ref: EventRef): ToldEvent | undefined => {
      const account = accounts.get(ref.resellerId) ?? ''
      switch (ref.source) {
        case 'taken':
        case 'moved':
        case 'refunded':
          return tellPayment(ref, payments.get(ref), account)
        case 'entry':
          return tellEntry(ref, remarks.get(ref), account)
        case 'catalog':
          return tellCatalog(ref, changes.get(ref))
        case 'own':
          return tellOwn(ref, account)
        case 'test':
          return toldSample(ref)
      }
    }
    return refs.map(tell)
  }

  return { read }
}

/** What was read, by the ref that it was read for. */
async function paired<T>(
  refs: readonly EventRef[],
  read: (refs: readonly EventRef[]) => Promise<readonly T[]>,
): Promise<ReadonlyMap<EventRef, T>> {
  if (refs.length === 0) return new Map()
  const values = await read(refs)
  return new Map(refs.map((ref, index) => [ref, values[index] as T]))
}

// ── Payments ──

const PAYMENT_ACCEPTED = 'payment.accepted'
const LOW_BALANCE = 'balance.low'

function momentOf({ resellerId, subject: id, source, code, balance, at }: EventRef) {
  return { resellerId, id, code: source === 'taken' ? (0 as const) : code, balance, at }
}

function tellPayment(
  ref: EventRef,
  told: PaymentSnapshot | undefined,
  account: string,
): ToldEvent | undefined {
  if (told === undefined) return undefined
  const { payment, state, presentCode } = told
  if (ref.source === 'moved' || (ref.source === 'taken' && ref.type !== 'balance.deducted')) {
    return {
      ref,
      type: ref.source === 'taken' ? PAYMENT_ACCEPTED : `payment.${state}`,
      data: paymentWire(payment),
      subject: { kind: 'payment', payment },
      isSuperseded: ref.source === 'moved' && presentCode !== ref.code,
    }
  }
  return {
    ref,
    type: ref.source === 'taken' ? 'balance.deducted' : 'balance.refunded',
    data: paymentMovementView({ account, ...movementOf(ref) }, payment),
    subject: { kind: 'balance' },
    isSuperseded: false,
  }
}

function movementOf({ amount, balance }: EventRef) {
  assert(amount !== null && balance !== null, 'an event of the wallet names what it moved')
  return { amount, balance }
}

// ── The wallet's other entries ──

function entryOf({ resellerId, subject: sequence }: EventRef) {
  return { resellerId, sequence }
}

function tellEntry(ref: EventRef, remarks: string | undefined, account: string): ToldEvent | undefined {
  if (remarks === undefined) return undefined
  const movement = movementOf(ref)
  return {
    ref,
    type: movement.amount > 0n ? 'balance.added' : 'balance.deducted',
    data: movementView({ account, ...movement }, remarks),
    subject: { kind: 'balance' },
    isSuperseded: false,
  }
}

// ── The catalogue ──

/** Deliveries know the stored set, the feed the place in the account's order. */
async function readCatalog(
  catalog: CatalogReplay,
  refs: readonly EventRef[],
): Promise<(AccountEvent | undefined)[]> {
  const placed = refs.filter(({ catalogSet }) => catalogSet !== null)
  const ordered = refs.filter(({ catalogSet }) => catalogSet === null)
  const [inSets, inOrder] = await Promise.all([
    paired(placed, (some) => catalog.readPlaced(some.map(setPlaceOf))),
    paired(ordered, (some) => catalog.readOrdered(some.map(orderedPlaceOf))),
  ])
  return refs.map((ref) => inSets.get(ref) ?? inOrder.get(ref))
}

function setPlaceOf({ resellerId, subject: version, catalogSet }: EventRef) {
  assert(catalogSet !== null, 'a delivery of the catalogue names its set')
  return { resellerId, version, setId: catalogSet.id, position: catalogSet.position }
}

function orderedPlaceOf({ resellerId, subject: version, position }: EventRef) {
  assert(position !== null, 'an event of a change names its place')
  return { resellerId, version, position }
}

function tellCatalog(ref: EventRef, event: AccountEvent | undefined): ToldEvent | undefined {
  if (event === undefined) return undefined
  return {
    ref,
    type: event.type,
    data: envelopeOf(event),
    subject: { kind: 'catalog', event },
    isSuperseded: false,
  }
}

// ── What has no other record ──

function tellOwn(ref: EventRef, account: string): ToldEvent {
  const { type, data } = ref
  assert(type !== null, 'an event of its own names its type')
  if (type === LOW_BALANCE) {
    const view = lowBalanceView(account, unitsOf(data?.threshold), unitsOf(data?.balance))
    return { ref, type, data: view, subject: { kind: 'balance' }, isSuperseded: false }
  }
  return { ref, type, data: data ?? {}, subject: { kind: 'own' }, isSuperseded: false }
}

/** As jsonb gives a bigint back: exact far beyond any wallet. */
function unitsOf(value: unknown): bigint {
  assert(typeof value === 'number', 'a low balance names threshold and balance')
  return BigInt(value)
}

function needsAccount({ source, type }: EventRef): boolean {
  return (
    source === 'entry' ||
    source === 'refunded' ||
    (source === 'taken' && type === 'balance.deducted') ||
    (source === 'own' && type === LOW_BALANCE)
  )
}
