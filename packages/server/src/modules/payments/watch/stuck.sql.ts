import type { Queryable } from '../../../db/database.ts'

/** Payments past their due time at one provider. */
export type StuckRow = {
  provider: string
  payments: number
  cost: bigint
  oldest_due_at: Date
  overdue_seconds: number
}

/** Payments that are not final have rows of their own, so that only these are read. */
const STUCK = {
  name: 'payments_watch_stuck',
  text: `select p.provider, count(*)::integer as payments, sum(p.cost)::bigint as cost, min(w.due_at) as oldest_due_at,
                extract(epoch from clock_timestamp() - min(w.due_at))::float8 as overdue_seconds
           from payment_work w join payments p on p.reseller_id = w.reseller_id and p.id = w.payment_id
          where w.due_at < clock_timestamp()
          group by p.provider order by p.provider limit $1`,
}

const PROVIDERS_MAX = 1_000

export async function sumStuck(connection: Queryable): Promise<StuckRow[]> {
  const { rows } = await connection.query<StuckRow>(STUCK, [PROVIDERS_MAX])
  return rows
}

/** Takes the lock for watching payments. One node at a time holds it; the others skip their turn. */
export async function tryWatchLock(connection: Queryable): Promise<boolean> {
  const { rows } = await connection.query<{ is_ours: boolean }>(
    `select pg_try_advisory_xact_lock(hashtextextended('watching payments', 0) # lock_mark()) as is_ours`,
  )
  return rows[0]?.is_ours === true
}
