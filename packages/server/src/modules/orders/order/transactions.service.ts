import type { Queryable } from '../../../db/database.ts'
import type { Vault } from '../../../db/vault.ts'
import { readPaymentsAt } from '../../payments/payment/snapshots.service.ts'
import type { Payment } from '../../payments/payment/types.ts'
import { readOrders } from './records.service.ts'
import type { Order, OrderKey } from './types.ts'

/** Order with the payments of its units, as they are now. */
export type PaidOrder = { readonly order: Order; readonly payments: ReadonlyMap<bigint, Payment> }

/** Adds the payments of their units to orders, with one statement for all. */
export async function withPayments(
  connection: Queryable,
  vault: Vault,
  orders: readonly Order[],
): Promise<PaidOrder[]> {
  const moments = orders.flatMap(({ resellerId, units, createdAt: at }) =>
    units.flatMap(({ paymentId: id }) =>
      id === null ? [] : [{ resellerId, id, code: null, balance: null, at }],
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

/** Reads orders with their payments, in the order of the keys; undefined where there is no such order. */
export async function readPaidOrders(
  connection: Queryable,
  vault: Vault,
  keys: readonly OrderKey[],
): Promise<(PaidOrder | undefined)[]> {
  const read = await readOrders(connection, vault, keys)
  const paid = await withPayments(
    connection,
    vault,
    read.map(({ order }) => order),
  )
  return keys.map(({ resellerId, id }) =>
    paid.find(({ order }) => order.id === id && order.resellerId === resellerId),
  )
}
