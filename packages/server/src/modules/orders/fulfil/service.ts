import type { Database } from '../../../db/database.ts'
import type { Leased } from '../../../db/leases.ts'
import type { Vault } from '../../../db/vault.ts'
import { assert } from '../../../lib/errors.ts'
import type { Failpoint } from '../../../lib/failpoints.ts'
import type { Amount } from '../../../lib/money.ts'
import type { OnProblem } from '../../../lib/observing/payment-stages.ts'
import type { Directory } from '../../accounts/types.ts'
import type { Caller } from '../../auth/types.ts'
import { readPaymentsAt } from '../../payments/core/snapshots.service.ts'
import type { Payments } from '../../payments/take/service.ts'
import { buysSame, requestOf } from '../core/items.rules.ts'
import type { ReadOrder } from '../core/records.service.ts'
import { readOrders } from '../core/records.service.ts'
import { timeOutOrder } from '../core/sql.ts'
import { isOpen } from '../core/states.rules.ts'
import type { Order, OrderState, OrderUnit } from '../core/types.ts'
import type { CheckoutSettingsStore } from '../settings/service.ts'
import type { UnitNote } from './units.rules.ts'
import {
  isHeldUp,
  nextLookMs,
  noteOfConflict,
  noteOfPayment,
  noteOfRejection,
  unitToTryFirst,
} from './units.rules.ts'
import type { OrderWork } from './work.sql.ts'
import { awaitExpiry, lookLater, noteUnits } from './work.sql.ts'

export type FulfilSettings = {
  readonly database: Database
  readonly vault: Vault
  readonly directory: Pick<Directory, 'findReseller'>
  readonly payments: Payments
  readonly checkoutSettings: Pick<CheckoutSettingsStore, 'settingsOf'>
  readonly failpoint: Failpoint
  /** Called after a commit that wrote an event. */
  readonly onCommitted: () => void
  readonly onProblem: OnProblem
}

/** Part of a lease in which payments may be taken: the rest is for writing them down. */
const LEASE_SHARE = 0.75

/** Times of a claim on performance.now's clock. */
export type Term = {
  /**
   * Start of the claim. A rejection that was committed after it outranks the payments of this node: another node has
   * got the work meanwhile, and may have reported the unit as ended.
   */
  readonly claimedMs: number
  /** Time after which nothing is created. It lies before the end of the lease, however long this node was frozen. */
  readonly payUntilMs: number
}

export function termOf(
  { leaseMs }: { readonly leaseMs: number },
  { leaseEndsMs }: Pick<Leased<unknown>, 'leaseEndsMs'>,
): Term {
  const claimedMs = leaseEndsMs - leaseMs
  return { claimedMs, payUntilMs: claimedMs + leaseMs * LEASE_SHARE }
}

/**
 * Takes an order one step further: an expired one times out, a confirmed one is paid. All progress is derived from the
 * refids of its units, so a step that was cut off anywhere is done again from its beginning, by any node. Returns the
 * payments that exist and are not final.
 */
export async function seeTo(settings: FulfilSettings, work: OrderWork, term: Term): Promise<bigint[]> {
  const { database, vault } = settings
  // An order times out without its secrets: one that cannot be read ends like all others.
  const before = await database.transaction((tx) => timeOutOrder(tx, work))
  if (isOpen(before)) await awaitExpiry(database, work)
  else if (before !== 'confirmed') settings.onCommitted()
  if (before !== 'confirmed') return []
  const [found] = await readOrders(database, vault, [work])
  assert(found !== undefined, 'an order with work exists')
  const notes = await payUnits(settings, found, term)
  settings.failpoint('order.paid')
  const state = await database.transaction((tx) => noteUnits(tx, work, notes))
  settings.failpoint('order.noted')
  return leave(settings, work, state, notes)
}

async function leave(
  { database, onCommitted }: FulfilSettings,
  work: OrderWork,
  state: OrderState | 'lost',
  notes: readonly UnitNote[],
): Promise<bigint[]> {
  if (state !== 'confirmed') {
    if (state !== 'lost') onCommitted()
    return []
  }
  await lookLater(database, work, nextLookMs(work.looks))
  const sent = notes.filter((note) => note.state === 'sent')
  return sent.flatMap(({ paymentId }) => paymentId ?? [])
}

/** Pays units that wait, and reads the payments of those that were sent. Units without news are left out. */
async function payUnits(settings: FulfilSettings, found: ReadOrder, term: Term): Promise<UnitNote[]> {
  const [read, paid] = await Promise.all([readSent(settings, found.order), payWaiting(settings, found, term)])
  return [...read, ...paid]
}

async function readSent({ database, vault }: FulfilSettings, order: Order): Promise<UnitNote[]> {
  const sent = order.units.flatMap((unit) =>
    unit.state === 'sent' && unit.paymentId !== null ? [{ unit, id: unit.paymentId }] : [],
  )
  const { resellerId, createdAt: at } = order
  const moments = sent.map(({ id }) => ({ resellerId, id, code: null, balance: null, at }))
  const payments = await readPaymentsAt(database, vault, moments)
  return sent.flatMap(({ unit }, index) => {
    const payment = payments[index]?.payment
    return payment === undefined ? [] : [noteOfPayment(unit, payment)]
  })
}

/** Pays units that wait, at the same time; one alone first, where the account itself was the obstacle before. */
async function payWaiting(settings: FulfilSettings, found: ReadOrder, term: Term): Promise<UnitNote[]> {
  const waiting = found.order.units.filter(({ state }) => state === 'waiting')
  if (waiting.length === 0) return []
  const { acceptsLoss } = await settings.checkoutSettings.settingsOf(found.order.resellerId)
  const payOne = (unit: OrderUnit) =>
    pay(settings, found, unit, { ...term, costMax: acceptsLoss ? undefined : unit.price })
  const first = unitToTryFirst(waiting)
  const tried = first === undefined ? undefined : await payOne(first)
  if (tried !== undefined && isHeldUp(tried)) return [tried]
  const others = await Promise.all(waiting.filter((unit) => unit !== first).map(payOne))
  return [tried, ...others].filter((note) => note !== undefined)
}

/** Pays one unit. A repeated call finds the payment of the first by its refid. */
async function pay(
  settings: FulfilSettings,
  { order, sender, readAt }: ReadOrder,
  unit: OrderUnit,
  { claimedMs, payUntilMs, costMax }: Term & { readonly costMax: Amount | undefined },
): Promise<UnitNote | undefined> {
  const passedMs = readAt.getTime() - (order.confirmedAt ?? readAt).getTime()
  try {
    const { reseller, line } = getParts(settings, order, unit)
    const caller: Caller = { reseller, kind: 'user', memberId: order.code, scopes: new Set(['pay']) }
    const result = await settings.payments.pay({
      caller,
      request: { ...requestOf(line, unit.refid), ...(isMeant(order, line) && { terms: MEANT }) },
      sender,
      receivedMs: claimedMs,
      deadlineMs: payUntilMs,
      costMax,
    })
    switch (result.kind) {
      case 'payment':
        return noteOfPayment(unit, result.payment)
      case 'conflict':
        return noteOfConflict(unit)
      case 'rejected':
        return noteOfRejection(unit, result.rejection, passedMs)
    }
  } catch (error) {
    // It is not known whether the payment exists. The next look asks again with the same refid.
    const about = { resellerId: order.resellerId, refid: unit.refid }
    settings.onProblem(`unit ${unit.refid} is left for the next look`, error, about)
    return undefined
  }
}

const MEANT = { quoteId: null, costMax: null, allowsDuplicate: true }

/**
 * Tells whether the customer wants what the guard against slips would refuse: chose several of the same, or was asked.
 */
function isMeant({ allowsRepeats, lines }: Order, line: Order['lines'][number]): boolean {
  if (allowsRepeats) return true
  const same = lines.filter((each) => buysSame(each, line))
  return same.reduce((sum, { quantity }) => sum + quantity, 0) > 1
}

/** Finds the account and the line of a unit. */
function getParts({ directory }: FulfilSettings, order: Order, unit: OrderUnit) {
  const reseller = directory.findReseller(order.resellerId)
  const line = order.lines.find((each) => each.line === unit.line)
  if (reseller === undefined) throw new Error(`reseller ${order.resellerId} is not in the directory`)
  if (line === undefined) throw new Error(`order ${order.code} has no line ${unit.line}`)
  if (line.isUnreadable === true) throw new Error(`line ${unit.line} of order ${order.code} cannot be opened`)
  return { reseller, line }
}
