import { plainArrayOf, textArrayOf } from '../../../db/arrays.ts'
import type { Queryable } from '../../../db/database.ts'
import type { PaymentCode } from '../core/types.ts'
import type { Stay, StaySum, TakenBack } from './stays.types.ts'

/** Milliseconds far ahead whose first id is a bigint still. */
const AHEAD_MS = 8_000_000_000_000n

function valuesOf(stays: readonly Stay[]) {
  return [
    textArrayOf(stays, ({ place }) => place),
    plainArrayOf(stays, ({ memberId }) => memberId),
    plainArrayOf(stays, ({ fromMs }) => fromMs),
    plainArrayOf(stays, ({ untilMs }) => untilMs ?? AHEAD_MS),
  ]
}

/** Payments `p` of a stay `s`: one stretch of the primary key. */
const SOLD_IN = `p.reseller_id = $1 and p.id >= s.from_ms << 20 and p.id < s.until_ms << 20
             and p.member_id = s.member::text and p.purpose_id is null and p.category is not null`

const SUMS = {
  name: 'payments_sums_of_stays',
  text: `
    select s.place, s.member, p.category, p.code, p.is_later, sum(p.payments)::bigint as payments,
           sum(p.face_value)::bigint as face_value, sum(p.cost)::bigint as cost
      from unnest($2::text[], $3::bigint[], $4::bigint[], $5::bigint[]) as s (place, member, from_ms, until_ms)
     cross join lateral (
       select p.category, p.code, coalesce(p.changed_at >= to_timestamp($6::bigint / 1000.0), false) as is_later,
              count(*) as payments, sum(p.face_value) as face_value, sum(p.cost) as cost
         from payments p where ${SOLD_IN} group by 1, 2, 3) p
     group by 1, 2, 3, 4, 5`,
}

type SumRow = {
  place: string
  member: bigint
  category: string
  code: PaymentCode
  is_later: boolean
  payments: bigint
  face_value: bigint
  cost: bigint
}

/** Sums the payments of stays. `momentMs`: changes from then on are told apart. */
export async function sumStayRows(
  connection: Queryable,
  resellerId: bigint,
  stays: readonly Stay[],
  momentMs: bigint | null,
): Promise<StaySum[]> {
  const { rows } = await connection.query<SumRow>(SUMS, [resellerId, ...valuesOf(stays), momentMs])
  return rows.map(({ place, member, category, code, is_later, payments, face_value, cost }) => ({
    place,
    memberId: member,
    category,
    code,
    isLater: is_later,
    payments,
    faceValue: face_value,
    cost,
  }))
}

const TAKEN_BACK = {
  name: 'payments_taken_back_after',
  text: `
    select p.id, s.member, p.product_name, p.code, p.face_value, p.changed_at
      from unnest($2::text[], $3::bigint[], $4::bigint[], $5::bigint[]) as s (place, member, from_ms, until_ms)
      join payments p on ${SOLD_IN}
     where p.code <> all ('{0,1,20}'::smallint[]) and p.changed_at >= to_timestamp($6::bigint / 1000.0)
     order by p.changed_at, p.id limit $7`,
}

type TakenBackRow = {
  id: bigint
  member: bigint
  product_name: string
  code: PaymentCode
  face_value: bigint
  changed_at: Date
}

export async function listTakenBackRows(
  connection: Queryable,
  resellerId: bigint,
  stays: readonly Stay[],
  momentMs: bigint,
  limit: number,
): Promise<TakenBack[]> {
  const { rows } = await connection.query<TakenBackRow>(TAKEN_BACK, [
    resellerId,
    ...valuesOf(stays),
    momentMs,
    limit,
  ])
  return rows.map(({ id, member, product_name, code, face_value, changed_at }) => ({
    id,
    memberId: member,
    productName: product_name,
    code,
    faceValue: face_value,
    changedAt: changed_at,
  }))
}
