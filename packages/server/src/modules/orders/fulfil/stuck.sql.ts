import type { Queryable } from '../../../db/database.ts'
import type { OrderState } from '../core/types.ts'

/** Order that should be further than it is. */
export type StuckOrder = {
  readonly code: string
  readonly resellerId: bigint
  readonly state: OrderState
  readonly since: Date
  /** Rejection of a unit that waits; empty: none is known. */
  readonly error: string
}

/**
 * Finds orders whose looks fail, confirmed ones with a unit that is not paid for a quarter of an hour, and open ones
 * whose expiry has long passed. Orders that are not due within the hour are skipped by their index: an open order waits
 * for its expiry, and all others are looked at every minute.
 */
const STUCK = `
  select o.code, o.reseller_id, o.state, coalesce(u.error, '') as error,
         least(w.failing_since,
               case when o.state <> 'confirmed' then o.expires_at
                    when u.error is not null then o.confirmed_at end) as since
    from order_work w
    join orders o on o.reseller_id = w.reseller_id and o.id = w.order_id
    left join lateral (
      select u.error from order_units u
       where u.reseller_id = w.reseller_id and u.order_id = w.order_id and u.state = 'waiting'
       order by u.line, u.number limit 1
    ) u on true
   where w.next_at < now() + interval '1 hour'
     and (w.failing_since < now() - interval '5 minutes'
          or (o.state = 'confirmed' and u.error is not null and o.confirmed_at < now() - interval '15 minutes')
          or (o.state <> 'confirmed' and o.expires_at < now() - interval '5 minutes'))`

type StuckRow = { code: string; reseller_id: bigint; state: OrderState; error: string; since: Date }

/** Lists stuck orders, those first that have been stuck longest. */
export async function listStuckOrders(connection: Queryable, limit: number): Promise<StuckOrder[]> {
  const { rows } = await connection.query<StuckRow>(
    `select * from (${STUCK}) s order by s.since, s.code limit $1`,
    [limit],
  )
  return rows.map(({ reseller_id: resellerId, ...row }) => ({ ...row, resellerId }))
}

/** Limit of the count: above it no reader needs the exact figure. */
const COUNTED_MAX = 10_000

/** Counts stuck orders, and says for how long the first of them has been stuck. */
export async function readStuckOrders(
  connection: Queryable,
): Promise<{ readonly count: number; readonly oldestSeconds: number }> {
  const { rows } = await connection.query<{ count: number; oldest: number | null }>(
    `select count(*)::integer as count, extract(epoch from clock_timestamp() - min(since))::float8 as oldest
       from (${STUCK} limit ${COUNTED_MAX}) s`,
  )
  return { count: rows[0]?.count ?? 0, oldestSeconds: Math.max(0, rows[0]?.oldest ?? 0) }
}
