import { plainArray, textArray } from '../../../db/arrays.ts'
import type { Queryable } from '../../../db/database.ts'
import { startOfDayMs } from '../../../lib/dates.ts'
import type { Stream } from '../types.ts'
import { firstIdOf } from './log.sql.ts'

export type StreamDay = { readonly stream: Stream; readonly day: number }

export type StreamDaySum = StreamDay & {
  readonly succeeded: number
  readonly failed: number
  readonly pending: number
  /** The sum is stored: the day needs no counting. */
  readonly isKept: boolean
}

// A day is a range of the primary key, because ids begin with their millisecond.
const SUM = {
  name: 'delivery_days_sum',
  text: `select w.stream, w.day, coalesce(k.succeeded, c.succeeded) as succeeded, coalesce(k.failed, c.failed) as failed,
                c.pending, k.stream is not null as "isKept"
           from unnest($2::text[], $3::integer[], $4::uuid[], $5::uuid[]) as w (stream, day, from_id, until_id)
           left join delivery_days k
             on k.reseller_id = $1 and k.stream = w.stream and k.day = date '1970-01-01' + w.day
           cross join lateral (
             select count(*) filter (where d.status = 'success')::integer as succeeded,
                    count(*) filter (where d.status = 'failed')::integer as failed,
                    count(*) filter (where d.status = 'pending')::integer as pending
               from deliveries d
              where k.stream is null and d.reseller_id = $1 and d.stream = w.stream
                and d.id >= w.from_id and d.id < w.until_id
           ) c`,
}

/** Sums the deliveries of each day: kept sums are read, other days are counted. */
export async function sumStreamDays(
  connection: Queryable,
  resellerId: bigint,
  days: readonly StreamDay[],
): Promise<StreamDaySum[]> {
  const { rows } = await connection.query<StreamDaySum>(SUM, [
    resellerId,
    textArray(days.map(({ stream }) => stream)),
    plainArray(days.map(({ day }) => day)),
    plainArray(days.map(({ day }) => firstIdOf(startOfDayMs(day)))),
    plainArray(days.map(({ day }) => firstIdOf(startOfDayMs(day + 1)))),
  ])
  return rows
}

const KEEP = {
  name: 'delivery_days_keep',
  text: `with old as (
           delete from delivery_days where reseller_id = $1 and day < date '1970-01-01' + $6::integer
         )
         insert into delivery_days (reseller_id, stream, day, succeeded, failed)
         select $1, k.stream, date '1970-01-01' + k.day, k.succeeded, k.failed
           from unnest($2::text[], $3::integer[], $4::integer[], $5::integer[])
             as k (stream, day, succeeded, failed)
         on conflict do nothing`,
}

/** Stores sums that will not change any more, and removes the account's sums of days before `oldestDay`. */
export async function keepStreamDays(
  connection: Queryable,
  resellerId: bigint,
  sums: readonly StreamDaySum[],
  oldestDay: number,
): Promise<void> {
  await connection.query(KEEP, [
    resellerId,
    textArray(sums.map(({ stream }) => stream)),
    plainArray(sums.map(({ day }) => day)),
    plainArray(sums.map(({ succeeded }) => succeeded)),
    plainArray(sums.map(({ failed }) => failed)),
    oldestDay,
  ])
}
