import type { Database, Queryable } from '../../../db/database.ts'
import type { Vault } from '../../../db/vault.ts'
import { withFreshKeys } from '../../../db/vault.ts'
import type { LineRow, OrderRow, UnitRow } from './records.sql.ts'
import { listOrderRows, listUnitRows } from './records.sql.ts'
import { openInput } from './secrets.service.ts'
import { timeOutOrder } from './sql.ts'
import { isOpen } from './states.rules.ts'
import type { Order, OrderKey, OrderLine, OrderUnit } from './types.ts'

/** Order as it was read, with what only the service itself needs. */
export type ReadOrder = {
  readonly order: Order
  /** True: its expiry has passed. An open order must be timed out before it is shown. */
  readonly isExpired: boolean
  /** Address of the caller that confirmed it. */
  readonly sender: string
  readonly readAt: Date
}

/** Reads orders with their lines and units, in the order of the keys; orders that do not exist are left out. */
export async function readOrders(
  connection: Queryable,
  vault: Vault,
  keys: readonly OrderKey[],
): Promise<ReadOrder[]> {
  if (keys.length === 0) return []
  const rows = await listOrderRows(connection, keys)
  const confirmed = rows.flatMap(({ reseller_id: resellerId, id, confirmed_at }) =>
    confirmed_at === null ? [] : [{ resellerId, id }],
  )
  // Units are read after their order: one that is final then has final units.
  const units = confirmed.length === 0 ? [] : await listUnitRows(connection, distinct(confirmed))
  // A line that cannot be opened must not hide its order, nor the others of a list.
  const orders = await withFreshKeys(vault, () => assemble(rows, units, lineOpener(vault))).catch(() =>
    assemble(rows, units, orUnreadable(lineOpener(vault))),
  )
  return keys.flatMap((key) => orders.get(nameOf(key)) ?? [])
}

/** Reads one order. An open one whose expiry has passed times out first. */
export async function readOrder(
  database: Database,
  vault: Vault,
  key: OrderKey,
): Promise<ReadOrder | undefined> {
  const [found] = await readOrders(database, vault, [key])
  if (found === undefined || !found.isExpired || !isOpen(found.order.state)) return found
  await database.transaction((tx) => timeOutOrder(tx, key))
  return (await readOrders(database, vault, [key]))[0]
}

/** Times out the open ones among read orders whose expiry has passed; false when there are none. */
export async function timeOutLate(database: Database, found: readonly ReadOrder[]): Promise<boolean> {
  const late = found.filter(({ order, isExpired }) => isExpired && isOpen(order.state))
  for (const { order } of late) await database.transaction((tx) => timeOutOrder(tx, order))
  return late.length > 0
}

function distinct(keys: readonly OrderKey[]): OrderKey[] {
  return [...new Map(keys.map((key) => [nameOf(key), key])).values()]
}

function nameOf({ resellerId, id }: OrderKey): string {
  return `${resellerId} ${id}`
}

type Opened = Pick<OrderLine, 'account' | 'extras' | 'isUnreadable'>
/** Opens the secrets of a line. */
type Opener = (owner: OrderRow, line: number, sealed: Buffer | null) => Opened

function lineOpener(vault: Vault): Opener {
  return ({ reseller_id: resellerId, code }, line, sealed) =>
    openInput(vault, { resellerId, code }, line, sealed)
}

const UNREADABLE: Opened = {
  account: null,
  extras: { subproductCode: null, billerCode: null, ref2: null, icNumber: null },
  isUnreadable: true,
}

function orUnreadable(open: Opener): Opener {
  return (owner, line, sealed) => {
    try {
      return open(owner, line, sealed)
    } catch {
      return UNREADABLE
    }
  }
}

function assemble(
  rows: readonly (OrderRow & LineRow)[],
  unitRows: readonly UnitRow[],
  open: Opener,
): Map<string, ReadOrder> {
  const units = grouped(unitRows, ({ reseller_id: resellerId, order_id: id }) => nameOf({ resellerId, id }))
  const groups = grouped(rows, ({ reseller_id: resellerId, id }) => nameOf({ resellerId, id }))
  const orders = new Map<string, ReadOrder>()
  for (const [name, [first, ...others]] of groups) {
    if (first === undefined) continue
    const lines = [first, ...others].flatMap((row) => toLine(open, first, row))
    orders.set(name, toRead(first, lines, (units.get(name) ?? []).map(toUnit)))
  }
  return orders
}

function grouped<T>(items: readonly T[], nameOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const item of items) {
    const name = nameOf(item)
    const group = groups.get(name)
    if (group === undefined) groups.set(name, [item])
    else group.push(item)
  }
  return groups
}

function toLine(open: Opener, owner: OrderRow, row: LineRow): OrderLine[] {
  if (row.line === null) return []
  const { line, sealed_input: sealed } = row
  return [
    {
      line,
      productCode: row.product_code,
      productName: row.product_name,
      amount: row.amount,
      quantity: row.quantity,
      unitPrice: row.unit_price,
      openFields: row.open_fields,
      ...open(owner, line, sealed),
    },
  ]
}

function toUnit(row: UnitRow): OrderUnit {
  const { line, number, refid, state, price, payment_id: paymentId, error } = row
  return { line, number, refid, state, price, paymentId, error }
}

function toRead(row: OrderRow, lines: readonly OrderLine[], units: readonly OrderUnit[]): ReadOrder {
  return {
    order: {
      resellerId: row.reseller_id,
      id: row.id,
      code: row.code,
      reference: row.reference,
      userId: row.user_id,
      state: row.state,
      returnUrl: row.return_url,
      products: row.products,
      isFixed: row.is_fixed,
      language: row.language,
      showsResults: row.shows_results,
      allowsRepeats: row.allows_repeats,
      version: row.version,
      total: row.total,
      refund: row.refund,
      paymentReference: row.payment_reference,
      cancelReason: row.cancel_reason,
      createdAt: row.created_at,
      expiresAt: row.expires_at,
      confirmedAt: row.confirmed_at,
      completedAt: row.completed_at,
      lines,
      units,
    },
    isExpired: row.is_expired,
    sender: row.sender,
    readAt: row.read_at,
  }
}
