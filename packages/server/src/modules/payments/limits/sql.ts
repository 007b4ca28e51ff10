import type { Queryable } from '../../../db/database.ts'
import type { Amount } from '../../../lib/money.ts'

const BEGIN = { name: 'limits_begin_tallies', text: 'select begin_tallies($1::bigint[], $2::text[])' }

/** Begins to count a reseller's payments by these kinds, where that has not begun. */
export async function beginTallies(
  connection: Queryable,
  resellerId: bigint,
  kinds: readonly ('account' | 'reseller' | 'key')[],
): Promise<void> {
  await connection.query(BEGIN, [kinds.map(() => resellerId), kinds])
}

const SPENT = {
  name: 'limits_spent_by_purpose',
  text: `
    select p.id as purpose_id, m.day_ends, m.month_ends, coalesce(n.today, 0)::bigint as today,
           coalesce(n.month, 0)::bigint as month
      from unnest($2::bigint[]) as p (id)
     cross join lateral counted_month($1, clock_timestamp()) m
      left join lateral (
        select sum(c.cost) filter (where c.day = m.today) as today, sum(c.cost) as month
          from payment_counts c
         where c.reseller_id = $1 and c.kind = 'key' and c.subject = p.id::text
           and c.day between m.first_day and m.today
      ) n on true`,
}

export type SpentRow = {
  purpose_id: bigint
  today: Amount
  month: Amount
  day_ends: Date
  month_ends: Date
}

export async function listSpent(
  connection: Queryable,
  resellerId: bigint,
  purposeIds: readonly bigint[],
): Promise<SpentRow[]> {
  const { rows } = await connection.query<SpentRow>(SPENT, [resellerId, purposeIds])
  return rows
}
