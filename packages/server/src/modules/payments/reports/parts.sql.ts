import type { Queryable, Tx } from '../../../db/database.ts'
import type { DayRange } from '../../../lib/dates.ts'
import type { PaymentCode } from '../core/types.ts'
import { firstIdOf } from '../read/history.rules.ts'
import type { PartKind, PartSum } from './parts.types.ts'
import type { ResellerDay } from './rollups.sql.ts'

/** Parts of payments `p`. An id begins with the millisecond, so the hour by GMT+8 follows from it. */
const PART_OF: Readonly<Record<PartKind, string>> = {
  hour: `(((p.id >> 20) + 28800000) / 3600000 % 24)::text`,
  seller: 'seller_of(p.purpose_id, p.member_id)',
}

/** Replaces the parts of a day, after `replaceSums` and under the same lock. */
export async function replaceParts(tx: Tx, { resellerId, day }: ResellerDay): Promise<void> {
  await tx.query(
    `delete from payment_rollup_parts where reseller_id = $1 and day = date '1970-01-01' + $2::integer`,
    [resellerId, day],
  )
  await tx.query(
    `with sold as (
       select ${PART_OF.hour} as hour, ${PART_OF.seller} as seller, p.code, p.face_value, p.cost
         from payments p where p.reseller_id = $1 and p.id >= $3 and p.id < $4
     )
     insert into payment_rollup_parts (reseller_id, day, kind, part, code, payments, face_value, cost)
     select $1, date '1970-01-01' + $2::integer, case when hour is null then 'seller' else 'hour' end,
            coalesce(hour, seller), code, count(*), sum(face_value), sum(cost)
       from sold
      group by grouping sets ((hour, code), (seller, code))`,
    [resellerId, day, firstIdOf(day), firstIdOf(day + 1)],
  )
}

type SumRow = { part: string; code: PaymentCode; payments: bigint; face_value: bigint; cost: bigint }

/**
 * Sums `part` over days: `summed` for those that are marked, and the payments themselves for the others, which are
 * today, days that a late answer changed, and days without payments, which cost one index lookup each.
 */
function sumsBy(name: string, mark: string, summed: string, part: string) {
  return {
    name: `rollups_sums_by_${name}`,
    text: `
      with days as materialized (
        select d.day, date '1970-01-01' + d.day as date, m.reseller_id is not null as is_summed
          from generate_series($2::integer, $3::integer) as d (day)
          left join payment_rollup_days m
            on m.reseller_id = $1 and m.day = date '1970-01-01' + d.day and m.is_current ${mark}
      ), sums as (
        select s.part, s.code, s.payments, s.face_value, s.cost
          from days cross join lateral (${summed}) s
         where days.is_summed
        union all
        select s.part, s.code, s.payments, s.face_value, s.cost
          from days
          cross join lateral (
            select ${part} as part, p.code, count(*) as payments, sum(p.face_value) as face_value, sum(p.cost) as cost
              from payments p
             where p.reseller_id = $1 and p.id >= (days.day * bigint '86400000' - 28800000) << 20
               and p.id < ((days.day + 1) * bigint '86400000' - 28800000) << 20
             group by 1, 2
          ) s
         where not days.is_summed
      )
      select part, code, sum(payments)::bigint as payments, sum(face_value)::bigint as face_value,
             sum(cost)::bigint as cost
        from sums group by part, code`,
  }
}

function sumsByPart(kind: PartKind) {
  const summed = `select part, code, payments, face_value, cost from payment_rollup_parts
                   where reseller_id = $1 and day = days.date and kind = '${kind}'`
  return sumsBy(kind, 'and m.has_parts', summed, PART_OF[kind])
}

const SUMS: Readonly<Record<PartKind | 'product', ReturnType<typeof sumsBy>>> = {
  hour: sumsByPart('hour'),
  seller: sumsByPart('seller'),
  product: sumsBy(
    'product',
    '',
    `select product_code as part, code, payments, face_value, cost from payment_rollups
      where reseller_id = $1 and day = days.date`,
    'p.product_code',
  ),
}

/** Sums a reseller's payments of some days by product, hour or seller, and by code. */
export async function sumParts(
  connection: Queryable,
  resellerId: bigint,
  days: DayRange,
  kind: PartKind | 'product',
): Promise<PartSum[]> {
  const { rows } = await connection.query<SumRow>(SUMS[kind], [resellerId, days.from, days.to])
  return rows.map(({ part, code, payments, face_value, cost }) => ({
    part,
    code,
    payments,
    faceValue: face_value,
    cost,
  }))
}
