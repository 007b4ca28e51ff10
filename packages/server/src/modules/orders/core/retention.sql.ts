import type { Queryable } from '../../../db/database.ts'

const FORGET = {
  name: 'orders_forget_secrets',
  text: `with old as materialized (
           select reseller_id, id from orders
            where completed_at < now() - make_interval(days => $1) and sealed_token is not null
            order by completed_at limit $2 for no key update skip locked
         ), inputs as (
           update order_lines l set sealed_input = null from old
            where l.reseller_id = old.reseller_id and l.order_id = old.id
         )
         update orders o set sealed_token = null from old where o.reseller_id = old.reseller_id and o.id = old.id`,
}

/** Forgets the tokens and the inputs of orders that became final longer ago than given; returns how many orders. */
export async function forgetSecrets(connection: Queryable, keptDays: number, limit: number): Promise<number> {
  return (await connection.query(FORGET, [keptDays, limit])).rowCount
}
