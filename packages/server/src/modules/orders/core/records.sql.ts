import { plainArray } from '../../../db/arrays.ts'
import type { Queryable } from '../../../db/database.ts'
import type { Language, OpenField, OrderKey, OrderState, UnitState } from './types.ts'

export type OrderRow = {
  reseller_id: bigint
  id: bigint
  code: string
  reference: string
  user_id: string
  state: OrderState
  return_url: string
  products: string[] | null
  is_fixed: boolean
  language: Language
  shows_results: boolean
  allows_repeats: boolean
  version: number
  total: bigint
  refund: bigint
  payment_reference: string | null
  sender: string
  cancel_reason: string
  created_at: Date
  expires_at: Date
  confirmed_at: Date | null
  completed_at: Date | null
  is_expired: boolean
  read_at: Date
}

export type LineRow = {
  line: number | null
  product_code: string
  product_name: string
  amount: bigint
  quantity: number
  unit_price: bigint
  open_fields: OpenField[]
  sealed_input: Buffer | null
}

export type UnitRow = {
  reseller_id: bigint
  order_id: bigint
  line: number
  number: number
  refid: string
  state: UnitState
  price: bigint
  payment_id: bigint | null
  error: string
}

const LIST = {
  name: 'orders_list_by_ids',
  text: `select o.reseller_id, o.id, o.code, o.reference, o.user_id, o.state, o.return_url, o.products, o.is_fixed,
                o.language, o.shows_results, o.allows_repeats, o.version, o.total, o.refund, o.payment_reference,
                o.sender, o.cancel_reason, o.created_at, o.expires_at, o.confirmed_at, o.completed_at,
                o.expires_at <= clock_timestamp() as is_expired, clock_timestamp() as read_at,
                l.line, l.product_code, l.product_name, l.amount, l.quantity, l.unit_price, l.open_fields,
                l.sealed_input
           from unnest($1::bigint[], $2::bigint[]) as k (reseller_id, id)
           join orders o on o.reseller_id = k.reseller_id and o.id = k.id
           left join order_lines l on l.reseller_id = o.reseller_id and l.order_id = o.id
          order by o.reseller_id, o.id, l.line`,
}

/** Lists orders with their lines, one row for each line: one statement, so that both are of the same instant. */
export async function listOrderRows(
  connection: Queryable,
  keys: readonly OrderKey[],
): Promise<(OrderRow & LineRow)[]> {
  const { rows } = await connection.query<OrderRow & LineRow>(LIST, keyArrays(keys))
  return rows
}

const LIST_UNITS = {
  name: 'order_units_list',
  text: `select u.reseller_id, u.order_id, u.line, u.number, u.refid, u.state, u.price, u.payment_id, u.error
           from unnest($1::bigint[], $2::bigint[]) as k (reseller_id, id)
           join order_units u on u.reseller_id = k.reseller_id and u.order_id = k.id
          order by u.reseller_id, u.order_id, u.line, u.number`,
}

export async function listUnitRows(connection: Queryable, keys: readonly OrderKey[]): Promise<UnitRow[]> {
  return (await connection.query<UnitRow>(LIST_UNITS, keyArrays(keys))).rows
}

function keyArrays(keys: readonly OrderKey[]): unknown[] {
  return [plainArray(keys.map(({ resellerId }) => resellerId)), plainArray(keys.map(({ id }) => id))]
}

/** Filter of orders; null: any. */
export type OrderFilter = {
  readonly state: OrderState | null
  readonly reference: string | null
  readonly userId: string | null
  /** Milliseconds: made at or after `fromMs`, and before `untilMs`. */
  readonly fromMs: number | null
  readonly untilMs: number | null
  /** Code of an order: only older ones are listed. */
  readonly before: string | null
  readonly limit: number
}

/** Lists the ids of an account's orders, newest first. Conditions that are not asked for are left out of the statement. */
export async function listOrderIds(
  connection: Queryable,
  resellerId: bigint,
  filter: OrderFilter,
): Promise<bigint[]> {
  const values: unknown[] = [resellerId]
  const conditions = ['reseller_id = $1']
  const where = (value: unknown, condition: (place: string) => string) => {
    if (value === null) return
    values.push(value)
    conditions.push(condition(`$${values.length}`))
  }
  where(filter.state, (place) => `state = ${place}`)
  where(filter.reference, (place) => `reference = ${place}`)
  where(filter.userId, (place) => `user_id = ${place}`)
  where(filter.fromMs, (place) => `created_at >= to_timestamp(${place}::float8 / 1000)`)
  where(filter.untilMs, (place) => `created_at < to_timestamp(${place}::float8 / 1000)`)
  where(
    filter.before,
    (place) =>
      `(created_at, id) < (select b.created_at, b.id from orders b where b.reseller_id = $1 and b.code = ${place})`,
  )
  values.push(filter.limit)
  const { rows } = await connection.query<{ id: bigint }>(
    `select id from orders where ${conditions.join(' and ')} order by created_at desc, id desc limit $${values.length}`,
    values,
  )
  return rows.map(({ id }) => id)
}
