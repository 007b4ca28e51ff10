import type { Database } from '../../../db/database.ts'
import type { Vault } from '../../../db/vault.ts'
import { assert } from '../../../lib/errors.ts'
import type { Failpoint } from '../../../lib/failpoints.ts'
import type { Directory } from '../../accounts/types.ts'
import type { Caller } from '../../auth/types.ts'
import { readPaymentsAt } from '../../payments/payment/snapshots.service.ts'
import type { Payments } from '../../payments/take/service.ts'
import { requestOf } from '../order/items.rules.ts'
import type { ReadOrder } from '../order/records.service.ts'
import { readOrders } from '../order/records.service.ts'
import { timeOutOrder } from '../order/sql.ts'
import { isOpen } from '../order/states.rules.ts'
import type { Order, OrderState, OrderUnit } from '../order/types.ts'
import type { UnitNote } from './units.rules.ts'
import { nextLookMs, noteOfConflict, noteOfPayment, noteOfRejection } from './units.rules.ts'
import type { OrderWork } from './work.sql.ts'
import { awaitExpiry, lookLater, noteUnits } from './work.sql.ts'

export type FulfilSettings = {
  readonly database: Database
  readonly vault: Vault
  readonly directory: Pick<Directory, 'findReseller'>
  readonly payments: Payments
  readonly failpoint: Failpoint
  /** Called after a commit that wrote an event. */
  readonly onCommitted: () => void
  readonly onProblem: (text: string, error: unknown) => void
}

/** Units of an order whose payments exist and are not final. */
export type Awaited = { readonly work: OrderWork; readonly paymentIds: readonly bigint[] }

/** Share of the lease in which payments may be taken: the rest is for writing them down. */
const LEASE_SHARE = 0.75

/**
 * Takes an order one step further: an expired one times out, a confirmed one is paid. All progress is derived from the
 * refids of its units, so a step that was cut off anywhere is done again from its beginning, by any node.
 */
export async function seeTo(
  settings: FulfilSettings,
  work: OrderWork,
  leaseEndsMs: number,
): Promise<Awaited> {
  const { database, vault } = settings
  const [found] = await readOrders(database, vault, [work])
  assert(found !== undefined, 'an order with work exists')
  if (isOpen(found.order.state)) {
    const state = await database.transaction((tx) => timeOutOrder(tx, work))
    if (isOpen(state)) await awaitExpiry(database, work)
    else settings.onCommitted()
    return { work, paymentIds: [] }
  }
  const notes = await payUnits(settings, found, leaseEndsMs)
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
): Promise<Awaited> {
  if (state !== 'confirmed') {
    if (state !== 'lost') onCommitted()
    return { work, paymentIds: [] }
  }
  await lookLater(database, work, nextLookMs(work.looks))
  const sent = notes.filter((note) => note.state === 'sent')
  return { work, paymentIds: sent.flatMap(({ paymentId }) => (paymentId === null ? [] : [paymentId])) }
}

/** Pays units that wait, and reads the payments of those that were sent. Units without news are left out. */
async function payUnits(
  settings: FulfilSettings,
  found: ReadOrder,
  leaseEndsMs: number,
): Promise<UnitNote[]> {
  const { units } = found.order
  const [read, paid] = await Promise.all([
    readSent(settings, found.order),
    Promise.all(
      units.filter(({ state }) => state === 'waiting').map((unit) => pay(settings, found, unit, leaseEndsMs)),
    ),
  ])
  return [...read, ...paid.filter((note) => note !== undefined)]
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

/**
 * Pays one unit. A repeated call finds the payment of the first by its refid. Nothing is created after the deadline,
 * which lies before the end of the lease: a node that was frozen meanwhile cannot pay for a unit that another node has
 * given up.
 */
async function pay(
  settings: FulfilSettings,
  { order, sender, readAt }: ReadOrder,
  unit: OrderUnit,
  leaseEndsMs: number,
): Promise<UnitNote | undefined> {
  const reseller = settings.directory.findReseller(order.resellerId)
  const line = order.lines.find((each) => each.line === unit.line)
  const leftMs = leaseEndsMs - performance.now()
  if (reseller === undefined || line === undefined || leftMs <= 0) return undefined
  const caller: Caller = { reseller, kind: 'user', memberId: order.code, scopes: new Set(['pay']) }
  const passedMs = readAt.getTime() - (order.confirmedAt ?? readAt).getTime()
  try {
    const result = await settings.payments.pay({
      caller,
      request: requestOf(line, unit.refid),
      sender,
      deadlineMs: performance.now() + leftMs * LEASE_SHARE,
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
    settings.onProblem(`unit ${unit.refid} is left for the next look`, error)
    return undefined
  }
}
