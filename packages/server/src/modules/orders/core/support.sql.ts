import type { Queryable } from '../../../db/database.ts'
import type { OrderState } from './types.ts'

/** Order without anything that is sealed: a row whose secrets do not open can be read too. */
export type SupportRow = {
  reseller_id: bigint
  id: bigint
  code: string
  reference: string
  state: OrderState
  total: bigint
  refund: bigint
  payment_reference: string | null
  cancel_reason: string
  created_at: Date
  expires_at: Date
  confirmed_at: Date | null
  completed_at: Date | null
  next_at: Date | null
  looks: number | null
}

const FIND = {
  name: 'orders_find_for_support',
  text: `select o.reseller_id, o.id, o.code, o.reference, o.state, o.total, o.refund, o.payment_reference,
                o.cancel_reason, o.created_at, o.expires_at, o.confirmed_at, o.completed_at, w.next_at, w.looks
           from orders o left join order_work w on w.reseller_id = o.reseller_id and w.order_id = o.id
          where o.code = $1`,
}

/** Finds an order of any reseller by its code. */
export async function findAnyRow(connection: Queryable, code: string): Promise<SupportRow | undefined> {
  return (await connection.query<SupportRow>(FIND, [code])).rows[0]
}

export type SupportLineRow = {
  line: number
  product_code: string
  product_name: string
  amount: bigint
  quantity: number
  unit_price: bigint
}

const LIST_LINES = {
  name: 'order_lines_list_for_support',
  text: `select line, product_code, product_name, amount, quantity, unit_price from order_lines
          where reseller_id = $1 and order_id = $2 order by line`,
}

export async function listPlainLines(
  connection: Queryable,
  resellerId: bigint,
  id: bigint,
): Promise<SupportLineRow[]> {
  return (await connection.query<SupportLineRow>(LIST_LINES, [resellerId, id])).rows
}
