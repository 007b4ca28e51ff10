import { plainArray, textArray } from '../../../db/arrays.ts'
import type { Queryable } from '../../../db/database.ts'
import type { HealthReport, HealthRow } from './health.types.ts'

const PUBLISH = {
  name: 'provider_health_publish',
  text: `insert into provider_health (provider, node, state, orders, answered, timeouts, not_acted, p50_ms, p95_ms, at)
         select r.*, now()
           from (select unnest($2::text[]) as provider, $1::text as node, unnest($3::text[]), unnest($4::integer[]),
                        unnest($5::integer[]), unnest($6::integer[]), unnest($7::integer[]), unnest($8::integer[]),
                        unnest($9::integer[])) r
         order by provider
         on conflict (provider, node) do update
            set state = excluded.state, orders = excluded.orders, answered = excluded.answered,
                timeouts = excluded.timeouts, not_acted = excluded.not_acted, p50_ms = excluded.p50_ms,
                p95_ms = excluded.p95_ms, at = excluded.at`,
}

export async function publishHealth(
  connection: Queryable,
  node: string,
  reports: readonly HealthReport[],
): Promise<void> {
  const plain = (read: (report: HealthReport) => number | null) => plainArray(reports.map(read))
  await connection.query(PUBLISH, [
    node,
    textArray(reports.map(({ provider }) => provider)),
    textArray(reports.map(({ state }) => state)),
    plain(({ orders }) => orders),
    plain(({ answered }) => answered),
    plain(({ timeouts }) => timeouts),
    plain(({ not_acted: notActed }) => notActed),
    plain(({ p50_ms: p50Ms }) => p50Ms),
    plain(({ p95_ms: p95Ms }) => p95Ms),
  ])
}

const LIST = {
  name: 'provider_health_list',
  text: `select provider, node, state, orders, answered, timeouts, not_acted, p50_ms, p95_ms,
                extract(epoch from now() - at)::float8 * 1000 as age_ms
           from provider_health where at > now() - $1 * interval '1 millisecond'
          order by provider, node limit $2`,
}

const ROWS_MAX = 10_000

/** Lists the reports of nodes within the given time. */
export async function listHealth(connection: Queryable, withinMs: number): Promise<HealthRow[]> {
  const { rows } = await connection.query<HealthRow>(LIST, [withinMs, ROWS_MAX])
  return rows
}

/** Deletes this node's reports, and old ones that stopped nodes left behind. */
export async function forgetHealth(connection: Queryable, node: string, olderThanMs: number): Promise<void> {
  await connection.query(
    `delete from provider_health where node = $1 or at < now() - $2 * interval '1 millisecond'`,
    [node, olderThanMs],
  )
}
