import type { Queryable } from '../../../db/database.ts'
import { firstIdOf } from './log.sql.ts'

// Deliveries have no index by order, as they have none by payment (payment-log.sql.ts): a delivery is made soon after
// the order's end, so that a short range of the log is scanned up to the first delivery of the order.
const FIND = {
  name: 'deliveries_of_order',
  text: `select event_id from deliveries
          where reseller_id = $1 and stream = 'order' and id >= $3 and id < $4 and subject = $2 and source = 'order'
          order by id limit 1`,
}

/** Finds the id of the event that ended an order, if it has a delivery between two instants. */
export async function findOrderEvent(
  connection: Queryable,
  resellerId: bigint,
  orderId: bigint,
  window: { readonly fromMs: number; readonly untilMs: number },
): Promise<string | undefined> {
  const { rows } = await connection.query<{ event_id: string }>(FIND, [
    resellerId,
    orderId,
    firstIdOf(window.fromMs),
    firstIdOf(window.untilMs),
  ])
  return rows[0]?.event_id
}
