import type { Queryable, Tx } from '../../../db/database.ts'
import type { Amount } from '../../../lib/money.ts'

/** Highest threshold. `amount` is null if none is set; `at` is then the present. */
export type HighestThreshold = { readonly amount: Amount | null; readonly at: Date }

const HIGHEST = {
  name: 'thresholds_highest',
  text: `select t.amount, coalesce(t.updated_at, now()) as at
           from (select 1) as always
           left join lateral (
             select amount, updated_at from balance_thresholds where reseller_id = $1 order by amount desc limit 1
           ) t on true`,
}

export async function findHighest(connection: Queryable, resellerId: bigint): Promise<HighestThreshold> {
  const { rows } = await connection.query<HighestThreshold>(HIGHEST, [resellerId])
  const row = rows[0]
  if (row === undefined) throw new Error('a select without a table gave no row')
  return row
}

/** Locks a reseller's thresholds: without it, two callers that set one at once would each leave one. */
export async function lockThresholds(tx: Tx, resellerId: bigint): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock(hashtextextended('balance_thresholds', $1) # lock_mark())`, [
    resellerId,
  ])
}

/** Deletes the highest threshold, and all that are above the new amount. */
export async function deleteFromHighest(tx: Tx, resellerId: bigint, amount: Amount): Promise<void> {
  await tx.query(
    `delete from balance_thresholds
      where reseller_id = $1
        and (amount > $2 or amount = (select max(amount) from balance_thresholds where reseller_id = $1))`,
    [resellerId, amount],
  )
}

export async function insertThreshold(tx: Tx, resellerId: bigint, amount: Amount): Promise<void> {
  await tx.query(
    `insert into balance_thresholds (reseller_id, amount) values ($1, $2)
     on conflict (reseller_id, amount) do update set updated_at = excluded.updated_at`,
    [resellerId, amount],
  )
}

/** Lists thresholds, highest first. */
export async function listThresholdRows(
  connection: Queryable,
  resellerId: bigint,
  limit: number,
): Promise<{ amount: Amount; at: Date }[]> {
  const { rows } = await connection.query<{ amount: bigint; at: Date }>(
    `select amount, updated_at as at from balance_thresholds where reseller_id = $1 order by amount desc limit $2`,
    [resellerId, limit],
  )
  return rows
}

/** Deletes a threshold. Returns false if there was none of that amount. */
export async function deleteThreshold(tx: Tx, resellerId: bigint, amount: Amount): Promise<boolean> {
  const { rowCount } = await tx.query(
    'delete from balance_thresholds where reseller_id = $1 and amount = $2',
    [resellerId, amount],
  )
  return rowCount === 1
}
