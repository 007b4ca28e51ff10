import type { Queryable } from '../../../db/database.ts'
import type { Vault } from '../../../db/vault.ts'
import { readPaymentsAt } from '../../payments/core/snapshots.service.ts'
import { SUCCEEDED } from '../../payments/core/states.rules.ts'
import type { Payment, PaymentCode } from '../../payments/core/types.ts'
import { readOrders } from './records.service.ts'
import type { Order, OrderKey, OrderUnit } from './types.ts'

/** Order with the payments of its units. */
export type PaidOrder = { readonly order: Order; readonly payments: ReadonlyMap<bigint, Payment> }

/** Adds the payments of their units to orders, as they are now, with one statement for all. */
export function withPayments(
  connection: Queryable,
  vault: Vault,
  orders: readonly Order[],
): Promise<PaidOrder[]> {
  return readPayments(connection, vault, orders, () => null)
}

async function readPayments(
  connection: Queryable,
  vault: Vault,
  orders: readonly Order[],
  codeOf: (unit: OrderUnit) => PaymentCode | null,
): Promise<PaidOrder[]> {
  const moments = orders.flatMap(({ resellerId, units, createdAt: at }) =>
    units.flatMap((unit) =>
      unit.paymentId === null
        ? []
        : [{ resellerId, id: unit.paymentId, code: codeOf(unit), balance: null, at }],
    ),
  )
  const found = await readPaymentsAt(connection, vault, moments)
  const payments = found.flatMap((each) => each?.payment ?? [])
  return orders.map((order) => ({
    order,
    payments: new Map(
      payments.filter(({ resellerId }) => resellerId === order.resellerId).map((each) => [each.id, each]),
    ),
  }))
}

/**
 * Reads orders with their payments as they were when the order became final, in the order of the keys; undefined where
 * there is no such order. A payment that was voided since is shown as the success that it was: the same event has the
 * same contents at every delivery.
 */
export async function readEndedOrders(
  connection: Queryable,
  vault: Vault,
  keys: readonly OrderKey[],
): Promise<(PaidOrder | undefined)[]> {
  const read = await readOrders(connection, vault, keys)
  const orders = read.map(({ order }) => order)
  const paid = await readPayments(connection, vault, orders, ({ state }) =>
    state === 'succeeded' ? SUCCEEDED : null,
  )
  return keys.map(({ resellerId, id }) =>
    paid.find(({ order }) => order.id === id && order.resellerId === resellerId),
  )
}
