import type { Queryable, Tx } from '../../../db/database.ts'
import type { Amount } from '../../../lib/money.ts'
import type {
  Limit,
  LimitPeriod,
  LimitScope,
  LimitSetter,
  MemberLimit,
  MemberLimitInUse,
  ReachedRow,
} from './types.ts'

// ── Limits ──

type LimitRow = {
  scope: LimitScope
  period: LimitPeriod
  category: string
  payments: bigint | null
  face_value: Amount | null
}

function toLimit({ scope, period, category, payments, face_value: sum }: LimitRow): Limit {
  return {
    scope,
    period,
    category: category === '' ? null : category,
    payments: payments === null ? null : Number(payments),
    sum,
  }
}

export async function listResellerLimits(
  connection: Queryable,
  resellerId: bigint,
  setBy: LimitSetter,
): Promise<Limit[]> {
  const { rows } = await connection.query<LimitRow>(
    `select scope, period, category, payments, face_value from reseller_limits
      where reseller_id = $1 and set_by = $2 order by scope, period, category`,
    [resellerId, setBy],
  )
  return rows.map(toLimit)
}

/** Locks the limits of a reseller, so that two people do not replace each other's list unseen. */
export async function lockLimits(tx: Tx, resellerId: bigint): Promise<void> {
  await tx.query('select pg_advisory_xact_lock(hashtextextended($1, 0) # lock_mark())', [
    `limits:${resellerId}`,
  ])
}

export async function replaceResellerLimits(
  tx: Tx,
  resellerId: bigint,
  setBy: LimitSetter,
  limits: readonly Limit[],
): Promise<void> {
  await tx.query('delete from reseller_limits where reseller_id = $1 and set_by = $2', [resellerId, setBy])
  await tx.query(
    `insert into reseller_limits (reseller_id, set_by, scope, period, category, payments, face_value)
     select $1, $2, l.* from unnest($3::text[], $4::text[], $5::text[], $6::bigint[], $7::bigint[]) as l`,
    [
      resellerId,
      setBy,
      limits.map(({ scope }) => scope),
      limits.map(({ period }) => period),
      limits.map(({ category }) => category ?? ''),
      limits.map(({ payments }) => payments),
      limits.map(({ sum }) => sum),
    ],
  )
}

type InForceRow = LimitRow & {
  set_by: LimitSetter
  resets_at: Date
  used_payments: bigint | null
  used_sum: Amount | null
}

const IN_FORCE = {
  name: 'limits_in_force',
  text: `
    select l.set_by, l.scope, l.period, l.category, l.payments, l.face_value,
           case l.period when 'day' then m.day_ends else m.month_ends end as resets_at,
           case when t.is_whole and (l.scope = 'reseller' or $2::text[] is not null) then u.payments end
             as used_payments,
           case when t.is_whole and (l.scope = 'reseller' or $2::text[] is not null) then u.face_value end
             as used_sum
      from limits_of(array[$1::bigint]) l
      left join payment_tallies t on t.reseller_id = $1 and t.kind = l.scope
     cross join counted_month($1, clock_timestamp()) m
     cross join lateral (
       select coalesce(sum(n.payments), 0)::bigint as payments, coalesce(sum(n.face_value), 0)::bigint as face_value
         from payment_counts n
        where n.reseller_id = $1 and n.kind = l.scope || t.suffix
          and n.subject = any (case l.scope when 'account' then $2::text[] else array[''] end)
          and n.day between case l.period when 'day' then m.today else m.first_day end and m.today
          and (l.category = '' or n.category = l.category)
     ) u
     order by l.scope, l.period, l.category, l.set_by`,
}

/**
 * Lists the limits that hold for a reseller, with what is used by it, or by an account that may be written so; null while
 * that is being counted.
 */
export async function listLimitsInForce(
  connection: Queryable,
  resellerId: bigint,
  accounts: readonly string[] | null,
) {
  const { rows } = await connection.query<InForceRow>(IN_FORCE, [resellerId, accounts])
  return rows.map((row) => ({
    ...toLimit(row),
    setBy: row.set_by,
    resetsAt: row.resets_at,
    used:
      row.used_payments === null || row.used_sum === null
        ? null
        : { payments: Number(row.used_payments), sum: row.used_sum },
  }))
}

// ── Limits of members ──

type MemberLimitRow = {
  user_id: bigint
  period: LimitPeriod
  payments: bigint | null
  face_value: Amount | null
  resets_at: Date
  used_payments: bigint | null
  used_sum: Amount | null
}

const OF_MEMBERS = {
  name: 'limits_of_members',
  text: `
    select l.user_id, l.period, l.payments, l.face_value,
           case l.period when 'day' then m.day_ends else m.month_ends end as resets_at,
           case when t.is_whole then u.payments end as used_payments,
           case when t.is_whole then u.face_value end as used_sum
      from member_limits l
      left join payment_tallies t on t.reseller_id = l.reseller_id and t.kind = 'member'
     cross join counted_month($1, clock_timestamp()) m
     cross join lateral (
       select coalesce(sum(n.payments), 0)::bigint as payments, coalesce(sum(n.face_value), 0)::bigint as face_value
         from payment_counts n
        where n.reseller_id = $1 and n.kind = 'member' || t.suffix and n.subject = l.user_id::text
          and n.day between case l.period when 'day' then m.today else m.first_day end and m.today
     ) u
     where l.reseller_id = $1 order by l.user_id, l.period`,
}

/** Lists the limits of a reseller's members, with what is used; null while that is being counted. */
export async function listMemberLimitRows(
  connection: Queryable,
  resellerId: bigint,
): Promise<MemberLimitInUse[]> {
  const { rows } = await connection.query<MemberLimitRow>(OF_MEMBERS, [resellerId])
  return rows.map(({ user_id: userId, period, payments, face_value: sum, ...row }) => ({
    userId,
    period,
    payments: payments === null ? null : Number(payments),
    sum,
    resetsAt: row.resets_at,
    used:
      row.used_payments === null || row.used_sum === null
        ? null
        : { payments: Number(row.used_payments), sum: row.used_sum },
  }))
}

export async function replaceMemberLimits(
  tx: Tx,
  resellerId: bigint,
  userId: bigint,
  limits: readonly MemberLimit[],
): Promise<void> {
  await tx.query('delete from member_limits where reseller_id = $1 and user_id = $2', [resellerId, userId])
  await tx.query(
    `insert into member_limits (reseller_id, user_id, period, payments, face_value)
     select $1, $2, l.* from unnest($3::text[], $4::bigint[], $5::bigint[]) as l`,
    [
      resellerId,
      userId,
      limits.map(({ period }) => period),
      limits.map(({ payments }) => payments),
      limits.map(({ sum }) => sum),
    ],
  )
}

// ── Counting ──

const BEGIN = { name: 'limits_begin_tallies', text: 'select begin_tallies($1::bigint[], $2::text[])' }

/** Begins to count what the caps of a reseller's keys need, where that has not begun. */
export async function beginKeyTally(connection: Queryable, resellerId: bigint): Promise<void> {
  await connection.query(BEGIN, [[resellerId], ['key']])
}

const BEGIN_LIMITS = {
  name: 'limits_begin_all',
  text: `select begin_tallies(array_agg(l.reseller_id), array_agg(l.scope))
           from (select distinct reseller_id, scope from limits_of(array[$1::bigint])
                  union
                 select distinct reseller_id, 'member' from member_limits where reseller_id = $1) l`,
}

/** Begins to count what the limits of a reseller need, where that has not begun. */
export async function beginLimitTallies(connection: Queryable, resellerId: bigint): Promise<void> {
  await connection.query(BEGIN_LIMITS, [resellerId])
}

const SPENT = {
  name: 'limits_spent_by_purpose',
  text: `
    select p.id as purpose_id, m.day_ends, m.month_ends,
           case when t.is_whole then coalesce(n.today, 0)::bigint end as today,
           case when t.is_whole then coalesce(n.month, 0)::bigint end as month
      from unnest($2::bigint[]) as p (id)
      left join payment_tallies t on t.reseller_id = $1 and t.kind = 'key'
     cross join lateral counted_month($1, clock_timestamp()) m
      left join lateral (
        select sum(c.cost) filter (where c.day = m.today) as today, sum(c.cost) as month
          from payment_counts c
         where c.reseller_id = $1 and c.kind = 'key' || t.suffix and c.subject = p.id::text
           and c.day between m.first_day and m.today
      ) n on true`,
}

export type SpentRow = {
  purpose_id: bigint
  /** Null while it is being counted. */
  today: Amount | null
  month: Amount | null
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

/** Payment that is judged by limits and caps without being taken. */
export type Gauged = {
  readonly resellerId: bigint
  readonly account: string
  readonly category: string | null
  readonly faceValue: Amount
  readonly cost: Amount
  readonly purposeId: bigint | null
  readonly memberId: string
  readonly dailyCap: Amount | null
  readonly monthlyCap: Amount | null
}

const REACHED = {
  name: 'limits_reached',
  text: `
    select g.name, g.max_payments::text as payments, g.max_sum::text as sum, g.used_payments::text as used_payments,
           g.used_sum::text as used_sum, floor(extract(epoch from g.resets_at) * 1000)::float8 as resets_ms
      from gauges_of(
             p_commands => array[1], p_resellers => array[$1::bigint], p_accounts => array[$2::text],
             p_categories => array[$3::text], p_purposes => array[$4::bigint],
             p_members => array[$9::text], p_daily_caps => array[$5::bigint],
             p_monthly_caps => array[$6::bigint], p_at => clock_timestamp()) with ordinality as g
     where g.used_payments >= g.max_payments
        or g.used_sum + case when g.name like 'Key%' then $8::bigint else $7::bigint end > g.max_sum
     order by g.ordinality limit 1`,
}

/** Finds the first limit or cap that a payment would be over now. */
export async function findReached(connection: Queryable, given: Gauged): Promise<ReachedRow | undefined> {
  const { resellerId, account, category, purposeId, memberId, dailyCap, monthlyCap, faceValue, cost } = given
  const { rows } = await connection.query<ReachedRow>(REACHED, [
    ...[resellerId, account, category, purposeId, dailyCap, monthlyCap, faceValue, cost, memberId],
  ])
  return rows[0]
}

// ── Proof ──

export type DriftedRow = {
  reseller_id: bigint
  kind: string
  subject: string
  day: string
  category: string
  expected_payments: bigint
  expected_face_value: Amount
  expected_cost: Amount
  payments: bigint
  face_value: Amount
  cost: Amount
}

const DRIFTED = {
  name: 'limits_drifted',
  text: `select reseller_id, kind, subject, day::text as day, category, expected_payments, expected_face_value,
                expected_cost, payments, face_value, cost
           from drifted_counts($1) order by reseller_id, kind, subject, day limit $2`,
}

/** Lists counts that are not those of their payments; null: of all resellers. */
export async function listDrifted(
  connection: Queryable,
  resellerId: bigint | null,
  limit: number,
): Promise<DriftedRow[]> {
  const { rows } = await connection.query<DriftedRow>(DRIFTED, [resellerId, limit])
  return rows
}

const UNFINISHED = {
  name: 'limits_unfinished',
  text: `select reseller_id, kind from payment_tallies where not is_whole order by reseller_id, kind limit $1`,
}

export type TallyKey = { readonly reseller_id: bigint; readonly kind: string }

/** Lists tallies whose payments of the month are not all counted. */
export async function listUnfinished(connection: Queryable, limit: number): Promise<readonly TallyKey[]> {
  const { rows } = await connection.query<TallyKey>(UNFINISHED, [limit])
  return rows
}

const COUNT_BACK = { name: 'limits_count_back', text: 'select count_back($1, $2, $3) as is_more' }

/** Counts further payments of a tally; false: all are counted. */
export async function countBack(connection: Queryable, { reseller_id: id, kind }: TallyKey, most: number) {
  const { rows } = await connection.query<{ is_more: boolean }>(COUNT_BACK, [id, kind, most])
  return rows[0]?.is_more === true
}

const IDLE = {
  name: 'limits_idle_tallies',
  text: `select distinct reseller_id from payment_tallies where is_idle_tally(reseller_id, kind) limit $1`,
}

/** Lists resellers of whom more is counted than their limits and caps ask for. */
export async function listIdle(connection: Queryable, limit: number): Promise<readonly bigint[]> {
  const { rows } = await connection.query<{ reseller_id: bigint }>(IDLE, [limit])
  return rows.map((row) => row.reseller_id)
}

/** Ends what no limit and no cap of a reseller asks for any more. */
export async function endIdle(connection: Queryable, resellerId: bigint): Promise<void> {
  await connection.query('select end_idle_tallies($1)', [resellerId])
}

const FORGET = {
  name: 'limits_forget_counts',
  text: `
    delete from payment_counts
     where ctid = any (array(
       select n.ctid from payment_counts n
        where n.day < (now() at time zone 'Asia/Kuala_Lumpur')::date - 70
           or not exists (select from payment_tallies t
                           where t.reseller_id = n.reseller_id and t.kind || t.suffix = n.kind)
        limit $1))`,
}

/** Forgets counts of ended tallies, and of months that no limit can be about any more; returns how many. */
export async function forgetCounts(connection: Queryable, limit: number): Promise<number> {
  const { rowCount } = await connection.query(FORGET, [limit])
  return rowCount
}
