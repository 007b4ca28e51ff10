import { plainArray, textArray } from '../../../db/arrays.ts'
import type { Queryable } from '../../../db/database.ts'
import type { AnswerCounts, HealthInterval } from './health.types.ts'

export type OwnInterval = HealthInterval & { readonly provider: string }

// The latencies of a row are one text, because an array of arrays would be taken apart to its last element.
const WRITE = {
  name: 'provider_health_intervals_write',
  text: `insert into provider_health_intervals
           (provider, at, node, succeeded, failed, pending, not_acted, unknown, latencies)
         select r.provider, to_timestamp(r.start_ms / 1000.0), $1, r.succeeded, r.failed, r.pending, r.not_acted,
                r.unknown, r.latencies::integer[]
           from unnest($2::text[], $3::bigint[], $4::integer[], $5::integer[], $6::integer[], $7::integer[],
                       $8::integer[], $9::text[])
             as r (provider, start_ms, succeeded, failed, pending, not_acted, unknown, latencies)
         on conflict (provider, at, node) do update
            set succeeded = excluded.succeeded, failed = excluded.failed, pending = excluded.pending,
                not_acted = excluded.not_acted, unknown = excluded.unknown, latencies = excluded.latencies`,
}

/** Writes the present counts of a node's intervals over the earlier ones. */
export async function writeIntervals(
  connection: Queryable,
  node: string,
  intervals: readonly OwnInterval[],
): Promise<void> {
  const counts = (answer: keyof AnswerCounts) => plainArray(intervals.map((each) => each.counts[answer]))
  await connection.query(WRITE, [
    node,
    textArray(intervals.map(({ provider }) => provider)),
    plainArray(intervals.map(({ startMs }) => startMs)),
    counts('succeeded'),
    counts('failed'),
    counts('pending'),
    counts('not_acted'),
    counts('unknown'),
    textArray(intervals.map(({ latencies }) => plainArray(latencies))),
  ])
}

type IntervalRow = AnswerCounts & { start_ms: number; latencies: number[] }

const LIST = {
  name: 'provider_health_intervals_list',
  text: `select extract(epoch from at)::float8 * 1000 as start_ms, succeeded, failed, pending, not_acted, unknown,
                latencies
           from provider_health_intervals where provider = $1 and at >= to_timestamp($2::float8 / 1000)
          order by at limit $3`,
}

/** Limit of rows: a week of sixteen nodes. */
const ROWS_MAX = 168 * 12 * 16

/** Lists the intervals of all nodes from an instant on, oldest first. */
export async function listIntervals(
  connection: Queryable,
  provider: string,
  sinceMs: number,
): Promise<HealthInterval[]> {
  const { rows } = await connection.query<IntervalRow>(LIST, [provider, sinceMs, ROWS_MAX])
  return rows.map(({ start_ms, latencies, ...counts }) => ({
    startMs: Math.round(start_ms),
    counts,
    latencies,
  }))
}

export async function sweepIntervals(connection: Queryable, keptHours: number): Promise<void> {
  await connection.query(
    'delete from provider_health_intervals where at < now() - make_interval(hours => $1)',
    [keptHours],
  )
}
