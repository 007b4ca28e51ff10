import type { Queryable, Tx } from '../../../db/database.ts'
import { firstIdOf } from '../read/history.rules.ts'

/** Sums of payments `p` whose costs `t` suppliers told. */
export const TOLD_SUMS = `count(t.ringgit), coalesce(sum(p.face_value) filter (where t.ringgit is not null), 0),
  coalesce(sum(p.cost) filter (where t.ringgit is not null), 0), coalesce(sum(t.ringgit), 0)`

/** Day of a reseller by GMT+8, counted from 1970-01-01. */
export type ResellerDay = { readonly resellerId: bigint; readonly day: number }

type DayRow = { reseller_id: bigint; day: number }

/**
 * Finds for each reseller the oldest day that has ended, has payments and is after its newest current day. Days are
 * summed oldest first, so every day with payments before the newest current one has a row of its own, and older days
 * need no search. Resellers with payments are found by skipping along the primary key: three index lookups per reseller
 * in total, however many payments there are.
 */
const UNSUMMED = {
  name: 'rollups_unsummed_days',
  text: `
    with recursive payers as (
      (select reseller_id from payments order by reseller_id limit 1)
      union all
      select (select p.reseller_id from payments p where p.reseller_id > payers.reseller_id
               order by p.reseller_id limit 1)
        from payers where payers.reseller_id is not null
    ), today as (
      select (floor(extract(epoch from clock_timestamp()) * 1000)::bigint - $2::bigint + 28800000) / 86400000 as day
    )
    select payers.reseller_id, (((oldest.id >> 20) + 28800000) / 86400000)::integer as day
      from payers
      cross join today
      left join lateral (
        select d.day - date '1970-01-01' as day from payment_rollup_days d
         where d.reseller_id = payers.reseller_id and d.is_current order by d.day desc limit 1
      ) newest on true
      cross join lateral (
        select p.id from payments p
         where p.reseller_id = payers.reseller_id
           and p.id >= (coalesce(newest.day + 1, 0) * bigint '86400000' - 28800000) << 20
           and p.id < (today.day * 86400000 - 28800000) << 20
         order by p.id limit 1
      ) oldest
     where payers.reseller_id is not null
     limit $1`,
}

export async function listUnsummedDays(
  connection: Queryable,
  limit: number,
  settleMs: number,
): Promise<ResellerDay[]> {
  const { rows } = await connection.query<DayRow>(UNSUMMED, [limit, settleMs])
  return rows.map(toDay)
}

/** Finds days whose parts are missing: nodes of the version before parts have summed them. */
const PARTLESS = {
  name: 'rollups_partless_days',
  text: `select reseller_id, day - date '1970-01-01' as day from payment_rollup_days
          where is_current and not has_parts limit $1`,
}

export async function listPartlessDays(connection: Queryable, limit: number): Promise<ResellerDay[]> {
  const { rows } = await connection.query<DayRow>(PARTLESS, [limit])
  return rows.map(toDay)
}

/** Finds days that were current before a late answer changed one of their payments. */
const CHANGED = {
  name: 'rollups_changed_days',
  text: `
    select d.reseller_id, d.day - date '1970-01-01' as day
      from payment_rollup_days d
     where not d.is_current
       and exists (select from payment_rollup_days later
                    where later.reseller_id = d.reseller_id and later.day > d.day and later.is_current)
     limit $1`,
}

export async function listChangedDays(connection: Queryable, limit: number): Promise<ResellerDay[]> {
  const { rows } = await connection.query<DayRow>(CHANGED, [limit])
  return rows.map(toDay)
}

function toDay({ reseller_id, day }: DayRow): ResellerDay {
  return { resellerId: reseller_id, day }
}

/**
 * Tells whether everything that was begun before a day ended has been committed. Payments are dated, failed and voided
 * under the wallet's lock, and this query waits for that lock. A success locks its own row before it compares the day
 * with the clock. A transaction that comes after these locks sees that the day is over, and marks it. This query does
 * not wait for the rows: several locks in another order could deadlock with a batch of answers, and the answers would
 * be rolled back.
 */
export async function isSettled(connection: Queryable, { resellerId, day }: ResellerDay): Promise<boolean> {
  await connection.query('select from hold_wallet($1)', [resellerId])
  const { rows } = await connection.query<{ is_settled: boolean }>(
    `select count(*) = count(p.id) as is_settled
       from payment_work w
       left join lateral (
         select id from payments where reseller_id = w.reseller_id and id = w.payment_id for share skip locked
       ) p on true
      where w.reseller_id = $1 and w.payment_id >= $2 and w.payment_id < $3`,
    [resellerId, firstIdOf(day), firstIdOf(day + 1)],
  )
  return rows[0]?.is_settled ?? false
}

/** Inserts the row of a day, so that there is a row to lock. */
export async function insertOpenDay(connection: Queryable, { resellerId, day }: ResellerDay): Promise<void> {
  await connection.query(
    `insert into payment_rollup_days (reseller_id, day, is_current) values ($1, date '1970-01-01' + $2::integer, false)
     on conflict do nothing`,
    [resellerId, day],
  )
}

/** Locks the row of a day; false when the day is current with its parts, or another node is summing it. */
export async function lockOpenDay(tx: Tx, { resellerId, day }: ResellerDay): Promise<boolean> {
  const { rowCount } = await tx.query(
    `select from payment_rollup_days
      where reseller_id = $1 and day = date '1970-01-01' + $2::integer
        and not (is_current and has_parts)
        for update skip locked`,
    [resellerId, day],
  )
  return rowCount === 1
}

/**
 * Replaces the sums of a day. These are statements after the lock's own, so they see everything that was committed
 * before the lock was taken.
 */
export async function replaceSums(tx: Tx, { resellerId, day }: ResellerDay): Promise<void> {
  await tx.query(
    `delete from payment_rollups where reseller_id = $1 and day = date '1970-01-01' + $2::integer`,
    [resellerId, day],
  )
  await tx.query(
    `with sums as (
       select p.product_code, p.code, count(*), sum(p.face_value), sum(p.cost), ${TOLD_SUMS}
         from payments p left join told_costs($1, $3, $4) t on t.payment_id = p.id
        where p.reseller_id = $1 and p.id >= $3 and p.id < $4
        group by p.product_code, p.code
     )
     insert into payment_rollups (reseller_id, day, product_code, code, payments, face_value, cost, told_payments,
                                  told_face_value, told_charged, told_cost)
     select $1, date '1970-01-01' + $2::integer, s.*
       from sums as s (product_code, code, payments, face_value, cost, told_payments, told_face_value, told_charged,
                       told_cost)`,
    [resellerId, day, firstIdOf(day), firstIdOf(day + 1)],
  )
}

/** Marks a day whose sums and parts were replaced. */
export async function markCurrent(tx: Tx, { resellerId, day }: ResellerDay): Promise<void> {
  await tx.query(
    `update payment_rollup_days set is_current = true, has_parts = true
      where reseller_id = $1 and day = date '1970-01-01' + $2::integer`,
    [resellerId, day],
  )
}
