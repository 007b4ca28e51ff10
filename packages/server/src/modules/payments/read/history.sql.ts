import type { Queryable, Statement, Tx } from '../../../db/database.ts'
import type { DayRange } from '../../../lib/dates.ts'
import type { PaymentCode } from '../core/types.ts'
import type { DaySum } from './history.rules.ts'
import { firstIdOf } from './history.rules.ts'
import type { LineFilter, LineRow } from './lines.sql.ts'
import { conditionsOf, LINE_COLUMNS, ofCustomer, ofMember, stretchBounds } from './lines.sql.ts'

/**
 * Opens one snapshot for a page and its totals, so that they agree. JIT is off because compiling a plan would cost more
 * than running it: the planner expects to read a year's payments, but nearly all of them come from sums.
 */
export async function openSnapshot(tx: Tx): Promise<void> {
  await tx.query('set transaction isolation level repeatable read, read only; set local jit = off')
}

// ── Sums ──

type SumRow = { day: number; code: PaymentCode; payments: bigint; face_value: bigint; cost: bigint }

// Days are numbers from 1970-01-01 by GMT+8, and `(day × a day's milliseconds − 8 hours) << 20` is a day's first id.
function sumsByDay(hasProduct: boolean): Statement {
  return {
    name: `history_sums_by_day${hasProduct ? '_product' : ''}`,
    text: `
      with days as materialized (
        select d.day, date '1970-01-01' + d.day as date, m.is_current is not null as is_current
          from generate_series($2::integer, $3::integer) as d (day)
          left join payment_rollup_days m
            on m.reseller_id = $1 and m.day = date '1970-01-01' + d.day and m.is_current
      )
      select days.day, r.code, sum(r.payments)::bigint as payments, sum(r.face_value)::bigint as face_value,
             sum(r.cost)::bigint as cost
        from days join payment_rollups r on r.reseller_id = $1 and r.day = days.date
       where days.is_current ${hasProduct ? 'and r.product_code = $4' : ''}
       group by days.day, r.code
      union all
      select days.day, p.code, p.payments, p.face_value, p.cost
        from days
        cross join lateral (
          select code, count(*) as payments, sum(face_value)::bigint as face_value, sum(cost)::bigint as cost
            from payments
           where reseller_id = $1 and id >= (days.day * bigint '86400000' - 28800000) << 20
             and id < ((days.day + 1) * bigint '86400000' - 28800000) << 20
             ${hasProduct ? 'and product_code = $4' : ''}
           group by code
        ) p
       where not days.is_current`,
  }
}

const SUMS_BY_DAY = sumsByDay(false)
const SUMS_BY_DAY_AND_PRODUCT = sumsByDay(true)

/**
 * Sums payments by day and code, from the rollups for current days and from the payments for the others. The others are
 * today, days that a late answer changed since they were summed, and days without payments, which cost one index lookup
 * each. Rollups of a year are at most some hundred rows a day.
 */
export async function sumDays(
  connection: Queryable,
  resellerId: bigint,
  days: DayRange,
  product: string | null,
): Promise<DaySum[]> {
  const values = [resellerId, days.from, days.to]
  const { rows } =
    product === null
      ? await connection.query<SumRow>(SUMS_BY_DAY, values)
      : await connection.query<SumRow>(SUMS_BY_DAY_AND_PRODUCT, [...values, product])
  return rows.map(toSum)
}

const SUMS_OF_ACCOUNT = {
  name: 'history_sums_of_account',
  // Offset: the planner keeps the subquery, and looks it up by the index for each stretch.
  text: `select (((p.id >> 20) + 28800000) / 86400000)::integer as day, p.code, count(*) as payments,
                sum(p.face_value)::bigint as face_value, sum(p.cost)::bigint as cost
           from generate_series(${stretchBounds('$3::bigint', '$4::bigint')}) as stretches (stretch)
          cross join unnest($2::text[]) as customers (account)
          cross join lateral (
            select id, code, face_value, cost from payments
             where ${ofCustomer('$1')} and id >= $3 and id < $4
               and ($5::text is null or product_code = $5)
            offset 0) p
          group by 1, 2`,
}

/** Sums the payments of one customer by day and code. They are few, and have an index. */
export async function sumDaysOfAccount(
  connection: Queryable,
  resellerId: bigint,
  days: DayRange,
  accounts: readonly string[],
  product: string | null,
): Promise<DaySum[]> {
  const values = [resellerId, accounts, firstIdOf(days.from), firstIdOf(days.to + 1), product]
  const { rows } = await connection.query<SumRow>(SUMS_OF_ACCOUNT, values)
  return rows.map(toSum)
}

const SUMS_OF_MEMBER = {
  name: 'history_sums_of_member',
  text: `select (((id >> 20) + 28800000) / 86400000)::integer as day, code, count(*) as payments,
                sum(face_value)::bigint as face_value, sum(cost)::bigint as cost
           from payments
          where reseller_id = $1 and id >= $3 and id < $4 and ${ofMember('$2')}
            and ($5::text is null or product_code = $5)
            and ($6::text[] is null or coalesce(canonical_account, account) = any ($6))
          group by 1, 2`,
}

/** Sums what a member sold by day and code. It reads all payments of the days. */
export async function sumDaysOfMember(
  connection: Queryable,
  resellerId: bigint,
  days: DayRange,
  member: string,
  { product, accounts }: Pick<LineFilter, 'product' | 'accounts'>,
): Promise<DaySum[]> {
  const values = [resellerId, member, firstIdOf(days.from), firstIdOf(days.to + 1), product, accounts]
  const { rows } = await connection.query<SumRow>(SUMS_OF_MEMBER, values)
  return rows.map(toSum)
}

function toSum({ day, code, payments, face_value, cost }: SumRow): DaySum {
  return { day, code, payments, faceValue: face_value, cost }
}

// ── Pages ──

export type PageQuery = LineFilter & {
  readonly resellerId: bigint
  readonly days: DayRange
  /** Number of matching payments to skip. All of them are of the last day. */
  readonly passOver: bigint
  readonly limit: number
}

/**
 * Lists a page, newest first. It finds the ids first and fetches the rows afterwards: without a filter, skipped payments
 * cost an index scan and no row.
 */
export async function listHistoryRows(connection: Queryable, query: PageQuery): Promise<LineRow[]> {
  const { statement, values } = pageStatement(query)
  const { rows } = await connection.query<LineRow>(statement, values)
  return rows
}

function pageStatement(query: PageQuery): { statement: Statement; values: unknown[] } {
  const values: unknown[] = [
    query.resellerId,
    firstIdOf(query.days.from),
    firstIdOf(query.days.to + 1),
    query.passOver,
    query.limit,
  ]
  const value = (each: unknown) => `$${values.push(each)}`
  const accounts = query.accounts === null ? null : value(query.accounts)
  const asked = conditionsOf(query, value)
  const ids =
    accounts === null
      ? idsOf(asked.text)
      : idsOfCustomer(accounts, value(firstIdOf(query.days.to)), asked.text)
  return {
    statement: {
      name: `history_page${asked.name}`,
      text: `
        select ${LINE_COLUMNS} from payments
         where reseller_id = $1 and id = any(array(${ids}))
         order by id desc`,
    },
    values,
  }
}

function idsOf(conditions: string): string {
  return `
    select id from payments
     where reseller_id = $1 and id >= $2 and id < $3 ${conditions}
     order by id desc offset $4 limit $5`
}

/** Finds the ids of a customer. Payments to skip are only in the stretches that the last day touches. */
function idsOfCustomer(accounts: string, lastDayId: string, conditions: string): string {
  return `
    select p.id from generate_series(${stretchBounds('$2::bigint', '$3::bigint')}) as stretches (stretch)
     cross join unnest(${accounts}::text[]) as customers (account)
     cross join lateral (
       select id from payments
        where ${ofCustomer('$1')} and id >= $2 and id < $3 ${conditions}
        order by id desc
        limit case when stretches.stretch >= ${lastDayId}::bigint >> 52 then $4::bigint + $5 else $5 end) p
     order by p.id desc offset $4 limit $5`
}
