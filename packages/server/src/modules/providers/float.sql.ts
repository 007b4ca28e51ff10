import type { Queryable } from '../../db/database.ts'
import type { Amount } from '../../lib/money.ts'
import type { Money } from '../rates/types.ts'
import type { FloatReading } from './float.rules.ts'

/** Returns true to one node at a time, and not again before the pause is over. */
export async function claimFloat(connection: Queryable, provider: string, pauseMs: number): Promise<boolean> {
  const { rowCount } = await connection.query(
    `insert into provider_floats as f (provider, next_at) values ($1, now() + $2 * interval '1 millisecond')
     on conflict (provider) do update set next_at = excluded.next_at
      where f.next_at <= later(excluded.next_at, -$2 * interval '1 millisecond')`,
    [provider, pauseMs],
  )
  return rowCount > 0
}

export async function saveReading(
  connection: Queryable,
  provider: string,
  { amount, currency }: Money,
): Promise<void> {
  await connection.query(
    `with said as (
       insert into provider_float_readings (provider, at, amount, currency)
       values ($1, statement_timestamp(), $2, $3) returning at
     )
     update provider_floats
        set amount = $2, currency = $3, read_at = said.at, failing_since = null, trouble = null
       from said where provider = $1`,
    [provider, amount, currency],
  )
}

/** Returns the milliseconds for which it has given no answer. */
export async function saveFailure(connection: Queryable, provider: string, trouble: string): Promise<number> {
  const { rows } = await connection.query<{ failing_ms: number }>(
    `update provider_floats set failing_since = least(failing_since, clock.now), trouble = $2
       from (select statement_timestamp() as now) clock
      where provider = $1
     returning extract(epoch from clock.now - failing_since)::float8 * 1000 as failing_ms`,
    [provider, trouble],
  )
  return rows[0]?.failing_ms ?? 0
}

/** Lists the readings in the currency of the last one, oldest first. */
export async function listReadings(
  connection: Queryable,
  provider: string,
  hours: number,
): Promise<FloatReading[]> {
  const { rows } = await connection.query<FloatReading>(
    `select r.at, r.amount from provider_floats f
       join provider_float_readings r on r.provider = f.provider and r.currency = f.currency
      where f.provider = $1 and r.at > now() - make_interval(hours => $2) order by r.at`,
    [provider, hours],
  )
  return rows
}

/** Lists such readings of every provider that was ever asked, oldest first. */
export async function listAllReadings(
  connection: Queryable,
  hours: number,
): Promise<(FloatReading & { readonly provider: string })[]> {
  const { rows } = await connection.query<FloatReading & { provider: string }>(
    `select r.provider, r.at, r.amount from provider_floats f
       cross join lateral (
         select provider, at, amount from provider_float_readings
          where provider = f.provider and currency = f.currency and at > now() - make_interval(hours => $1)
       ) r
      order by r.provider, r.at`,
    [hours],
  )
  return rows
}

export async function findFloatAlert(connection: Queryable, provider: string): Promise<Amount | null> {
  const { rows } = await connection.query<{ float_alert: bigint | null }>(
    'select float_alert from provider_connections where code = $1',
    [provider],
  )
  return rows[0]?.float_alert ?? null
}

export type FloatRow = {
  provider: string
  amount: bigint | null
  currency: string
  read_at: Date | null
  failing_since: Date | null
  trouble: string | null
  float_alert: bigint | null
}

export async function listFloatRows(connection: Queryable, limit: number): Promise<FloatRow[]> {
  const { rows } = await connection.query<FloatRow>(
    `select f.provider, f.amount, f.currency, f.read_at, f.failing_since, f.trouble, c.float_alert
       from provider_floats f left join provider_connections c on c.code = f.provider
      order by f.provider limit $1`,
    [limit],
  )
  return rows
}

export async function sweepReadings(connection: Queryable, keptDays: number): Promise<void> {
  await connection.query('delete from provider_float_readings where at < now() - make_interval(days => $1)', [
    keptDays,
  ])
}
